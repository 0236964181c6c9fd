import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { StoredDocument } from '../../src/core/document.ts';
import { connect } from '../../src/search-index/opensearch/connection.ts';
import { openOpenSearchIndex } from '../../src/search-index/opensearch/opensearch-index.ts';
import { openOpenSearchWriter } from '../../src/search-index/opensearch/write/writer.ts';
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
      if (COMPARES_RARE_CHARACTERS.test(JSON.stringify(plan))) continue;
      const expected = await oracle.search(ENGINE, plan, signal);
      const found = await index.search(ENGINE, plan, signal);

      const message = `TEST_SEED=${RUN_SEED} corpus ${corpus} plan ${i}: ${JSON.stringify(plan)}`;
      const alike = withScoresOf(expected, found);
      if (plan.counts === 'exact') expect(comparable(alike), message).toEqual(comparable(expected));
      else expect(alike.hits, message).toEqual(expected.hits);
    }
    await connection.call({ method: 'DELETE', path: `/${indexPrefix}-*`, deadlineMs: 60_000 });
  }
});

function comparable({ vocabulary: _, ...hits }: Hits) {
  const matched = hits.matched.map(({ forms, also = [], surfaces = new Set(), ...word }) => ({
    ...word,
    surfaces: [...surfaces].sort(),
    forms: [...forms].sort(),
    also: also.map((found) => ({ ...found, forms: found.forms.map((one) => [...one].sort()) })),
  }));
  return { ...hits, matched };
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
  const topHits = found.topHits.map(({ field, values }) => ({
    field,
    values: values.map((value) => ({ ...value, hits: value.hits.map(alike) })),
  }));
  return { ...found, hits: found.hits.map(alike), topHits };
}
