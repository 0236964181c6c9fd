/**
 * Changes sources in small ways, one at a time, and runs the tests that lie nearest to each: a mutant that no test
 * notices survives. Works in copies of the working tree.
 *
 *   node scripts/mutate.ts                      the 100 mutants of scripts/mutation/sample.json
 *   node scripts/mutate.ts --write              the same, and writes into it which test noticed each: tried first next time
 *   node scripts/mutate.ts --since main         up to 100 mutants of the sources that changed since a commit
 *   node scripts/mutate.ts --count 20 src/ai    20 mutants of a folder or a file
 *
 *   --results file.jsonl                        keeps results there and goes on where an earlier run ended
 *   --jobs 1                                    copies that work side by side, one per core if not said
 */
import { execFile, execFileSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { seededRandom } from './bench/seeded-random.ts';
import { type Mutant, mutantsOf } from './mutation/mutants.ts';
import { measureTests } from './mutation/nearest-tests.ts';
import { readSample, writeTests } from './mutation/sample.ts';

const SEED = 20_261_123;
/** Test files per mutant, from and to, the further ones only when it survives the nearer ones: most do not. */
const NEAR = 24;
const ROUNDS = [
  [0, 6],
  [6, NEAR],
  [NEAR, 96],
] as const;
/** A mutant whose tests take longer hangs, which is noticed. */
const TIMEOUT_MS = 120_000;
const TIMEOUT_MS_PER_TEST = 10_000;
/** The cheaper ones first. */
const TIERS = ['unit', 'contract', 'spec', 'integration', 'golden'];
/** Not under these tests: they hold the sources' texts, or start products. */
const OTHER_TESTS = /^test\/(?:e2e|web|load)\/|architecture|glossary|documents\.test/;

type Planned = {
  readonly file: string;
  readonly mutant: Mutant;
  readonly source: string;
  readonly test?: string | undefined;
  readonly unnoticed?: string | undefined;
};
/** `timeout`: the tests did not end, which is noticed as well. */
type End = 'killed' | 'timeout' | 'survived' | 'untested';
type Result = {
  readonly name: string;
  readonly end: End;
  /** The test that noticed it, else why none does, where that is known. */
  readonly by?: string | undefined;
};
type Trial = Pick<Result, 'end' | 'by'>;

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    since: { type: 'string' },
    results: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    write: { type: 'boolean', default: false },
  },
});

const tracked = git('ls-files', '--cached', '--others', '--exclude-standard');
const sources = sourcesOf(tracked);
const distances = measureTests(
  root,
  tracked.filter((path) => /^(?:src|test|workers|scripts)\/.*\.tsx?$/.test(path) && !path.startsWith('test/fixtures/')),
);
const isSample = values.count === undefined && values.since === undefined && positionals.length === 0;
const planned = isSample ? await readSample(root) : await plan(Number(values.count ?? '100'));
const results = await readResults();
const known = new Set(results.map(({ name }) => name));
const queue = planned.filter((mutant) => !known.has(nameOf(mutant))).values();
/** Test files that were seen to pass without a mutant. */
const passing = new Set<string>();
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
report(results);
if (values.write && isSample) await writeFoundTests();

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter(Boolean);
}

function sourcesOf(paths: readonly string[]): readonly string[] {
  const changed = values.since === undefined ? undefined : new Set(git('diff', '--name-only', values.since));
  return paths
    .filter((path) => /^(?:src|workers)\/.*\.ts$/.test(path) && !path.endsWith('-migrations.ts'))
    .filter((path) => changed?.has(path) ?? true)
    .filter(
      (path) =>
        positionals.length === 0 ||
        positionals.some((start) => path.startsWith(start.endsWith('/') ? start : `${start}/`) || path === start),
    )
    .sort();
}

