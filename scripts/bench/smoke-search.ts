import { join } from 'node:path';
import type { StoredDocument } from '../../src/core/document.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import type { QueryPlan } from '../../src/search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../../src/search-index/relevance.ts';
import { buildFts5 } from './fts5-peer.ts';
import { type GeneratedDocument, generateCorpus } from './generate-corpus.ts';
import { cpuOf } from './process-costs.ts';
import { seededRandom } from './seeded-random.ts';

const ROUNDS = 3;
const QUERIES = 40;
const WRITE_STEP = 5_000;
const FACETS = ['Category', 'Language', 'Author'];

type QueryClass = {
  readonly name: string;
  readonly operator: 'AND' | 'OR';
  readonly queries: readonly (readonly string[])[];
};

/**
 * CPU per search at `count` documents, top 10 with exact total and three facets, both engines interleaved in one
 * process; the first round warms up. The queries' words stand together in real documents.
 */
export async function compareSearch(folder: string, count: number): Promise<readonly string[]> {
  const corpus = [...generateCorpus(count)];
  const lines: string[] = [];
  let fts5 = buildFts5([]);
  const fts5BuildMs = await cpuOf(() => {
    fts5 = buildFts5(corpus);
  });
  const directory = join(folder, 'index');
  const buildMs = await cpuOf(() => buildIndex(directory, corpus));
  lines.push(
    `build of ${count} documents      ${perSecond(count, buildMs)} documents per CPU second, FTS5 ${perSecond(count, fts5BuildMs)}`,
  );
  const log = createLogger({ level: 'silent', name: 'bench' });
  await using index = openEmbeddedIndex({ directoryOf: () => directory, threads: 0, clock: Date, log });
  for (const { name, operator, queries } of queryClasses(corpus)) {
    const own: number[] = [];
    const peer: number[] = [];
    let differing = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      for (const words of queries) {
        let total = 0;
        let peerTotal = 0;
        const ownMs = await cpuOf(async () => {
          total = (await index.search(1, plan(words, operator), AbortSignal.timeout(60_000))).total;
        });
        const peerMs = await cpuOf(() => {
          peerTotal = fts5.search(words.map((word) => `"${word}"`).join(` ${operator} `)).total;
        });
        if (round === 0) differing += Number(total !== peerTotal);
        else {
          own.push(ownMs);
          peer.push(peerMs);
        }
      }
    }
    lines.push(row(name, mean(own), mean(peer), differing, queries.length));
  }
  fts5.close();
  return lines;
}

async function buildIndex(directory: string, corpus: readonly GeneratedDocument[]): Promise<void> {
  const log = createLogger({ level: 'silent', name: 'bench' });
  const source = {
    changesAfter: async () => [],
    liveRids: async () => [],
    readDocuments: async () => [],
    claimGeneration: async (_expected: number, _next: number, publish: () => Promise<void>) => {
      await publish();
      return true;
    },
    indexGeneration: async () => 0,
  };
  await using writer = await openEmbeddedWriter({ directory, source, language: 'en', clock: Date, log });
  for (let from = 0; from < corpus.length; from += WRITE_STEP) {
    writer.apply(corpus.slice(from, from + WRITE_STEP).map((document, offset) => stored(document, from + offset + 1)));
    await writer.refresh();
  }
}

function stored(document: GeneratedDocument, rid: number): StoredDocument {
  const { id, title, description, content, category, language, author } = document;
  return {
    ...{ rid, seq: rid, writeSeq: rid, crawlerId: 1, id, kind: 'PageContent', origin: 'pushed', language: 'en' },
    ...{ deleted: false, createdAt: 0, updatedAt: 0, structure: undefined },
    fields: new Map([
      ['Title', [title]],
      ['Description', [description]],
      ['Content', [content]],
      ['Category', [category]],
      ['Language', [language]],
      ['Author', [author]],
    ]),
  };
}

function plan(words: readonly string[], operator: 'AND' | 'OR'): QueryPlan {
  const match = { kind: operator === 'AND' ? 'and' : 'or', of: words.map(wordNode) } as const;
  return {
    ...{ match, operator, filter: { kind: 'all' }, postFilter: { kind: 'all' }, postFilterCounts: false },
    ...{
      boosts: [],
      sort: [],
      ranges: [],
      pins: [],
      removed: [],
      topHits: [],
      counts: 'exact',
      offset: 0,
      limit: 10,
      spare: 10,
      weights: DEFAULT_RELEVANCE,
    },
    facets: FACETS.map((field) => ({
      ...{ name: field, field, orderBy: 'DocCount', direction: 'Desc', size: 20, includeEmpty: false, facets: [] },
    })),
  };
}

function wordNode(text: string) {
  return { kind: 'word', text, boost: 1, role: 'content', near: 'never', also: [] } as const;
}

/** One common word; three words of one document, all required; four of one document, any of them. */
function queryClasses(corpus: readonly GeneratedDocument[]): readonly QueryClass[] {
  const random = seededRandom(99);
  const wordsOf = () => {
    const { content } = corpus[Math.floor(random() * corpus.length)] ?? { content: '' };
    return [...new Set(content.toLowerCase().match(/[a-z]{5,}/g) ?? [])];
  };
  const pick = (size: number) =>
    Array.from({ length: QUERIES }, () => {
      const words = wordsOf();
      return Array.from({ length: size }, () => words[Math.floor(random() * words.length)] ?? 'kae');
    });
  return [
    { name: 'one word', operator: 'OR', queries: pick(1) },
    { name: '3 words AND', operator: 'AND', queries: pick(3) },
    { name: '4 words OR', operator: 'OR', queries: pick(4) },
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function perSecond(count: number, millis: number): string {
  return ((count / millis) * 1_000).toFixed(0);
}

function row(name: string, own: number, peer: number, differing: number, queries: number): string {
  const ratio = (peer / own).toFixed(1);
  const totals = differing === 0 ? 'same totals' : `${differing} of ${queries} totals differ (other stemmer)`;
  return `search, ${name.padEnd(22)} ${own.toFixed(2)} ms CPU, FTS5 ${peer.toFixed(2)} ms: ${ratio} × less; ${totals}`;
}
