import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FRONTIER_FLAGS } from '../../../src/core/crawl-words.ts';
import { compileCrawlRules } from '../../../src/crawl/rules/crawl-rules.ts';
import { createLinkCaches, KnownLinks, splitLinks } from '../../../src/crawl/visit/page-links.ts';
import type { Extraction, Outlink } from '../../../src/extract/extraction.ts';
import type { DueRow } from '../../../src/storage/engine/due-rows.ts';
import { packIds, unpackIds } from '../../../src/storage/engine/outlinks.ts';

test('packed ids come back sorted, each once', () => {
  const ids = fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { maxLength: 200 });
  fc.assert(
    fc.property(ids, (given) => {
      const sorted = [...new Set(given)].sort((a, b) => a - b);
      expect(unpackIds(packIds(given))).toEqual(sorted);
    }),
  );
});

describe('known links', () => {
  test('give the number that was put, and 0 for all others', () => {
    const cache = new KnownLinks([1, 2], 8);
    cache.put('https://a.example/', 7);
    cache.put('https://a.example/out', -1);

    expect(['https://a.example/', 'https://a.example/out', 'https://a.example'].map((link) => cache.get(link))).toEqual(
      [7, -1, 0],
    );
  });

  test('forget the oldest of a full set, never mix two links up', () => {
    const cache = new KnownLinks([3, 4], 6);
    const links = Array.from({ length: 500 }, (_, i) => `https://a.example/${i}`);
    for (const [i, link] of links.entries()) cache.put(link, i + 1);

    const found = links.map((link, i) => [cache.get(link), i + 1] as const);
    expect(found.filter(([got, put]) => got !== 0 && got !== put)).toEqual([]);
    expect(found.filter(([got]) => got !== 0).length).toBeGreaterThan(32);
    expect(found.at(-1)?.[0]).toBe(500);
  });

  test('grow with what they hold, and keep nearly all of it', () => {
    const cache = new KnownLinks([5, 6]);
    const links = Array.from({ length: 50_000 }, (_, i) => `https://a.example/${i}`);
    for (const [i, link] of links.entries()) cache.put(link, i + 1);

    const found = links.filter((link, i) => cache.get(link) === i + 1);

    expect(found.length).toBeGreaterThan(links.length * 0.99);
  });

  test('belong to one crawler and one version of its settings', () => {
    const cacheOf = createLinkCaches(() => 0.5, 2);
    const first = cacheOf(1, 1);

    expect(cacheOf(1, 1)).toBe(first);
    expect(cacheOf(1, 2)).not.toBe(first);
    cacheOf(2, 1);
    expect(cacheOf(1, 1)).not.toBe(first);
  });
});

