import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { StoredDocument } from '../../src/core/document.ts';
import { connect } from '../../src/search-index/opensearch/connection.ts';
import { MAX_ORDER_CHARS, MAX_VALUE_BYTES } from '../../src/search-index/opensearch/index-layout.ts';
import { openOpenSearchIndex } from '../../src/search-index/opensearch/opensearch-index.ts';
import { openOpenSearchWriter } from '../../src/search-index/opensearch/write/writer.ts';
import type { FacetRequest, QueryPlan } from '../../src/search-index/query-plan.ts';
import type { Hits, IndexHit } from '../../src/search-index/search-index.ts';
import { createInMemoryIndex } from '../helpers/in-memory-index/in-memory-index.ts';
import { indexSourceOf } from '../helpers/index-source.ts';
import { startOpenSearch } from '../helpers/opensearch-server.ts';
import { seededRandom } from '../helpers/random.ts';
import { randomChanges } from '../helpers/random-documents.ts';
import { randomPlan } from '../helpers/random-plans.ts';
import { RUN_SEED } from '../helpers/run-seed.ts';

/** `ORACLE_PAIRS` raises the number of (corpus, plan) pairs, `TEST_SEED` repeats a run. */
const PAIRS = Number(process.env['ORACLE_PAIRS'] ?? 50);
const PLANS_PER_CORPUS = 25;
const ENGINE = 6;
/** Filters compare texts by code unit, the servers by code point: docs/scaling.md. */
const COMPARES_RARE_CHARACTERS = /"kind":"compare"[^}]*"operator":"[gl]te?"[^}]*[\ud800-\uffff]/;
const log = pino({ level: 'silent' });

test(`opensearch = in memory, but for the last digits of a score (TEST_SEED=${RUN_SEED})`, {
  timeout: 3_600_000,
}, async () => {
  await using server = await startOpenSearch();
  await using connection = await connect({ nodes: [server.url], deadlineMs: 60_000 });
  const { signal } = new AbortController();
  for (let corpus = 0; corpus * PLANS_PER_CORPUS < PAIRS; corpus++) {
    const random = seededRandom(RUN_SEED + corpus);
    const indexPrefix = `test-${randomBytes(6).toString('hex')}`;
    const rows = new Map<number, StoredDocument>();
    await using oracle = createInMemoryIndex();
    await using index = openOpenSearchIndex({ connection, indexPrefix, monotonicMs: () => performance.now() });
    const source = indexSourceOf(rows);
    const layout = { shards: random.pick([1, 3]), replicas: 0 };
    await using writer = await openOpenSearchWriter({
      connection,
      indexPrefix,
      engineId: ENGINE,
      source,
      log,
      ...layout,
    });
    for (let round = 0, seq = 0; round < 3; round++) {
      const changes = randomChanges(random, { rids: rows.size, seq });
      for (const change of changes) rows.set(change.rid, change);
      seq += changes.length;
      for (const one of [writer, oracle.writer(ENGINE)]) {
        one.apply(changes);
        await one.refresh();
      }
    }
    await index.waitVisible(ENGINE, writer.appliedSeq, AbortSignal.timeout(60_000));

    for (let i = 0; i < PLANS_PER_CORPUS; i++) {
      const plan = randomPlan(random);
      if (COMPARES_RARE_CHARACTERS.test(JSON.stringify(plan)) || countsLongValues(plan, rows.values())) continue;
      const expected = withShortValues(await oracle.search(ENGINE, plan, signal));
      const found = await index.search(ENGINE, plan, signal);

      const message = `TEST_SEED=${RUN_SEED} corpus ${corpus} plan ${i}: ${JSON.stringify(plan)}`;
      const alike = withScoresOf(expected, found);
      if (plan.counts === 'exact') expect(comparable(alike), message).toEqual(comparable(expected));
      else expect(alike.hits, message).toEqual(expected.hits);
    }
    await connection.call({ method: 'DELETE', path: `/${indexPrefix}-*`, deadlineMs: 60_000 });
  }
});

/** Values over 1,000 bytes are in no facet: docs/scaling.md. */
function countsLongValues({ facets, topHits }: QueryPlan, documents: Iterable<StoredDocument>): boolean {
  const countedFields = (requests: readonly FacetRequest[]): readonly string[] =>
    requests.flatMap(({ field, facets: nested }) => [field, ...countedFields(nested)]);
  const fields = [...countedFields(facets), ...topHits.map(({ field }) => field)];
  const isLong = (value: string) => Buffer.byteLength(value) > MAX_VALUE_BYTES;
  return [...documents].some((document) => fields.some((field) => document.fields.get(field)?.some(isLong)));
}

function comparable({ vocabulary: _, ...hits }: Hits) {
  const matched = hits.matched.map(({ forms, also = [], surfaces = new Set(), ...word }) => ({
    ...word,
    surfaces: [...surfaces].sort(),
    forms: [...forms].sort(),
    also: also.map((found) => ({ ...found, forms: found.forms.map((one) => [...one].sort()) })),
  }));
  return { ...hits, matched };
}

/** Sort values as the servers keep them: of a text over 1,000 bytes the first 500 characters, in lower case. */
function withShortValues(hits: Hits): Hits {
  return mapHits(hits, (hit) => ({ ...hit, sortValues: hit.sortValues.map(shortValue) }));
}

function shortValue(value: IndexHit['sortValues'][number]): IndexHit['sortValues'][number] {
  const isLong = typeof value === 'string' && Buffer.byteLength(value) > MAX_VALUE_BYTES;
  return isLong ? value.slice(0, MAX_ORDER_CHARS).toLowerCase() : value;
}

/** The servers add scores in float64 and round once, we round after each: this much may lie between them. */
const LAST_DIGITS = 1e-6;

/** What was found, with the scores that were expected where they differ in the last digits only. */
function withScoresOf(expected: Hits, found: Hits): Hits {
  const known = [...expected.hits, ...expected.topHits.flatMap(({ values }) => values.flatMap(({ hits }) => hits))];
  const alike = (hit: IndexHit): IndexHit => {
    const own = known.find(({ rid, score }) => rid === hit.rid && Math.abs(score - hit.score) <= LAST_DIGITS * score);
    if (own === undefined) return hit;
    const sortValues = hit.sortValues.map((value) => (value === hit.score ? own.score : value));
    return { ...hit, score: own.score, sortValues };
  };
  return mapHits(found, alike);
}

function mapHits(hits: Hits, change: (hit: IndexHit) => IndexHit): Hits {
  const topHits = hits.topHits.map(({ field, values }) => ({
    field,
    values: values.map((value) => ({ ...value, hits: value.hits.map(change) })),
  }));
  return { ...hits, hits: hits.hits.map(change), topHits };
}
