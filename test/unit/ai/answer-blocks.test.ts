import { describe, expect, test } from 'vitest';
import { blocksOf } from '../../../src/ai/blocks/answer-blocks.ts';
import { passageOf, sentenceOf } from '../../helpers/passages.ts';

type Passage = Parameters<typeof passageOf>[0];

/** Kind and text of each block, ` > ` behind what only introduces it. */
function blocksIn(passage: Passage): readonly (readonly [string, string])[] {
  const given = passageOf(passage);
  return blocksOf(given).map(({ kind, sentences, leadIns }) => {
    const textOf = (at: number) => `${given.sentences[at]?.text ?? ''}${leadIns.includes(at) ? ' >' : ''}`;
    return [kind, sentences.map(textOf).join(' ')];
  });
}

describe('a paragraph', () => {
  test('is its sentences, each alone and with the next one', () => {
    expect(blocksIn({ text: 'Books are lent. Films are due. The desk closes.' })).toEqual([
      ['sentence', 'Books are lent.'],
      ['pair', 'Books are lent. Films are due.'],
      ['sentence', 'Films are due.'],
      ['pair', 'Films are due. The desk closes.'],
      ['sentence', 'The desk closes.'],
    ]);
  });

  test('has no pairs of long sentences, nor of two paragraphs', () => {
    const long = `It is ${'very '.repeat(60)}long.`;
    expect(blocksIn({ text: `${long} ${long}` }).map(([kind]) => kind)).toEqual(['sentence', 'sentence']);
    expect(blocksIn({ text: 'Books are lent.\nFilms are due.' }).map(([kind]) => kind)).toEqual([
      'sentence',
      'sentence',
    ]);
  });

  test.each([
    ['en', 'Theyre kept.', false],
    ['en', 'However, films are due.', true],
    ['en', '“This takes a week.”', true],
    ['en', 'Item by item they come.', false],
    ['de', 'Sie gelten drei Jahre.', true],
    ['de', 'Die Karte gilt drei Jahre.', false],
    ['de', 'Es gibt Karten.', false],
    ['fr', 'Elles sont valables.', true],
    ['fi', 'Se maksaa viisi euroa.', true],
    ['ja', 'それは三年間有効です。', false],
  ])('in %s has %j behind the sentence before it: %s', (language, text, leans) => {
    const sentences = ['Karten.', text].map((own) => sentenceOf({ text: own }));
    const blocks = blocksIn({ text: `Karten. ${text}`, language, sentences });
    expect(blocks.at(-1)).toEqual(['sentence', leans ? `Karten. > ${text}` : text]);
  });
});

describe('a list', () => {
  test('is a whole behind what introduces it, and its items', () => {
    expect(blocksIn({ text: 'You need:\n- A card\n- A coin for the desk. It is given back.' })).toEqual([
      ['list', 'You need: > - A card - A coin for the desk. It is given back.'],
      ['item', 'You need: > - A card'],
      ['item', '- A coin for the desk. It is given back.'],
    ]);
  });

  test('that is long is its first items behind what introduces it; without that its items alone', () => {
    const items = Array.from({ length: 20 }, (_, at) => `- Item ${at} is here.`).join('\n');
    const [whole, ...single] = blocksIn({ text: `You need:\n${items}` });
    expect(whole).toEqual(['list', `You need: > ${items.split('\n').slice(0, 5).join(' ')}`]);
    expect(single).toHaveLength(20);
    expect(blocksIn({ text: items })).toEqual(single);
  });

  test('that was cut off leaves what introduced it as a sentence', () => {
    expect(blocksIn({ text: 'You need:' })).toEqual([['sentence', 'You need:']]);
  });
});

describe('a table', () => {
  test('is its rows below the names of the columns, and a whole', () => {
    expect(blocksIn({ text: 'Place | Summer | Winter\nDesk | 9 to 6 | 10 to 4\nHall | 9 to 5 | closed' })).toEqual([
      ['table', 'Place | Summer | Winter > Desk | 9 to 6 | 10 to 4 Hall | 9 to 5 | closed'],
      ['row', 'Place | Summer | Winter > Desk | 9 to 6 | 10 to 4'],
      ['row', 'Place | Summer | Winter > Hall | 9 to 5 | closed'],
    ]);
  });

  test.each([
    ['two columns', 'Soup | 6\nCake | 4'],
    ['a first row of sentences', 'Soup is warm. | 6 | today\nCake is cold. | 4 | today'],
    ['a first row of numbers', '1. | 6 | today\n2. | 4 | today'],
    ['rows of another length', 'Soup | 6 | today\nCake | 4'],
  ])('has no names of columns with %s', (_, text) => {
    expect(blocksIn({ text }).filter(([kind]) => kind === 'row')).toEqual(text.split('\n').map((row) => ['row', row]));
  });
});

test('code is one block behind the sentence before it; a long listing is its lines', () => {
  const code = (lines: number) => [
    sentenceOf({ text: 'Lend it like this.' }),
    ...Array.from({ length: lines }, (_, at) => sentenceOf({ text: `lend ${at}`, kind: 'code', block: 1 })),
  ];
  const blocks = (lines: number) => blocksIn({ text: 'Lend it.', sentences: code(lines) }).slice(1);
  expect(blocks(2)).toEqual([['code', 'Lend it like this. > lend 0 lend 1']]);
  expect(blocks(40)[0]).toEqual(['code', 'lend 0']);
  expect(blocks(40)).toHaveLength(40);
});

test('every sentence is in a block, and each block is in the order of the page', () => {
  const passage = passageOf({ text: 'You need:\n- A card\nDesk | 9\nAsk us. It helps: or not.\n- Last' });
  const blocks = blocksOf(passage);
  expect(new Set(blocks.flatMap(({ sentences }) => sentences)).size).toBe(passage.sentences.length);
  for (const { sentences, leadIns } of blocks) {
    expect(sentences).toEqual(sentences.toSorted((a, b) => a - b));
    expect(leadIns.every((at) => sentences.includes(at))).toBe(true);
  }
});
