import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLOCK_KINDS, blocksOf } from '../../../src/ai/blocks/answer-blocks.ts';
import { BLOCK_FEATURES, readBlockFeatures } from '../../../src/ai/blocks/block-features.ts';
import type { Ranking } from '../../../src/ai/ranking.ts';
import type { Structure } from '../../../src/core/document.ts';
import { openPassageEngine } from '../../helpers/passage-engine.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const COLUMNS = BLOCK_FEATURES.length;
/** Columns that count or place something, or compare a block with the best sentence; all others are shares of 1. */
const COUNTS = ['questionType', 'questionTerms', 'place', 'passageScore', 'strength', 'ordinal'].concat(
  ...['kind', 'index', 'sentences', 'own', 'chars', 'stems', 'found'],
  ...['ofBest', 'ofBestHere', 'residualOfBest', 'localOfBest', 'localOfPage'],
);
/** What they are where there is no such sentence. */
const NEIGHBOURS = ['before', 'twoBefore', 'behind'];
/** A sum of all that speaks for a sentence and against it. */
const SUMS = ['firstScore'];
const NO_NEIGHBOUR = -0.1;

const page = (Content: string, Title = 'Cards', rid = 1) => storedDocument({ rid, fields: { Title, Content } });

type Row = Readonly<Record<string, number>>;

/** Rows of the blocks of a ranking, by the names of their columns. */
function allRowsOf(ranking: Ranking): readonly Row[] {
  const { rows } = readBlockFeatures(ranking, ranking.passages);
  return Array.from({ length: rows.length / COLUMNS }, (_, at) =>
    Object.fromEntries(BLOCK_FEATURES.map((name, column) => [name, rows[at * COLUMNS + column] ?? Number.NaN])),
  );
}

/** Without those of two sentences in a row. */
function rowsOf(ranking: Ranking): readonly Row[] {
  return allRowsOf(ranking).filter(({ kind }) => kind !== BLOCK_KINDS.indexOf('pair'));
}

async function rowsFor(question: string, ...documents: Parameters<typeof openPassageEngine>[0]) {
  return rowsOf(await (await openPassageEngine(documents)).rank(question));
}

test('columns have names of their own', () => {
  expect(new Set(BLOCK_FEATURES).size).toBe(COLUMNS);
});

describe('a sentence is told by its own words', () => {
  test.each<[string, string, string, string]>([
    ['endsInColon', 'lost card', 'A lost card costs:', 'A lost card costs money.'],
    ['isQuestion', 'lost card', 'Is a lost card blocked?', 'A lost card is blocked.'],
    ['isDefinition', 'What is a lost card?', 'A lost card is one that nobody has.', 'Nobody has a lost card.'],
    ['fitsType', 'Who finds a lost card?', 'Ellen Marrow found a lost card.', 'The desk found a lost card.'],
    ['reason', 'lost card', 'A lost card is blocked because of theft.', 'A lost card is blocked after theft.'],
    ['verdict', 'lost card', 'A lost card cannot return.', 'A lost card returned.'],
    ['number', 'lost card', 'A lost card costs 5 euro.', 'A lost card costs money.'],
    ['number', 'lost card', 'A lost card costs five euro.', 'A lost card costs money.'],
    ['date', 'lost card', 'The lost card of 1874.', 'The lost card of 187.'],
    ['date', 'lost card', 'The lost card of march.', 'The lost card of monday.'],
    ['step', 'lost card', 'Open the page of a lost card.', 'The page of a lost card.'],
    ['name', 'lost card', 'A lost card of Ellen Marrow.', 'A lost card of the desk.'],
    ['codeWord', 'lost card', 'Call block() for a lost card.', 'Call the desk for a lost card.'],
  ])('%s, asked "%s": "%s" and not "%s"', async (column, question, holds, lacks) => {
    const [[held], [lacked]] = [await rowsFor(question, page(holds)), await rowsFor(question, page(lacks))];
    expect([held?.[column], lacked?.[column]]).toEqual([1, 0]);
  });

  test('by its kind', async () => {
    const blocks = [
      { kind: 'paragraph', text: 'Block a lost card.' },
      { kind: 'code', text: 'block lost card' },
    ] as const;
    const structure: Structure = {
      version: 1,
      sections: [{ id: 's', headings: [], grounding: true, blocks }],
      surroundings: '',
    };
    const rows = await rowsFor('lost card', { ...page('Block a lost card. block lost card'), structure });
    expect(rows.map(({ kind }) => BLOCK_KINDS[kind ?? -1])).toEqual(['sentence', 'code']);
  });

  test('by how much of the question it covers', async () => {
    const [all, half, none] = await rowsFor(
      'lost card',
      page('Report a lost card. It is lost for ever. Nobody knows.', 'Desk'),
    );
    expect(all).toMatchObject({ ownCoverage: 1, ofBest: 1, found: 2, foundShare: 1, wholeShare: 1, pairs: 1 });
    expect(half).toMatchObject({ found: 1, foundShare: 0.5, wholeShare: 0.5, pairs: 0 });
    expect(half?.['ownCoverage']).toBe(half?.['ofBest']);
    expect(half?.['ownCoverage']).toBeGreaterThan(0);
    expect(half?.['ownCoverage']).toBeLessThan(1);
    expect(none).toMatchObject({ ownCoverage: 0, coverage: 0, ofBestHere: 0, found: 0, precision: 0, heaviest: 0 });
  });
});

