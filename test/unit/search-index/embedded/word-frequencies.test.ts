import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import type { StoredDocument } from '../../../../src/core/document.ts';
import { openEmbeddedIndex } from '../../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../../src/search-index/embedded/writer.ts';
import type { MatchNode } from '../../../../src/search-index/query-plan.ts';
import { EMPTY_VOCABULARY } from '../../../../src/text/compounds.ts';
import { createInMemoryIndex } from '../../../helpers/in-memory-index/in-memory-index.ts';
import { indexSourceOf } from '../../../helpers/index-source.ts';
import { facetOf, phrase, planOf, word } from '../../../helpers/query-plans.ts';
import { seededRandom } from '../../../helpers/random.ts';
import { RUN_SEED } from '../../../helpers/run-seed.ts';
import { never } from '../../../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../../../helpers/stored-documents.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const ENGINE = 6;
const DOCUMENTS = 500;
const QUERIES = 60;
const log = pino({ level: 'silent' });
const random = seededRandom(RUN_SEED);

/** From one that nearly every document has to some that a handful have. */
const WORDS = Array.from({ length: 250 }, (_, i) => `w${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}k`);

const commonFirst = () => random.pickSkewed(random.chance(0.3) ? WORDS.slice(0, 4) : WORDS);

function documentOf(rid: number): StoredDocument {
  const text = (most: number) => random.list(1, most, commonFirst).join(' ');
  return storedDocument({ rid, fields: { Title: text(3), Content: text(40), Kind: random.pick(['a', 'b', 'c']) } });
}

function queryOf(): MatchNode {
  const words = [...new Set(random.list(2, 4, () => (random.chance(0.3) ? commonFirst() : random.pick(WORDS))))];
  const kind = random.pick(['and', 'or', 'phrase', 'some'] as const);
  if (kind === 'phrase') return phrase(words.slice(0, 2), { slop: random.whole(0, 2) });
  const nodes = words.map((text) => word(text));
  return kind === 'some' ? { kind, must: nodes.slice(0, 1), should: nodes.slice(1) } : { kind, of: nodes };
}

/** Rare words and frequent ones are found in different ways, with arrays that the next search finds as it needs them. */
test(`words of any frequency give the same matches, one query after the other (TEST_SEED=${RUN_SEED})`, async () => {
  await using folder = await temporaryFolder();
  const rows = new Map<number, StoredDocument>();
  const source = indexSourceOf(rows);
  await using writer = await openEmbeddedWriter({
    directory: folder.path,
    source,
    language: 'en',
    clock: systemClock,
    log,
  });
  await using oracle = createInMemoryIndex(EMPTY_VOCABULARY);
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => documentOf(i + 1));
  const deleted = Array.from({ length: 30 }, (_, i) => deletedDocument(i * 7 + 1, DOCUMENTS + i + 1));
  for (const changes of [documents, deleted]) {
    for (const change of changes) rows.set(change.rid, change);
    for (const target of [writer, oracle.writer(ENGINE)]) {
      target.apply(changes);
      await target.refresh();
    }
  }
  await using index = openEmbeddedIndex({ directoryOf: () => folder.path, threads: 0, clock: systemClock, log });

  for (let i = 0; i < QUERIES; i++) {
    const plan = planOf({ match: queryOf(), limit: 30, facets: [facetOf('Kind')] });
    const expected = await oracle.search(ENGINE, plan, never());
    const found = await index.search(ENGINE, plan, never());

    const question = JSON.stringify(plan.match);
    expect([question, found.total, found.facets]).toEqual([question, expected.total, expected.facets]);
    const scored = (hits: typeof found.hits) => hits.map(({ id, score }) => [id, score]);
    expect([question, ...scored(found.hits)]).toEqual([question, ...scored(expected.hits)]);
  }
});
