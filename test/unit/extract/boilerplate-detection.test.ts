import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectBlocks } from '../../../src/extract/html/blocks.ts';
import {
  type DemotedBlock,
  demoteRepeatedBlocks,
  isTemplate,
} from '../../../src/extract/html/boilerplate-detection.ts';
import { parsePage } from '../../../src/extract/html/page-tree.ts';
import { blockHashes, templateBlocks } from '../../../src/extract/html/template-blocks.ts';

function hashesOf(html: string): readonly string[] {
  return blockHashes(collectBlocks(parsePage(html)).blocks);
}

describe('the hash of a block', () => {
  const hashOf = (html: string) => hashesOf(html).at(-1);
  const PLAIN = '<div class="a b"><main><section><p>Call us at 12 34 for help</p></section></main></div>';
  const PRICE = PLAIN.replace('us at 12 34 for help', 'only $12');

  test.each([
    ['other numbers in the text', PLAIN.replace('12 34', '9 876')],
    ['other classes behind the first', PLAIN.replace('a b', 'a c d')],
    ['more above the fourth level', `<div><div>${PLAIN}</div></div>`],
    ['another place on the page', `<p>Before</p>${PLAIN}`],
    ['other attributes', PLAIN.replace('<p>', '<p id="x" title="y">')],
  ])('is the same with %s', (_, html) => {
    expect(hashOf(html)).toBe(hashOf(PLAIN));
    expect(hashOf(PLAIN)).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each([
    ['another number in a value', PRICE.replace('12', '34'), PRICE],
    ['another word', PLAIN.replace('help', 'news')],
    ['another case', PLAIN.replace('Call', 'CALL')],
    ['a number more', PLAIN.replace('help', 'help 1')],
    ['another element', PLAIN.replaceAll('section>', 'article>')],
    ['another first class of an element around', PLAIN.replace('a b', 'z b')],
  ])('is another with %s', (_, html, of = PLAIN) => {
    expect(hashOf(html)).not.toBe(hashOf(of));
  });

  test('tells texts apart by their first 300 characters', () => {
    const long = 'word '.repeat(60);
    expect(hashOf(`<p>${long}one</p>`)).toBe(hashOf(`<p>${long}two</p>`));
    expect(hashOf(`<p>${long.slice(6)}one</p>`)).not.toBe(hashOf(`<p>${long.slice(6)}two</p>`));
  });

  test('of different texts never is the same among 20,000', () => {
    const html = Array.from(
      { length: 10_000 },
      (_, at) =>
        `<p>${at.toString(36).replace(/\d/g, 'Z')} x</p><p>y${'ab'.repeat(at % 40)}${String.fromCharCode(0x4e00 + at)}</p>`,
    );
    const texts = collectBlocks(parsePage(html.join(''))).blocks.map(({ text }) => text);
    expect(new Set(hashesOf(html.join(''))).size).toBe(new Set(texts).size);
  });
});

test('of a page the blocks at both ends are kept, each once', () => {
  const hashes = Array.from({ length: 1_000 }, (_, at) => String(at));

  expect(templateBlocks(hashes)).toEqual([...hashes.slice(0, 200), ...hashes.slice(-200)]);
  expect(templateBlocks(['a', 'b', 'a'])).toEqual(['a', 'b']);
});

describe('the vote', () => {
  const shares = (of: Readonly<Record<string, number>>) => (hash: string) => of[hash] ?? 0;
  type Block = DemotedBlock & { readonly hash: string };
  const block = (hash: string, more: Partial<Block> = {}): Block => ({
    ...{ hash, kind: 'paragraph', level: 0, text: 'Five words of some text', words: 5, linkChars: 0 },
    ...more,
  });
  type Shares = Readonly<Record<string, number>>;
  const judged = (blocks: readonly Block[], { host = {}, folder = {} }: { host?: Shares; folder?: Shares }) =>
    demoteRepeatedBlocks(
      blocks,
      blocks.map(() => 0.8),
      {
        hashes: blocks.map(({ hash }) => hash),
        ...{ ofHost: shares(host), ofFolder: shares(folder), titles: ['Title | Site'] },
      },
    );
  const vote = (blocks: readonly Block[], host: Shares) => [...judged(blocks, { host }).scores];

  test.each([
    [0, 0.8],
    [0.3, 0.8],
    [0.5, 0.44],
    [0.7, 0.08],
    [1, 0.08],
  ])('of share %d leaves p = %d of 0.8', (share, p) => {
    expect(vote([block('a')], { a: share })[0]).toBeCloseTo(p, 9);
  });

  test.each([
    ['the main heading', block('a', { kind: 'heading', level: 1 }), 0.8],
    ['what the title begins with', block('a', { text: 'tItle' }), 0.8],
    ['a part of a word of the title', block('a', { text: 'Tit' }), 0.08],
    ['the name of the site behind it', block('a', { text: 'Site' }), 0.08],
    ['a heading below', block('a', { kind: 'heading', level: 2 }), 0.08],
  ])('on %s', (_, voted, p) => {
    expect(vote([voted, block('b')], { a: 1 })[0]).toBeCloseTo(p, 9);
  });

  const label = block('label', { text: 'Specifications', words: 1 });
  test.each<readonly [string, readonly Block[], Readonly<Record<string, number>>, readonly number[]]>([
    ['a label has the share of the text that it introduces', [label, block('b')], { label: 1 }, [0.8, 0.8]],
    ['and falls with a text that repeats', [label, block('b')], { label: 0, b: 1 }, [0.08, 0.08]],
    ['labels in a row look at the text behind them', [label, label, block('b')], { label: 1 }, [0.8, 0.8, 0.8]],
    ['the last block has its own', [block('b'), label], { label: 1 }, [0.8, 0.08]],
    [
      'an entry of a menu introduces nothing',
      [block('label', { text: 'Home', words: 1, linkChars: 4 }), block('b')],
      { label: 1 },
      [0.08, 0.8],
    ],
    ...['$1,199.95', '12 %', '2026-11-20', '3 / 7', '(11)'].map(
      (text) =>
        [
          `numbers may be the same by chance, and have no vote: ${text}`,
          [block('label', { text, words: 2 }), block('b')],
          { label: 1, b: 1 },
          [0.8, 0.08],
        ] as const,
    ),
    [
      'a version is more than its number',
      [block('label', { text: '(C++11)', words: 2 }), block('b', { linkChars: 20 })],
      { label: 1, b: 1 },
      [0.08, 0.08],
    ],
    [
      'numbers in a sentence are',
      [block('a', { text: 'Call 12 34 56 between nine and four' }), block('b')],
      { a: 1 },
      [0.08, 0.8],
    ],
    [
      'a button introduces nothing',
      [block('label', { text: 'Menu', words: 1, kind: 'button' }), block('b')],
      { label: 1 },
      [0.08, 0.8],
    ],
  ])('%s', (_, blocks, of, voted) => {
    expect(vote(blocks, of).map((p) => Math.round(p * 1e9) / 1e9)).toEqual(voted);
  });

  test('never raises a probability, never by more than nine tenths, and nothing without shares', () => {
    const some = fc.record({
      hash: fc.constantFrom('a', 'b', 'c'),
      kind: fc.constantFrom<Block['kind']>('paragraph', 'heading', 'list', 'button'),
      level: fc.constantFrom(0, 1, 2),
      text: fc.constantFrom('Title', 'Home', 'Five words of some text'),
      words: fc.nat(6),
      linkChars: fc.nat(10),
    });
    fc.assert(
      fc.property(
        fc.array(some),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.double({ min: 0, max: 1, noNaN: true })),
        (blocks, of) => {
          for (const p of vote(blocks, of)) {
            expect(p).toBeLessThanOrEqual(0.8);
            expect(p).toBeGreaterThanOrEqual(0.8 * 0.1 - 1e-12);
          }
          expect(vote(blocks, {})).toEqual(blocks.map(() => 0.8));
        },
      ),
    );
  });

  const prose = (hash: string, words: number) => block(hash, { text: 'word '.repeat(words), words });
  test.each<readonly [string, readonly Block[], Shares, readonly number[]]>([
    ['takes a menu', [block('menu'), prose('own', 10)], { menu: 1 }, [0.08, 0.8]],
    ['takes half of the prose', [prose('a', 20), prose('own', 20)], { a: 1 }, [0.08, 0.8]],
    ['takes sentences from more pages on', [prose('a', 10), prose('own', 20)], { a: 0.7 }, [0.44, 0.8]],
    ['does not take more', [block('menu'), prose('a', 21), prose('own', 20)], { menu: 1, a: 1 }, [0.8, 0.8, 0.8]],
    ['takes links in sentences', [{ ...prose('a', 21), linkChars: 90 }, prose('own', 10)], { a: 1 }, [0.08, 0.8]],
    ['is heard where the host says less', [block('a'), block('b')], { a: 0.5, b: 0.1 }, [0.44, 0.44]],
  ])('of a folder %s', (_, blocks, folder, left) => {
    const { scores } = judged(blocks, { host: { b: 0.5 }, folder });
    expect([...scores].map((p) => Math.round(p * 1e9) / 1e9)).toEqual(left);
  });

  test('tells which shares have counted', () => {
    const blocks = [block('menu'), prose('a', 20), prose('own', 20)];
    const sharesOf = (folder: Shares) => [...judged(blocks, { host: { menu: 0.1 }, folder }).shares];
    expect(sharesOf({ menu: 0.9, a: 0.75 })).toEqual([0.9, 0.55, 0]);
    expect(sharesOf({ menu: 0.9, a: 1, own: 1 })).toEqual([0.1, 0, 0]);
  });

  test('counts a block as a template from half of the pages on', () => {
    expect([0, 0.49, 0.5, 1].map(isTemplate)).toEqual([false, false, true, true]);
  });
});
