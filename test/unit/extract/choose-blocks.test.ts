import { describe, expect, test } from 'vitest';
import type { TextBlock } from '../../../src/extract/html/blocks.ts';
import { chooseBlocks, orBestBlock, withPageHeading } from '../../../src/extract/html/choose-blocks.ts';
import type { PageElement } from '../../../src/extract/html/page-tree.ts';

let texts = 0;
const element = (): PageElement => ({ name: 'p', attributes: {}, children: [], parent: undefined, attributeBits: 0 });
const LIST = element();

/** A block of 30 words. */
function block(own: Partial<TextBlock> = {}): TextBlock {
  const at = own.element ?? element();
  return {
    kind: 'paragraph',
    level: 0,
    text: `text ${++texts}`,
    words: 30,
    element: at,
    origin: at,
    group: undefined,
    linkChars: 0,
    links: 0,
    marks: 0,
    visibility: 'visible',
    snippet: true,
    rule: undefined,
    ...own,
  };
}

const heading = (level: number, own: Partial<TextBlock> = {}) => block({ kind: 'heading', level, words: 3, ...own });
const TABLE = element();
const row = (own: Partial<TextBlock> = {}) => block({ kind: 'table', group: TABLE, ...own });
const entry = (own: Partial<TextBlock> = {}) => block({ kind: 'list', group: LIST, ...own });

/** Chosen places of blocks with their worth. */
function choose(given: readonly (readonly [TextBlock, number])[]) {
  const blocks = given.map(([own]) => own);
  const chosen = chooseBlocks(
    blocks,
    Float64Array.from(given, ([, p]) => p),
    'balanced',
  );
  return blocks.flatMap((own, at) => (chosen.includes(own) ? [at] : []));
}

const sure: readonly [TextBlock, number] = [block({ words: 400 }), 0.95];

describe('what is chosen by its worth is made tidy', () => {
  test.each<[string, readonly (readonly [TextBlock, number])[], readonly number[]]>([
    ['a button is no text', [sure, [block({ kind: 'button' }), 0.9]], [0]],
    ['likely blocks are chosen, others are not', [sure, [block(), 0.02]], [0]],
    ['a heading with chosen text stays', [[heading(2), 0.35], sure], [0, 1]],
    ['a heading without chosen text goes', [sure, [heading(2), 0.4], [block(), 0.01]], [0]],
    ['a heading that is an entry stays', [sure, [heading(2), 0.9], [block(), 0.01]], [0, 1]],
    ['a heading that is no part of the page goes', [[heading(2), 0.01], sure], [1]],
    ['a heading above another one with text stays', [[heading(2), 0.35], [heading(3), 0.35], sure], [0, 1, 2]],
    ['a heading before one of its rank goes', [[heading(2), 0.4], [heading(2), 0.4], sure], [1, 2]],
    [
      'of copies the likeliest stays',
      [[block({ text: 'Copy' }), 0.8], sure, [block({ text: 'copy' }), 0.9], [block({ text: 'Copy' }), 0.9]],
      [1, 2],
    ],
    [
      'short copies all stay',
      [
        [block({ text: 'Copy', words: 4 }), 0.9],
        [block({ text: 'Copy', words: 4 }), 0.9],
      ],
      [0, 1],
    ],
    [
      'the first h1 stays',
      [[heading(1), 0.35], [heading(2), 0.35], [block(), 0.01], [heading(1), 0.35], sure],
      [0, 3, 4],
    ],
    ['a hidden h1 needs text', [sure, [heading(1, { visibility: 'hidden' }), 0.4]], [0]],
    [
      'headings stay where there is nothing else',
      [
        [heading(1), 0.9],
        [heading(2), 0.9],
      ],
      [0, 1],
    ],
    ['a gap in a list is closed', [sure, [entry(), 0.9], [entry(), 0.01], [entry(), 0.9]], [0, 1, 2, 3]],
    ['two gaps are no oversight', [sure, [entry(), 0.9], [entry(), 0.01], [entry(), 0.01], [entry(), 0.9]], [0, 1, 4]],
    ['a gap between paragraphs stays', [sure, [block(), 0.9], [block(), 0.01], [block(), 0.9]], [0, 1, 3]],
    [
      'rows of a table stay together',
      [sure, [row(), 0.01], [row(), 0.9], [row(), 0.01], [block(), 0.01]],
      [0, 1, 2, 3],
    ],
    [
      'code and quotes between chosen text stay',
      [sure, [block({ kind: 'code' }), 0.01], [block({ kind: 'quote' }), 0.01], [block(), 0.9]],
      [0, 1, 2, 3],
    ],
    ['code after the text goes', [sure, [block({ kind: 'code' }), 0.01], [block(), 0.01]], [0]],
    [
      'hidden text is not taken along',
      [sure, [entry(), 0.9], [entry({ visibility: 'hidden' }), 0.01], [entry(), 0.9]],
      [0, 1, 3],
    ],
  ])('%s', (_, blocks, chosen) => {
    expect(choose(blocks)).toEqual(chosen);
  });
});