describe('a sentence is told by those beside it', () => {
  test('by its place in the passage', async () => {
    const rows = await rowsFor('lost card', page('A lost card. It is blocked. It costs money.'));
    expect(rows.map(({ index, isLast, sentences }) => [index, isLast, sentences])).toEqual([
      [0, 0, 3],
      [1, 0, 3],
      [2, 1, 3],
    ]);
  });

  test('by what they cover, less than nothing where there is none', async () => {
    const rows = await rowsFor('lost card', page('A lost card. It is blocked. It costs money.', 'Desk'));
    const beside = rows.map((row) => NEIGHBOURS.map((name) => Number((row[name] ?? 0).toFixed(4))));
    expect(beside).toEqual([
      [NO_NEIGHBOUR, NO_NEIGHBOUR, 0],
      [1, NO_NEIGHBOUR, 0],
      [0, 1, NO_NEIGHBOUR],
    ]);
    expect(rows.map((row) => row['withBefore'])).toEqual([1, 1, 0]);
    expect(rows.map((row) => row['newToBefore'])).toEqual([1, 0, 0]);
  });

  test.each([
    ['behindColon', 'A lost card costs:\n'],
    ['behindQuestion', 'What does a lost card cost? '],
    ['behindNumber', 'A lost card has 9 lives. '],
  ])('%s', async (column, before) => {
    const rows = await rowsFor('lost card', page(`${before}The desk knows.`));
    expect(rows.map((row) => row[column])).toEqual([0, 1]);
  });
});

describe('a sentence is told by its passage', () => {
  test('by its place in the ranking', async () => {
    const rows = await rowsFor('lost card', page('A lost card.'), page('The card.', 'Desk', 2));
    expect(rows.map(({ place }) => place)).toEqual([0, 1]);
    expect(rows[0]).toMatchObject({ behindBest: 0, relevance: 1, missing: 0 });
    expect(rows[1]?.['behindBest']).toBeGreaterThan(0);
    expect(rows[1]?.['missing']).toBeGreaterThan(0);
  });

  test('by what title and headings say of the question', async () => {
    const [under] = await rowsFor('lost card', page('Lost card\nReport it.', 'Desk'));
    const [titled] = await rowsFor('lost card', page('Report it.', 'Lost card'));
    const [neither] = await rowsFor('lost card', page('Report a lost card.', 'Desk'));
    expect(titled?.['withFrame']).toBeCloseTo(0.85);
    expect(neither).toMatchObject({
      frameCoverage: 0,
      lastHeading: 0,
      heaviestInFrame: 0,
      withFrame: 1,
      newToFrame: 1,
    });
    expect(under).toMatchObject({
      frameCoverage: 1,
      lastHeading: 1,
      heaviestInFrame: 1,
      headingMatch: 1,
      ownCoverage: 0,
    });
  });
});

describe('rows', () => {
  const WORDS = ['lost', 'card', 'desk', 'hall', 'five', '1874', 'because', 'Ellen', 'Marrow', 'open()', 'Öl', '猫'];
  const words = (most: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most });
  const sentence = fc
    .tuple(words(12), fc.constantFrom('.', '?', ':', '!', '。'))
    .map(([list, end]) => `${list.join(' ')}${end}`);
  const text = fc.array(sentence, { minLength: 1, maxLength: 12 }).map((list) => list.join(' '));

  test('are one for each block, and every number of them is finite and in its range', async () => {
    const documents = fc.array(fc.tuple(text, words(4)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(documents, words(6), async (contents, asked) => {
        const pages = contents.map(([content, title], at) => page(content, title.join(' '), at + 1));
        const ranking = await (await openPassageEngine(pages)).rank(asked.join(' '));
        const blocks = ranking.passages.flatMap(({ passage: own }) => blocksOf(own));
        expect(readBlockFeatures(ranking, ranking.passages).rows).toHaveLength(blocks.length * COLUMNS);
        for (const row of allRowsOf(ranking)) expect(outOfRange(row)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('are those of the given passages alone', async () => {
    const engine = await openPassageEngine([page('A lost card.'), page('The card. It is blocked.', 'Desk', 2)]);
    const ranking = await engine.rank('lost card');
    const all = readBlockFeatures(ranking, ranking.passages).rows;
    const first = readBlockFeatures(ranking, ranking.passages.slice(0, 1)).rows;
    expect([all.length, first.length]).toEqual([4 * COLUMNS, COLUMNS]);
  });

  test('are none where nothing was found', async () => {
    expect(await rowsFor('lost card')).toEqual([]);
  });
});

function outOfRange(row: Row): readonly (readonly [string, number])[] {
  return Object.entries(row).filter(([name, value]) => {
    const least = NEIGHBOURS.includes(name) ? Math.fround(NO_NEIGHBOUR) : 0;
    const most = COUNTS.includes(name) ? Number.MAX_SAFE_INTEGER : Math.fround(1.000001);
    return SUMS.includes(name) ? !Number.isFinite(value) : !(value >= least && value <= most);
  });
}