describe('links of a page', () => {
  const rulesOf = (config: Record<string, unknown> = {}) =>
    compileCrawlRules({ config: { seeds: ['https://a.example/'], ...config }, configVersion: 1 });
  const row = (changes: Partial<DueRow> = {}) =>
    ({ url: 'https://a.example/', depth: 0, flags: FRONTIER_FLAGS.follow, ...changes }) as DueRow;
  const extraction = (urls: readonly string[], follow = true) =>
    ({
      directives: { follow },
      outlinks: urls.map((url): Outlink => ({ url, text: '', texts: [], region: 'content', follow: true })),
    }) as unknown as Extraction;
  const split = (urls: readonly string[], changes: Partial<DueRow> = {}, config: Record<string, unknown> = {}) =>
    splitLinks({ row: row(changes), rules: rulesOf(config), now: 0 }, extraction(urls), new KnownLinks([1, 2], 8));

  test('are in normal form, once, one level deeper, inside of the scope', () => {
    const { fresh } = split([
      'https://a.example/x?utm_source=mail',
      'https://a.example/x#part',
      'https://b.example/',
      'https://a.example/y',
    ]);

    expect(fresh).toMatchObject([
      { url: 'https://a.example/x', depth: 1, priority: 2, origin: 'link', enqueue: 'if-new' },
      { url: 'https://a.example/y', depth: 1 },
    ]);
  });

  test('wait behind nearer ones from the third level on', () => {
    expect([1, 2, 9].map((depth) => split(['https://a.example/x'], { depth }).fresh[0]?.priority)).toEqual([2, 3, 3]);
  });

  test.each([
    ['a queued URL', { flags: FRONTIER_FLAGS.force }, {}],
    ['a page that a rule of noFollow names', {}, { noFollow: ['/'] }],
    ['a crawler that follows no links', {}, { followLinks: false }],
  ])('%s has none', (_name, changes, config) => {
    expect(split(['https://a.example/x'], changes, config).fresh).toEqual([]);
  });

  test('a page that says nofollow has none, unless directives are ignored', () => {
    const cache = new KnownLinks([1, 2], 8);
    const page = extraction(['https://a.example/x'], false);

    expect(splitLinks({ row: row(), rules: rulesOf(), now: 0 }, page, cache).fresh).toHaveLength(0);
    expect(
      splitLinks({ row: row(), rules: rulesOf({ robotsMeta: 'ignore' }), now: 0 }, page, cache).fresh,
    ).toHaveLength(1);
  });

  test('known ones come as ids, without the store', () => {
    const cache = new KnownLinks([1, 2], 8);
    const page = extraction(['https://a.example/x', 'https://a.example/y', 'https://out.example/']);
    const first = splitLinks({ row: row(), rules: rulesOf(), now: 0 }, page, cache);
    for (const [i, text] of first.freshTexts.entries()) cache.put(text, i + 10);

    expect(splitLinks({ row: row(), rules: rulesOf(), now: 0 }, page, cache)).toEqual({
      known: [10, 11],
      fresh: [],
      freshTexts: [],
      left: [],
      names: [],
    });
  });

  test('are called by the texts of known and new ones, but not by those of the page itself', () => {
    const cache = new KnownLinks([1, 2], 8);
    cache.put('https://a.example/known', 10);
    const texts: Readonly<Record<string, readonly string[]>> = {
      'https://a.example/new': ['new', 'the new one'],
      'https://a.example/known': ['known'],
      'https://a.example/': ['home'],
      'https://b.example/': ['elsewhere'],
      'https://a.example/new#part': ['its part'],
    };
    const outlinks = Object.entries(texts).map(([url, own]): Outlink => {
      return { url, text: '', texts: own, region: 'content', follow: true };
    });
    const page = { directives: { follow: true }, outlinks } as unknown as Extraction;

    const { names, known, fresh } = splitLinks({ row: row(), rules: rulesOf(), now: 0 }, page, cache);

    const urls = [...known.map(String), ...fresh.map(({ url }) => url)];
    expect(names.map(({ link, text }) => [urls[link], text])).toEqual([
      ['https://a.example/new', 'new'],
      ['https://a.example/new', 'the new one'],
      ['10', 'known'],
      ['https://a.example/new', 'its part'],
    ]);
  });

  test('have 250 texts at most', () => {
    const texts = Array.from({ length: 50 }, (_, at) => `name ${at}`);
    const outlinks = Array.from({ length: 30 }, (_, at): Outlink => {
      return { url: `https://a.example/${at}`, text: '', texts, region: 'content', follow: true };
    });
    const page = { directives: { follow: true }, outlinks } as unknown as Extraction;

    const { names } = splitLinks({ row: row(), rules: rulesOf(), now: 0 }, page, new KnownLinks([1, 2], 8));

    expect(names).toHaveLength(250);
  });

  test('stop at the limit of a page', () => {
    const urls = Array.from({ length: 50 }, (_, i) => `https://a.example/${i}`);

    expect(split(urls, {}, { limits: { linksPerPage: 5 } }).fresh).toHaveLength(5);
  });
});