describe('rules', () => {
  test.each<[string, readonly (readonly [TextBlock, number])[], readonly number[]]>([
    ['include what is unlikely', [sure, [block({ rule: 'include' }), 0]], [0, 1]],
    ['exclude what is likely', [sure, [block({ rule: 'exclude' }), 1]], [0]],
    ['include a heading without text', [sure, [heading(2, { rule: 'include' }), 0]], [0, 1]],
    ['exclude the h1', [[heading(1, { rule: 'exclude' }), 1], sure], [1]],
    [
      'exclude an entry between others',
      [sure, [entry(), 0.9], [entry({ rule: 'exclude' }), 0.9], [entry(), 0.9]],
      [0, 1, 3],
    ],
  ])('%s', (_, blocks, chosen) => {
    expect(choose(blocks)).toEqual(chosen);
  });
});

const IN_FOOTER: PageElement = { ...element(), parent: { ...element(), name: 'footer' } };

test('a small page keeps what a large one would leave out', () => {
  const likely: readonly [TextBlock, number] = [block({ words: 40 }), 0.95];
  const uncertain = block({ words: 10 });
  expect(choose([likely, [uncertain, 0.35]])).toEqual([0, 1]);
  expect(choose([likely, [uncertain, 0.25]])).toEqual([0]);
  expect(choose([sure, [uncertain, 0.35]])).toEqual([0]);
});

test.each<[string, Partial<TextBlock>]>([
  ['hidden text', { visibility: 'hidden' }],
  ['text of a footer', { element: IN_FOOTER }],
])('a small page does not keep %s that is doubtful', (_, own) => {
  expect(
    choose([
      [block({ words: 40 }), 0.95],
      [block({ words: 10, ...own }), 0.35],
    ]),
  ).toEqual([0]);
});

test.each<[string, number, number, readonly number[]]>([
  ['links of a menu that may be text are left out', 1, 0.45, [0]],
  ['links of a menu that are text for certain stay', 1, 0.98, [0, 1]],
  ['text of a menu stays', 0, 0.45, [0, 1]],
])('%s', (_, linkShare, score, expected) => {
  const nav: PageElement = { ...element(), name: 'nav' };
  const entry = block({ element: { ...element(), parent: nav } });
  const blocks = [block({ words: 60 }), { ...entry, linkChars: entry.text.length * linkShare }, block({ words: 200 })];
  const chosen = chooseBlocks(blocks, Float64Array.of(0.9, score, 0.01), 'recall');
  expect(chosen.map((each) => blocks.indexOf(each))).toEqual(expected);
});

test('a profile for recall chooses at least what one for precision does', () => {
  const blocks = Array.from({ length: 40 }, () => block());
  const scores = Float64Array.from(blocks, (_, at) => (at + 1) / 41);
  const [precision, balanced, recall] = (['precision', 'balanced', 'recall'] as const).map(
    (profile) => chooseBlocks(blocks, scores, profile).length,
  );
  expect(precision).toBeLessThan(balanced ?? 0);
  expect(balanced).toBeLessThan(recall ?? 0);
});

test.each<[string, readonly number[], readonly number[], Partial<TextBlock>]>([
  ['what is chosen stays', [0.6, 0.9], [0], {}],
  ['a doubtful block is more than nothing', [0.2, 0.3], [1], {}],
  ['a page without text has none', [0.05, 0.1], [], {}],
  ['what is excluded is no text', [0.1, 0.45], [], { rule: 'exclude' }],
])('where nothing is chosen: %s', (_, selection, expected, own) => {
  const blocks = [block(), block(own)];
  const chosen = (selection[0] ?? 0) >= 0.5 ? blocks.slice(0, 1) : [];
  const found = orBestBlock(chosen, blocks, Float64Array.from(selection));
  expect(found.map((each) => blocks.indexOf(each))).toEqual(expected);
});

test.each<[string, Partial<TextBlock>, boolean]>([
  ['that is seen', {}, true],
  ['that is excluded', { rule: 'exclude' }, false],
  ['that a reader cannot see', { visibility: 'hidden' }, false],
])('the heading of a page, %s, and its sections', (_, own, isKept) => {
  const blocks = [heading(1, own), block(), block()];
  expect(withPageHeading(blocks, blocks.slice(1))).toEqual(isKept ? blocks : blocks.slice(1));
  expect(withPageHeading(blocks, [])).toEqual([]);
});
