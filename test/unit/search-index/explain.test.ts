import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { StoredDocument } from '../../../src/core/document.ts';
import { openEmbeddedIndex } from '../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../src/search-index/embedded/writer.ts';
import type { ScorePart } from '../../../src/search-index/explanation.ts';
import { addScores, boostScore, phraseScore } from '../../../src/search-index/relevance.ts';
import { indexSourceOf } from '../../helpers/index-source.ts';
import { planOf } from '../../helpers/query-plans.ts';
import { seededRandom } from '../../helpers/random.ts';
import { randomChanges } from '../../helpers/random-documents.ts';
import { randomPlan } from '../../helpers/random-plans.ts';
import { RUN_SEED } from '../../helpers/run-seed.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const HITS = 500;
const HITS_PER_PLAN = 5;
const log = pino({ level: 'silent' });

test(`the parts of ${HITS} random hits sum to their scores (TEST_SEED=${RUN_SEED})`, { timeout: 60_000 }, async () => {
  const random = seededRandom(RUN_SEED);
  const rows = new Map<number, StoredDocument>();
  await using folder = await temporaryFolder();
  const files = { directory: folder.path, source: indexSourceOf(rows) };
  await using writer = await openEmbeddedWriter({ ...files, language: 'en', clock: systemClock, log });
  for (let seq = 0; rows.size < 120; seq = rows.size * 10) {
    const changes = randomChanges(random, { rids: rows.size, seq });
    for (const change of changes) rows.set(change.rid, change);
    writer.apply(changes);
    await writer.refresh();
  }
  await using index = openEmbeddedIndex({ directoryOf: () => folder.path, threads: 0, clock: systemClock, log });
  await index.waitVisible(1, writer.appliedSeq, AbortSignal.timeout(10_000));
  let explained = 0;

  while (explained < HITS) {
    const plan = planOf({ ...randomPlan(random), sort: [], offset: 0, limit: HITS_PER_PLAN, spare: 0 });
    const { hits } = await index.search(1, plan, new AbortController().signal);
    const explanations = await index.explain(1, plan, hits, never());
    for (const [place, hit] of hits.entries()) {
      const { score, rank } = explanations[place] ?? {};
      const message = `TEST_SEED=${RUN_SEED}, hit ${explained}: ${hit.id} of ${JSON.stringify(plan)}`;
      expect([rank, score === undefined ? undefined : sumOf(score)], message).toEqual([place + 1, hit.score]);
      explained++;
    }
  }
});

/** The score again from the leaves up, by the rules of `ScorePart`. */
function sumOf({ name, value, parts }: ScorePart): number {
  const [first, ...more] = parts;
  if (first === undefined) return name === 'words' || name === 'bonuses' ? 0 : value;
  if (name === 'score') return more.reduce((product, factor) => boostScore(product, factor.value), sumOf(first));
  const sum = parts.map(sumOf).reduce(addScores, 0);
  return name === 'phrase' ? phraseScore(sum) : sum;
}
