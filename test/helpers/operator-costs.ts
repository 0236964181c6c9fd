import { pino } from 'pino';
import { systemClock } from '../../src/core/clock.ts';
import type { FilterNode } from '../../src/core/filters.ts';
import { openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import { type QueryPlan, totalCost } from '../../src/search-index/query-plan.ts';
import { indexSourceOf } from './index-source.ts';
import { longDocuments } from './long-documents.ts';
import { facetOf, phrase, planOf, word } from './query-plans.ts';
import { never } from './search-index-harness.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type OperatorCost = {
  readonly operator: string;
  readonly documentChars: number;
  readonly estimatedMs: number;
  /** Processor time, the mean of the rounds of the cheapest batch. */
  readonly measuredMs: number;
};

const ENGINE = 6;

/** Makes a plan whose predicates no search has asked before: `round` is in their values. */
type Operator = (round: number) => Partial<QueryPlan>;

const values = (count: number, round: number) => Array.from({ length: count }, (_, i) => `qzx${round} jvw ${i} xqz`);
const text = (operator: 'contains' | 'prefix', count: number, round: number): FilterNode => {
  return { kind: 'text', field: 'Content', operator, values: values(count, round) };
};
const leaves = (of: (leaf: number) => FilterNode): FilterNode => {
  return { kind: 'or', of: Array.from({ length: 95 }, (_, leaf) => of(leaf)) };
};
const compare = (field: string, operator: 'eq' | 'ne' | 'gt', asked: readonly string[]): FilterNode => {
  return { kind: 'compare', field, operator, values: asked };
};

/** Counts over all documents are kept: these are not over all. */
const uncounted = (round: number): FilterNode => {
  return { kind: 'number', field: 'Number', min: 0, max: 1_000_000 + round };
};

const OPERATORS: Readonly<Record<string, Operator>> = {
  'Contains, 1 value': (round) => ({ filter: text('contains', 1, round) }),
  'Contains, 5 values': (round) => ({ filter: text('contains', 5, round) }),
  'Contains, 1,000 values': (round) => ({ postFilter: text('contains', 1_000, round) }),
  'Contains, 95 conditions': (round) => ({ postFilter: leaves((leaf) => text('contains', 1, round * 100 + leaf)) }),
  'Prefix, 1,000 values': (round) => ({ postFilter: text('prefix', 1_000, round) }),
  'Gt on text, 95 conditions': (round) => ({
    postFilter: leaves((leaf) => compare('Content', 'gt', [`zzz${round}.${leaf}`])),
  }),
  'Eq on text, 1,000 values': (round) => ({ postFilter: compare('Unique', 'eq', values(1_000, round)) }),
  'Ne on long text, 1,000 values': (round) => ({ postFilter: compare('Content', 'ne', values(1_000, round)) }),
  'Eq on numbers, 1,000 values': (round) => ({
    postFilter: compare(
      'Number',
      'eq',
      Array.from({ length: 1_000 }, (_, i) => `${i * 3 + round}`),
    ),
  }),
  'values, 10 fields × 1,000': (round) => ({
    filter: {
      kind: 'or',
      of: Array.from({ length: 10 }, (_, i) => ({
        kind: 'value' as const,
        field: 'Unique',
        values: values(1_000, round * 10 + i),
      })),
    },
  }),
  distance: (round) => ({
    filter: leaves((leaf) => ({
      kind: 'geo',
      field: 'Place_geo_point',
      latitude: 45,
      longitude: 12,
      metres: 500_000 + round * 100 + leaf,
    })),
  }),
  'words by OR': () => ({ match: { kind: 'or', of: ['page', 'of', 'value', 'category'].map((own) => word(own)) } }),
  phrase: () => ({ match: phrase(['page', 'of'], { slop: 5 }) }),
  'range facets, 20 × 100': () => ({
    ranges: Array.from({ length: 20 }, (_, i) => ({
      label: `${i}`,
      field: 'Number',
      unit: 'number',
      ranges: Array.from({ length: 100 }, (_, from) => ({ from, to: from + 1 })),
    })),
  }),
  'facets, 10': (round) => ({
    filter: uncounted(round),
    facets: Array.from({ length: 10 }, (_, i) => facetOf('Unique', { name: `${i}` })),
  }),
  'nested facets': (round) => ({
    filter: uncounted(round),

    facets: [facetOf('Category', { facets: [facetOf('Unique', { facets: [facetOf('Number')] })] })],
  }),
  'top hits, 10 × 50 × 20': () => ({
    topHits: Array.from({ length: 10 }, () => ({ field: 'Category', size: 20, maxFieldValues: 50 })),
  }),
  'sort by 10 numbers': () => ({
    sort: Array.from({ length: 10 }, () => ({ field: 'Number', direction: 'descending' }) as const),
  }),
  'a page of 10,000': () => ({ limit: 10_000 }),
};

/** A batch ends after so much measured time: the clock of a thread's processor time ticks every few milliseconds. */
const ENOUGH_MS = 40;
const MOST_ROUNDS = 60;
/** The first one compiles loops, and any one may pay for what neighbours do to the caches. */
const BATCHES = 3;

/** Runs every operator on pages of so many characters, and says what was estimated and what it took. */
export async function measureOperators(documentChars: number, totalChars: number): Promise<readonly OperatorCost[]> {
  await using folder = await temporaryFolder();
  const log = pino({ level: 'silent' });
  const rows = new Map(
    longDocuments(Math.ceil(totalChars / documentChars), documentChars).map((row) => [row.rid, row]),
  );
  await using writer = await openEmbeddedWriter({
    directory: folder.path,
    source: indexSourceOf(rows),
    language: 'en',
    clock: systemClock,
    log,
  });
  writer.apply([...rows.values()]);
  await writer.refresh();
  await using index = openEmbeddedIndex({
    directoryOf: () => folder.path,
    threads: 0,
    clock: systemClock,
    log,
    inlineDeadlineMs: 600_000,
    readDocuments: async (_engine, rids) => rids.map((rid) => rows.get(rid)),
  });
  const costs: OperatorCost[] = [];
  for (const [operator, planIn] of Object.entries(OPERATORS)) {
    const planOfRound = (round: number) => planOf({ limit: 10, budgetNs: Number.POSITIVE_INFINITY, ...planIn(round) });
    // Reads columns and texts, which later searches find there.
    const { cost } = await index.search(ENGINE, planOfRound(0), never());
    let round = 0;
    const meanOfBatch = async () => {
      let spentMs = 0;
      let rounds = 0;
      while (spentMs < ENOUGH_MS && rounds < MOST_ROUNDS) {
        rounds += 1;
        const plan = planOfRound(++round);
        const before = process.threadCpuUsage();
        await index.search(ENGINE, plan, never());
        const { user, system } = process.threadCpuUsage(before);
        spentMs += (user + system) / 1_000;
      }
      return spentMs / rounds;
    };
    let measuredMs = Number.POSITIVE_INFINITY;
    for (let batch = 0; batch < BATCHES; batch++) measuredMs = Math.min(measuredMs, await meanOfBatch());
    costs.push({ operator, documentChars, estimatedMs: totalCost(cost!) / 1_000_000, measuredMs });
  }
  return costs;
}
