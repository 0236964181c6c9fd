import { describe, expect, test } from 'vitest';
import { orderQuotes } from '../../../src/ai/extractive-composer.ts';
import type { Passage } from '../../../src/search/passage.ts';
import { passageOf } from '../../helpers/passages.ts';

type Sketch = { readonly passage: Passage; readonly scores: readonly (number | undefined)[] };

/** The sentences in their order; those without a score are not quoted. */
function ordered(binaryVectors: readonly Sketch[], keepsLists = false): readonly string[] {
  const quotes = binaryVectors.flatMap(({ passage, scores }, rank) =>
    scores.flatMap((score, at) => (score === undefined ? [] : [{ passage, at, reference: 1, rank, score }])),
  );
  return orderQuotes(quotes, { keepsLists }).map(({ passage, at }) => passage.sentences[at]?.text ?? '');
}

function inOrder(text: string, scores: readonly (number | undefined)[], keepsLists = false): readonly string[] {
  return ordered([{ passage: passageOf({ text }), scores }], keepsLists);
}

describe('what is quoted', () => {
  const LOANS = 'Books are lent. Films are due. The desk closes.';

  test('begins at the best sentence and goes on from there', () => {
    expect(inOrder(LOANS, [1, 3, 2])).toEqual(['Films are due.', 'The desk closes.', 'Books are lent.']);
  });

  test('stays in the order of the page when the first sentence is the best', () => {
    expect(inOrder(LOANS, [3, 1, 2])).toEqual(['Books are lent.', 'Films are due.', 'The desk closes.']);
  });

  test('goes on with other passages by their rank, each in its own order', () => {
    const passages = [LOANS, 'Games are new. Maps are old.'].map((text) => passageOf({ text }));
    const [loans, games] = passages as [Passage, Passage];
    expect(
      ordered([
        { passage: games, scores: [1, 2] },
        { passage: loans, scores: [1, undefined, 9] },
      ]),
    ).toEqual(['Maps are old.', 'Games are new.', 'Books are lent.', 'The desk closes.']);
  });

  test('begins before the best sentence where that one points back', () => {
    const text = 'The desk opens. Books are lent. They may be kept.';
    expect(inOrder(text, [1, 2, 3])).toEqual(['Books are lent.', 'They may be kept.', 'The desk opens.']);
    expect(inOrder(text, [1, undefined, 3])).toEqual(['They may be kept.', 'The desk opens.']);
  });

  test.each([
    ['en', 'Theyre kept.', 0],
    ['en', 'However, films are due.', 1],
    ['en', '“This takes a week.”', 1],
    ['en', 'Item by item they come.', 0],
    ['de', 'Sie gelten drei Jahre.', 1],
    ['de', 'Die Karte gilt drei Jahre.', 0],
    ['de', 'Es gibt Karten.', 0],
    ['fr', 'Elles sont valables.', 1],
    ['fi', 'Se maksaa viisi euroa.', 1],
    ['ja', 'それは三年間有効です。', 0],
  ])('of two sentences in %s begins with the second, %j, unless it leans on the first', (language, text, begins) => {
    const sentences = ['Karten.', text].map((own) => ({ text: own, isCode: false, isSuspicious: false }));
    const passage = passageOf({ text: `Karten. ${text}`, language, sentences });
    expect(ordered([{ passage, scores: [1, 2] }])[0]).toBe(begins === 1 ? 'Karten.' : text);
  });

  test('begins with what introduces a list, and with what stands before code', () => {
    expect(inOrder('You need:\nA card.\nA coin.', [1, 2, 3], true)[0]).toBe('You need:');
    expect(inOrder('Ask us.\nYou need:\nA card.', [1, 2, 3])[0]).toBe('You need:');
    const sentences = [
      { text: 'Lend it like this.', isCode: false, isSuspicious: false },
      { text: 'lend --weeks 4', isCode: true, isSuspicious: false },
    ];
    const passage = passageOf({ text: 'Lend it like this.\nlend --weeks 4', sentences });
    expect(ordered([{ passage, scores: [1, 2] }])[0]).toBe('Lend it like this.');
  });

  test('begins a list at its beginning where steps are asked for', () => {
    const text = 'Open the book.\nStamp it.\nClose it.';
    expect(inOrder(text, [1, 2, 3], true)).toEqual(['Open the book.', 'Stamp it.', 'Close it.']);
    expect(inOrder(text, [1, 2, 3])).toEqual(['Close it.', 'Open the book.', 'Stamp it.']);
    expect(inOrder(`Ask at the desk. Wait.\n${text}`, [1, 1, 1, 2, 3], true)[0]).toBe('Open the book.');
  });

  test('has the row that names the columns before a row of several', () => {
    const hours = 'Place | Summer | Winter\nDesk | 9 to 6 | 10 to 4\nHall | 9 to 5 | closed';
    expect(inOrder(hours, [undefined, 1, 3])).toEqual([
      'Place | Summer | Winter',
      'Hall | 9 to 5 | closed',
      'Desk | 9 to 6 | 10 to 4',
    ]);
    expect(inOrder('Dish | Price\nSoup | 6\nCake | 4', [1, 1, 3])[0]).toBe('Cake | 4');
  });
});
