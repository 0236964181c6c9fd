import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ENGINE_SETTINGS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import type { StoredDocument } from '../../src/core/document.ts';
import type { Engine } from '../../src/core/records.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { autocomplete } from '../../src/search/autocomplete.ts';
import { openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import { NO_TOOLS } from '../../test/helpers/no-tools.ts';
import { type GeneratedDocument, generateCorpus } from './generate-corpus.ts';
import { emptySource } from './search/stored-document.ts';

/** Headings per document, and their words. */
const HEADINGS = 8;
const HEADING_WORDS = 5;
const STEP = 5_000;
const PREFIX_CHARS = [1, 2, 3, 4, 6, 8];
const TYPED_TITLES = 40;

/**
 * What completions of `count` documents (a title and eight headings each) cost: making them on their thread, the main
 * loop meanwhile, and the look-ups of prefixes and misspelt words. `node scripts/bench/completions.ts [count]`.
 */
async function measureCompletions(count: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'fossick-completions-'));
  const corpus = [...generateCorpus(count)];
  await writeIndex(directory, corpus);
  const log = createLogger({ level: 'silent', name: 'bench' });
  await using index = openEmbeddedIndex({ directoryOf: () => directory, threads: 0, clock: Date, log });
  await index.fields(1);
  const complete = (text: string) => index.completions(1, text, { limit: 10, except: [] });

  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const memoryBefore = process.memoryUsage();
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const { total } = await complete('a');
  const cpu = process.cpuUsage(cpuBefore);
  delay.disable();
  const memory = process.memoryUsage();
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  print(
    `made in ${(performance.now() - startedAt).toFixed(0)} ms, ${((cpu.user + cpu.system) / 1e3).toFixed(0)} ms CPU`,
  );
  print(`main loop held at most ${(delay.max / 1e6 - 1).toFixed(1)} ms; ${total} completions of "a"`);
  print(`array buffers + ${megabytes(memory.arrayBuffers - memoryBefore.arrayBuffers)} (columns and completions)`);
  for (const chars of PREFIX_CHARS) {
    const texts = corpus.slice(0, 500).map(({ title }) => title.slice(0, chars));
    print(`prefix of ${chars}          ${await timesOf(texts, complete)}`);
  }
  const rows = new Map(corpus.map((document, i) => [i + 1, stored(document, i + 1)]));
  const deps = {
    searchIndex: index,
    readDocuments: async (_engine: number, rids: readonly number[]) => rids.map((rid) => rows.get(rid)),
    clock: Date,
    queryIds: { make: () => '' },
    popularQueries: async () => [],
    tools: NO_TOOLS.tools,
  };
  const answer = (query: string) =>
    autocomplete(deps, {
      engine: ENGINE,
      signal: AbortSignal.timeout(60_000),
      request: { query, limit: 10, filters: [], topHits: [] },
    });
  for (const chars of PREFIX_CHARS) {
    const texts = corpus.slice(0, 500).map(({ title }) => title.slice(0, chars));
    print(`whole answer, ${chars}      ${await timesOf(texts, answer)}`);
  }
  print(
    `whole answer, title  ${await timesOf(
      corpus.slice(0, 300).map(({ title }) => title.slice(0, -2)),
      answer,
    )}`,
  );
  const letters = corpus.slice(300, 300 + TYPED_TITLES).flatMap(({ title }) => beginningsOf(title));
  await timesOf(letters, answer);
  print(`letter by letter     ${await meanOf(letters, answer)}`);
  const misspelt = corpus.slice(0, 200).map(({ title }) => `${title.slice(0, 2)}q${title.slice(3, 8)}`);
  print(`misspelt word        ${await timesOf(misspelt, complete)}`);
  print(`misspelt, whole      ${await timesOf(misspelt, answer)}`);
  await rm(directory, { recursive: true });
}

/** As they are typed, from the third letter on. */
function beginningsOf(title: string): readonly string[] {
  return Array.from({ length: Math.max(0, title.length - 2) }, (_, i) => title.slice(0, i + 3));
}

/** All of them again, as one: what a request costs on a process that has answered before. */
async function meanOf(texts: readonly string[], complete: (text: string) => Promise<unknown>): Promise<string> {
  const before = process.cpuUsage();
  for (const text of texts) await complete(text);
  const { user, system } = process.cpuUsage(before);
  return `${((user + system) / 1e3 / texts.length).toFixed(2)} ms CPU each (${texts.length} texts)`;
}

const ENGINE: Engine = {
  id: 1,
  customerId: 1,
  name: 'Bench',
  language: 'en',
  managedBy: undefined,
  createdAt: 0,
  settings: ENGINE_SETTINGS.parse({}),
  publicSettings: PUBLIC_DEFAULTS,
};

async function timesOf(texts: readonly string[], complete: (text: string) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (const text of new Set(texts)) {
    const before = process.cpuUsage();
    await complete(text);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1e3);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms CPU (first asked)`;
}

async function writeIndex(directory: string, corpus: readonly GeneratedDocument[]): Promise<void> {
  const log = createLogger({ level: 'silent', name: 'bench' });
  await using writer = await openEmbeddedWriter({ directory, source: emptySource, language: 'en', clock: Date, log });
  for (let from = 0; from < corpus.length; from += STEP) {
    writer.apply(corpus.slice(from, from + STEP).map((document, i) => stored(document, from + i + 1)));
    await writer.refresh();
  }
}

function stored({ id, title, content, language }: GeneratedDocument, rid: number): StoredDocument {
  const words = content.split(' ');
  const headings = Array.from({ length: HEADINGS }, (_, i) => words.slice(i * 7, i * 7 + HEADING_WORDS).join(' '));
  return {
    rid,
    id,
    language,
    seq: rid,
    writeSeq: rid,
    crawlerId: 1,
    kind: 'PageContent',
    origin: 'pushed',
    deleted: false,
    createdAt: 0,
    updatedAt: 0,
    structure: undefined,
    fields: new Map([
      ['Title', [title]],
      ['Headings', headings],
      ['Content', [content]],
    ]),
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await measureCompletions(Number(process.argv[2] ?? 100_000));