/** One of each file in a random order, then a second one of each, until there are enough. */
async function plan(count: number): Promise<readonly Planned[]> {
  const random = seededRandom(SEED);
  const byFile = await Promise.all(
    sources.map(async (file) => {
      const source = await readFile(join(root, file), 'utf8');
      return shuffled(mutantsOf(file, source), random).map((mutant): Planned => ({ file, mutant, source }));
    }),
  );
  const files = shuffled(byFile, random);
  const rounds = Math.max(0, ...files.map((mutants) => mutants.length));
  const inRounds = Array.from({ length: rounds }, (_, round) => files.flatMap((mutants) => mutants[round] ?? []));
  return inRounds.flat().slice(0, count);
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

async function work(): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'fossick-mutate-'));
  try {
    for (const path of tracked) {
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await cp(join(root, path), join(copy, path)).catch(() => undefined);
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const mutant of queue) {
      const result = { name: nameOf(mutant), ...(await tryMutant(copy, mutant)) };
      results.push(result);
      if (values.results !== undefined) await appendFile(values.results, `${JSON.stringify(result)}\n`);
      process.stdout.write(`${String(results.length).padStart(3)}/${planned.length} ${describe(result)}\n`);
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function tryMutant(copy: string, { file, mutant, source, test, unnoticed }: Planned): Promise<Trial> {
  if (unnoticed !== undefined) return { end: 'survived', by: unnoticed };
  const nearest = nearestTests(file).filter((path) => path !== test);
  if (test === undefined && nearest.length === 0) return { end: 'untested' };
  const mutated = source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end);
  const runMutated = async (tests: readonly string[]): Promise<Trial> => {
    await writeFile(join(copy, file), mutated);
    const trial = await runTests(copy, tests);
    await writeFile(join(copy, file), source);
    return trial;
  };
  const underMutant = async (tests: readonly string[]): Promise<Trial> => {
    const trial = await runMutated(tests);
    if (trial.end === 'survived') return trial;
    const failed = trial.by === undefined ? tests : [trial.by];
    const isAlone = failed.length === tests.length;
    if ((await isPassing(copy, failed)) && (isAlone || (await runMutated(failed)).end !== 'survived')) return trial;
    // A test that fails without the mutant, too, or not again with it, has noticed nothing: the others are asked.
    return underMutant(trial.by === undefined ? [] : tests.filter((path) => path !== trial.by));
  };
  for (const tests of [test === undefined ? [] : [test], ...ROUNDS.map(([from, to]) => nearest.slice(from, to))]) {
    const trial = await underMutant(tests);
    if (trial.end !== 'survived') return trial;
  }
  return { end: 'survived' };
}

/** Those that are named as the source, then those that lie near by their tier, then the others. */
function nearestTests(file: string): readonly string[] {
  const tests = distances.of(file).filter((path) => !OTHER_TESTS.test(path));
  const named = tests.filter((path) => basename(path, '.test.ts') === basename(file, '.ts'));
  const tierOf = (path: string) => TIERS.indexOf(path.split('/')[1] ?? '');
  const near = tests.slice(0, NEAR).sort((a, b) => tierOf(a) - tierOf(b));
  return [...new Set([...named, ...near, ...tests])];
}

async function isPassing(copy: string, tests: readonly string[]): Promise<boolean> {
  const { end } = await runTests(
    copy,
    tests.filter((path) => !passing.has(path)),
  );
  if (end !== 'survived') return false;
  for (const path of tests) passing.add(path);
  return true;
}

async function runTests(copy: string, tests: readonly string[]): Promise<Trial> {
  if (tests.length === 0) return { end: 'survived' };
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--bail', '1', '--maxWorkers', '1', ...tests];
    const timeout = TIMEOUT_MS + TIMEOUT_MS_PER_TEST * tests.length;
    await run(process.execPath, args, { cwd: copy, timeout, maxBuffer: 2 ** 26 });
    return { end: 'survived' };
  } catch (error) {
    const { stderr, killed } = error as { readonly stderr?: unknown; readonly killed?: unknown };
    const by = /FAIL.*?(test\/\S+\.test\.ts)/.exec(String(stderr))?.[1];
    return killed === true ? { end: 'timeout' } : { end: 'killed', by };
  }
}

/** A test that noticed nothing this time is not kept; of one that did not end the name is unknown. */
async function writeFoundTests(): Promise<void> {
  const resultByName = new Map(results.map((result) => [result.name, result]));
  await writeTests(
    root,
    planned.map((mutant) => {
      const result = resultByName.get(nameOf(mutant));
      return result?.end === 'killed' ? result.by : result?.end === 'timeout' ? mutant.test : undefined;
    }),
  );
}

/** Of those that are planned now: a mutant whose line has changed is tried again. */
async function readResults(): Promise<Result[]> {
  if (values.results === undefined) return [];
  const text = await readFile(values.results, 'utf8').catch(() => '');
  const names = new Set(planned.map(nameOf));
  return text
    .split('\n')
    .filter(Boolean)
    .map((line): Result => JSON.parse(line))
    .filter(({ name }) => names.has(name));
}

function nameOf({ file, mutant, source }: Planned): string {
  const line = source.slice(0, mutant.start).split('\n').length;
  const before = source.slice(mutant.start, mutant.end).replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line}  ${before}  →  ${mutant.text}`;
}

function describe({ name, end, by }: Result): string {
  return `${end.padEnd(8)} ${name}${by === undefined ? '' : `  (${by})`}`;
}

function report(all: readonly Result[]): void {
  const count = (...ends: readonly End[]) => all.filter(({ end }) => ends.includes(end)).length;
  const noticed = count('killed', 'timeout');
  const alive = all.filter(({ end }) => end === 'survived' || end === 'untested').map(describe);
  process.stdout.write(
    `\n${noticed} of ${all.length} mutants were noticed (${Math.round((100 * noticed) / all.length)} %), ${count('timeout')} of them by tests that did not end\n`,
  );
  if (alive.length > 0) process.stdout.write(`\nNot noticed:\n${alive.sort().join('\n')}\n`);
}
