import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import type { StoredDocument } from '../../../../src/core/document.ts';
import { openEmbeddedIndex } from '../../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../../src/search-index/embedded/writer.ts';
import type { MatchNode } from '../../../../src/search-index/query-plan.ts';
import { EMPTY_VOCABULARY } from '../../../../src/text/compounds.ts';
import { createInMemoryIndex } from '../../../helpers/in-memory-index/in-memory-index.ts';
import { indexSourceOf } from '../../../helpers/index-source.ts';
import { facetOf, planOf } from '../../../helpers/query-plans.ts';
import { seededRandom } from '../../../helpers/random.ts';
import { RUN_SEED } from '../../../helpers/run-seed.ts';
import { never } from '../../../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../../../helpers/stored-documents.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const log = pino({ level: 'silent' });
const ENGINE = 6;
const SEGMENTS = 4;
const DOCUMENTS_PER_SEGMENT = 12;
/** More words than a pattern may stand for; low numbers are frequent. */
const WORDS = 3_000;

/** The same documents in both adapters: four segments, some documents of the first ones deleted. */
async function startBoth() {
  const folder = await temporaryFolder();
  const rows = new Map<number, StoredDocument>();
  const writer = await openEmbeddedWriter({
    directory: folder.path,
    source: indexSourceOf(rows),
    language: 'en',
    clock: systemClock,
    log,
    inlineMergeDocuments: 0,
  });
  const oracle = createInMemoryIndex(EMPTY_VOCABULARY);
  const random = seededRandom(RUN_SEED);
  const numbers = Array.from({ length: WORDS }, (_, i) => i);
  const word = () => `pa${random.pickSkewed(numbers)}${random.pick(['x', 'é'])}`;
  const text = (words: number) => random.list(words, words, word).join(' ');
  let seq = 0;
  const apply = async (changes: readonly StoredDocument[]) => {
    for (const change of changes) rows.set(change.rid, change);
    for (const target of [writer, oracle.writer(ENGINE)]) {
      target.apply(changes);
      await target.refresh();
    }
  };
  for (let segment = 0; segment < SEGMENTS; segment++) {
    await apply(
      Array.from({ length: DOCUMENTS_PER_SEGMENT }, () => {
        const fields = { Title: text(60), Content: text(20), Tag: text(60) };
        return storedDocument({ rid: ++seq, fields });
      }),
    );
  }
  await apply(Array.from({ length: 9 }, (_, i) => deletedDocument(i * 3 + 1, ++seq)));
  const index = openEmbeddedIndex({
    directoryOf: () => folder.path,
    threads: 0,
    clock: systemClock,
    log,
    readDocuments: async (_engineId, rids) => rids.map((rid) => rows.get(rid)),
  });
  return { index, oracle, stack: [index, oracle, writer, folder] };
}

let both: Awaited<ReturnType<typeof startBoth>>;
beforeAll(async () => {
  both = await startBoth();
});
afterAll(async () => {
  for (const opened of both.stack) await opened[Symbol.asyncDispose]();
});

const patterns: readonly MatchNode[] = [
  { kind: 'wildcard', pattern: '*x', boost: 1 },
  { kind: 'prefix', pattern: 'p', field: 'Title', boost: 1 },
  { kind: 'prefix', pattern: 'pa', field: 'Tag', boost: 1 },
  { kind: 'fuzzy', text: 'pa12x', field: 'Title', distance: 2, boost: 1 },
];

test.each(patterns)(
  `of too many forms in many segments the most frequent count: %o (TEST_SEED=${RUN_SEED})`,
  async (match) => {
    const plan = planOf({ match, limit: 400, facets: [facetOf('_type')] });
    const [expected, found] = await Promise.all([
      both.oracle.search(ENGINE, plan, never()),
      both.index.search(ENGINE, plan, never()),
    ]);

    expect(found.total).toBe(expected.total);
    expect(found.matched[0]!.surfaces).toEqual(expected.matched[0]!.surfaces);
    expect(found.hits.map(({ id, score }) => [id, score])).toEqual(expected.hits.map(({ id, score }) => [id, score]));
  },
);

test('a form that is rare in one segment counts there too', async () => {
  await using folder = await temporaryFolder();
  const rows = new Map<number, StoredDocument>();
  await using writer = await openEmbeddedWriter({
    directory: folder.path,
    source: indexSourceOf(rows),
    language: 'en',
    clock: systemClock,
    log,
    inlineMergeDocuments: 0,
  });
  const every = Array.from({ length: 1_100 }, (_, i) => `pa${i}x`).join(' ');
  const texts = [...Array.from({ length: 10 }, () => every), 'pa5x', 'pa5x'];
  for (const [i, Content] of texts.entries()) {
    writer.apply([storedDocument({ rid: i + 1, fields: { Content } })]);
    if (i >= 9) await writer.refresh();
  }
  await using index = openEmbeddedIndex({ directoryOf: () => folder.path, threads: 0, clock: systemClock, log });

  const plan = planOf({ match: { kind: 'prefix', pattern: 'pa', boost: 1 } });
  expect((await index.search(ENGINE, plan, never())).total).toBe(12);
});
