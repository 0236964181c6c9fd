import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectBlocks } from '../../../src/extract/html/blocks.ts';
import { parsePage } from '../../../src/extract/html/page-tree.ts';
import { blockHashes, templateBlocks } from '../../../src/extract/html/template-blocks.ts';
import { isTemplate, type VotedBlock, voteTemplates } from '../../../src/extract/html/template-vote.ts';

function hashesOf(html: string): readonly string[] {
  return blockHashes(collectBlocks(parsePage(html)).blocks);
}

describe('the hash of a block', () => {
  const hashOf = (html: string) => hashesOf(html).at(-1);
  const PLAIN = '<div class="a b"><main><section><p>Call 12 34 for help</p></section></main></div>';

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
    ['another word', PLAIN.replace('help', 'news')],
    ['another case', PLAIN.replace('Call', 'CALL')],
    ['a number more', PLAIN.replace('help', 'help 1')],
    ['another element', PLAIN.replaceAll('section>', 'article>')],
    ['another first class of an element around', PLAIN.replace('a b', 'z b')],
  ])('is another with %s', (_, html) => {
    expect(hashOf(html)).not.toBe(hashOf(PLAIN));
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
  type Block = VotedBlock & { readonly hash: string };
  const block = (hash: string, more: Partial<Block> = {}): Block => ({
    ...{ hash, kind: 'paragraph', level: 0, text: 'Five words of some text', words: 5, linkChars: 0 },
    ...more,
  });
  const vote = (blocks: readonly Block[], of: Readonly<Record<string, number>>, title = 'Title | Site') => [
    ...voteTemplates(
      blocks,
      blocks.map(() => 0.8),
      { hashes: blocks.map(({ hash }) => hash), shareOf: shares(of), titles: [title] },
    ),
  ];

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
    ...['$1,199.95', '12 %', 'Save 30%', 'compared to $99', '2026-11-20', '3 of 7 left'].map(
      (text) =>
        [
          `numbers are not told apart, and have no vote: ${text}`,
          [block('label', { text, words: 2 }), block('b')],
          { label: 1, b: 1 },
          [0.8, 0.08],
        ] as const,
    ),
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

  test('counts a block as a template from half of the pages on', () => {
    expect([0, 0.49, 0.5, 1].map(isTemplate)).toEqual([false, false, true, true]);
  });
});
