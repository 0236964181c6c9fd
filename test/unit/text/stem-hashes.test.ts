import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countWords, endOfWords } from '../../../src/text/count-words.ts';
import { definedTerm } from '../../../src/text/definitions.ts';
import { contentHashes, pairsOf, stemHash, stemHashes } from '../../../src/text/stem-hashes.ts';

describe('hashes of stems', () => {
  test.each([
    ['en', 'Borrowing books', ['borrow', 'book']],
    ['de', 'die Häuser', ['die', 'haus']],
    ['da', 'åbningstiderne', ['åbningstider']],
    ['en', 'wi-fi', ['wi', 'fi', 'wifi']],
    ['zh', '图书馆', ['馆', '图书', '书馆']],
    ['ko', '도서관은', ['도서', '서관', '관은']],
  ])('a text in %s is held by the stems of its words: %s', (language, text, words) => {
    const stems = words.map((word) => stemHash(word, language));
    expect(stemHashes([text, '', text], language).map((own) => [...own])).toEqual([stems, [], stems]);
  });

  test('content is each word once, without stop words, unless there are no others', () => {
    expect(contentHashes('The price of the price', 'en')).toEqual(Uint32Array.of(stemHash('price', 'en')));
    expect(contentHashes('What is it', 'en')).toHaveLength(3);
  });

  test('a word of one character is its own pair', () => {
    expect(pairsOf('馆')).toEqual(['馆']);
  });
});

describe('lengths in words', () => {
  test.each([
    ['one two  three', 3],
    ['图书馆开门', 2.5],
    ['ห้องสมุด', 1.6],
    ['도서관은 무료입니다', 2],
    ['', 0],
  ])('%s', (text, words) => {
    expect(countWords(text)).toBeCloseTo(words);
  });

  test('a text is cut behind at most so many words, and something is always cut off', () => {
    expect('one two three four'.slice(0, endOfWords('one two three four', 2))).toBe('one two');
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 5 }), (text, words) => {
        const end = endOfWords(text, words);
        expect(end).toBeGreaterThan(0);
        expect(countWords(text.slice(0, end))).toBeLessThanOrEqual(words);
      }),
    );
  });
});

test.each([
  ['en', 'A quiet cabin is a small room.', 'A quiet cabin'],
  ['en', 'HTTP (Hypertext Transfer Protocol) stands for a protocol.', 'HTTP'],
  ['en', 'You can book it online.', undefined],
  ['en', 'Quiet cabins provide a place to read.', 'Quiet cabins'],
  ['en', 'A cabin key is used to open a cabin.', 'A cabin key'],
  ['en', 'Quiet cabins are created on demand.', undefined],
  ['en', 'A quiet cabin is not a meeting room.', undefined],
  ['en', 'A quiet cabin cannot contain a bed.', undefined],
  ['en', 'Two quiet cabins are a luxury.', undefined],
  ['en', 'If a cabin is a small one, ring the bell.', undefined],
  ['de', 'Wenn eine Kabine ein Raum ist, ist sie klein.', undefined],
  ['de', 'Der Bibliotheksausweis ist kostenlos.', 'Der Bibliotheksausweis'],
  ['fr', 'Le guichet unique est un service.', 'Le guichet unique'],
  ['da', 'En ressourcecentral er et sted.', 'En ressourcecentral'],
  ['pl', 'Karta biblioteczna to dokument.', 'Karta biblioteczna'],
  ['ja', '図書カードとは本を借りるためのものです。', '図書カード'],
  ['xx', 'Foo is bar.', undefined],
])('in %s "%s" defines %s', (language, sentence, term) => {
  expect(definedTerm(sentence, language)).toBe(term);
});
