import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readCorpus } from './corpus-file.ts';
import { bytesOf } from './folder-size.ts';
import { type PeerHandle, startPeer } from './peer-handle.ts';
import { makeQueries } from './query-classes.ts';
import { type ClassFigure, type EngineFigures, median, type SearchCounters } from './report.ts';

export type Comparison = {
  readonly corpus: string;
  readonly documents: number;
  readonly engines: readonly string[];
  readonly folder: string;
  readonly queries: number;
  readonly rounds: number;
  readonly heapMb: number;
  /** Classes to run; undefined = all. */
  readonly classes: readonly string[] | undefined;
  /** Engines with segments merge them into one before they are searched. */
  readonly atRest: boolean;
  readonly log: (line: string) => void;
};

/** Longest wall time of one class on one engine in one round. */
const CLASS_BUDGET_MS = 3_000;

type Running = { readonly handle: PeerHandle; figures: EngineFigures };

/**
 * Builds every engine in its own process and opens what it can in a fresh one: compiled for building too, searches cost
 * up to twice as much, and no product builds where it searches. Then runs class by class, engine by engine, in
 * alternating order; the first round warms up and is dropped. CPU is that of the engine's process.
 */
export async function compareEngines(comparison: Comparison): Promise<SearchCounters> {
  await using stack = new AsyncDisposableStack();
  const running: Running[] = [];
  for (const name of comparison.engines) {
    const builder = stack.use(await startPeer(name, comparison.heapMb));
    const figures = await buildEngine(comparison, builder);
    const fresh = stack.use(await startPeer(name, comparison.heapMb));
    const { kind } = await fresh.ask({ kind: 'open', directory: join(comparison.folder, name) });
    const [handle, spare] = kind === 'opened' ? [fresh, builder] : [builder, fresh];
    await spare[Symbol.asyncDispose]();
    running.push({ handle, figures });
  }
  const queries = await makeQueries(readCorpus(comparison.corpus), comparison.queries);
  const classes = await runClasses(comparison, queries, running);
  for (const one of running) one.figures = { ...one.figures, residentMb: one.handle.resident() };
  for (const one of running)
    one.figures = { ...one.figures, ...(await openAgain(comparison, queries, one.handle.name)) };
  return { documents: comparison.documents, engines: running.map(({ figures }) => figures), classes };
}

async function buildEngine({ corpus, folder, atRest, log }: Comparison, handle: PeerHandle): Promise<EngineFigures> {
  const directory = join(folder, handle.name);
  await mkdir(directory, { recursive: true });
  log(`building ${handle.name}`);
  const built = await handle.ask({ kind: 'build', corpus, directory, atRest });
  const none = { name: handle.name, buildCpuMs: 0, buildWallMs: 0, bytes: 0, residentMb: 0, openMs: undefined };
  if (built.kind !== 'built') return { ...none, failure: built.kind === 'failed' ? built.reason : built.kind };
  const { cpuMs, wallMs } = built;
  log(`  ${(cpuMs / 1_000).toFixed(1)} s CPU, ${(wallMs / 1_000).toFixed(1)} s`);
  return { ...none, buildCpuMs: cpuMs, buildWallMs: wallMs, bytes: await bytesOf(directory), failure: undefined };
}

type Queries = Awaited<ReturnType<typeof makeQueries>>;

async function runClasses(
  comparison: Comparison,
  queries: Queries,
  running: readonly Running[],
): Promise<SearchCounters['classes']> {
  const { rounds, log } = comparison;
  const classes: Record<string, Record<string, ClassFigure>> = {};
  for (const [className, own] of Object.entries(queries)) {
    if (comparison.classes !== undefined && !comparison.classes.includes(className)) continue;
    const samples = new Map<string, { cpuMs: number[]; totals: readonly number[] }>();
    for (let round = 0; round <= rounds; round++) {
      const order = round % 2 === 0 ? running : [...running].reverse();
      for (const { handle, figures } of order) {
        if (figures.failure !== undefined) continue;
        const ran = await handle.ask({ kind: 'run', className, queries: own, budgetMs: CLASS_BUDGET_MS });
        if (ran.kind === 'failed') log(`${handle.name}, ${className}: ${ran.reason}`);
        if (ran.kind !== 'ran' || round === 0) continue;
        const sample = samples.get(handle.name) ?? { cpuMs: [], totals: ran.totals };
        sample.cpuMs.push(sum(ran.cpuMs) / ran.cpuMs.length);
        samples.set(handle.name, sample);
      }
    }
    classes[className] = Object.fromEntries(
      [...samples].map(([name, { cpuMs, totals }]) => [
        name,
        { cpuMs: median(cpuMs), meanTotal: sum(totals) / totals.length },
      ]),
    );
    log(`${className}: ${[...samples].map(([name, { cpuMs }]) => `${name} ${median(cpuMs).toFixed(2)}`).join(', ')}`);
  }
  return classes;
}

/**
 * Wall milliseconds that a fresh process takes to open what was built, and its memory when it has answered every class
 * once. Nothing for an engine that keeps nothing on disk.
 */
async function openAgain(
  { folder, heapMb }: Comparison,
  queries: Queries,
  name: string,
): Promise<Partial<Pick<EngineFigures, 'openMs' | 'residentMb'>>> {
  await using handle = await startPeer(name, heapMb);
  const opened = await handle.ask({ kind: 'open', directory: join(folder, name) });
  if (opened.kind !== 'opened') return {};
  for (const [className, own] of Object.entries(queries)) {
    await handle.ask({ kind: 'run', className, queries: own, budgetMs: CLASS_BUDGET_MS });
  }
  return { openMs: opened.wallMs, residentMb: handle.resident() };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
