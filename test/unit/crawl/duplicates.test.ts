import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addHashes,
  causeOfDuplicate,
  compareDuplicates,
  type DuplicateUrl,
  nearDuplicateGroups,
  offeredSettings,
  type SimilarityList,
} from '../../../src/crawl/rules/duplicates.ts';

const duplicate = (url: string, more: Partial<DuplicateUrl> = {}): DuplicateUrl => ({
  url,
  origin: 'link',
  firstSeenAt: 1,
  ...more,
});

describe('which of two duplicates keeps the document', () => {
  test.each([
    ['https wins', duplicate('https://a.example/x'), duplicate('http://a.example/x')],
    [
      'the sitemap wins over a query',
      duplicate('https://a.example/x?a=1', { origin: 'sitemap' }),
      duplicate('https://a.example/x'),
    ],
    ['no query wins', duplicate('https://a.example/longer-path'), duplicate('https://a.example/x?a=1')],
    ['the shorter path wins', duplicate('https://a.example/x'), duplicate('https://a.example/x/')],
    ['the first seen wins', duplicate('https://a.example/b'), duplicate('https://a.example/a', { firstSeenAt: 2 })],
    ['code points decide', duplicate('https://a.example/a'), duplicate('https://a.example/b')],
  ])('%s', (_name, better, other) => {
    expect(compareDuplicates(better, other)).toBeLessThan(0);
    expect(compareDuplicates(other, better)).toBeGreaterThan(0);
  });

  test('the order is total and symmetric', () => {
    const urls = fc.record({
      url: fc.constantFrom('http://a/x', 'https://a/x', 'https://a/x?b', 'https://a/xy', 'https://b/x', 'https://a/x/'),
      origin: fc.constantFrom('link', 'sitemap', 'seed'),
      firstSeenAt: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(urls, urls, urls, (a, b, c) => {
        expect(Math.sign(compareDuplicates(a, b))).toBe(-Math.sign(compareDuplicates(b, a)) || 0);
        if (compareDuplicates(a, b) <= 0 && compareDuplicates(b, c) <= 0)
          expect(compareDuplicates(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('near-duplicates', () => {
  const listOf = (hashes: readonly bigint[]): SimilarityList => {
    const list: SimilarityList = { ids: [], high: [], low: [] };
    const rows = hashes.map((hash, at) => ({
      id: at + 1,
      content: [0, at] as const,
      similarity: [Number(hash >> 32n), Number(hash & 0xffffffffn)] as const,
    }));
    addHashes(list, rows);
    return list;
  };

  test('are the hashes that differ in at most 3 bits, over any number of steps', () => {
    const base = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    const flips = fc.array(fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: 5 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(base, { maxLength: 4 }), flips, (bases, changes) => {
        const changed = changes.map((bits, at) =>
          bits.reduce((hash, bit) => hash ^ (1n << BigInt(bit)), bases[at % bases.length] ?? 0n),
        );
        const hashes = [...bases, ...changed];
        const found = nearDuplicateGroups(listOf(hashes)).map((ids) => ids.toSorted((a, b) => a - b).join());
        expect(found.toSorted()).toEqual(naiveGroups(hashes));
      }),
    );
  });

  function naiveGroups(hashes: readonly bigint[]): readonly string[] {
    const groups = hashes.map((_, at) => at);
    const distance = (a: bigint, b: bigint) => (a ^ b).toString(2).replaceAll('0', '').length;
    for (const [a, hash] of hashes.entries()) {
      for (const [b, other] of hashes.entries()) {
        if (distance(hash, other) > 3) continue;
        const [from, to] = [groups[a], groups[b]];
        for (const [at, group] of groups.entries()) if (group === from) groups[at] = to ?? 0;
      }
    }
    const named = [...new Set(groups)].map((group) => groups.flatMap((each, at) => (each === group ? [at + 1] : [])));
    return named
      .filter((ids) => ids.length > 1)
      .map((ids) => ids.join())
      .toSorted();
  }
});

describe('the cause of a duplicate', () => {
  test.each([
    ['http://a.example/x', 'https://a.example/x', 'scheme', 'urlForm.scheme=https'],
    ['https://www.a.example/x', 'https://a.example/x', 'www', 'urlForm.www=remove'],
    ['https://a.example/x/', 'https://a.example/x', 'trailing slash', 'urlForm.trailingSlash=remove'],
    ['https://a.example/x/index.html', 'https://a.example/x/', 'index file', 'urlForm.indexFiles=strip'],
    ['https://a.example/x?b=1&a=2', 'https://a.example/x?a=2&b=1', 'order of parameters', 'urlForm.sortQuery=true'],
    ['https://a.example/x?ref=7', 'https://a.example/x', 'parameter ref', 'queryParams.strip=ref'],
    ['https://a.example/x?print=1', 'https://a.example/x', 'print view', 'queryParams.strip=print'],
    ['https://a.example/x?page=9', 'https://a.example/x', 'paging', 'none'],
    ['https://a.example/x?a=1', 'https://a.example/x?a=2', 'parameter a', 'none'],
    ['https://a.example/print/x', 'https://a.example/x', 'print view', 'none'],
    ['https://b.example/x', 'https://a.example/x', 'another host', 'none'],
    ['https://a.example/y', 'https://a.example/x', 'path', 'none'],
  ])('%s beside %s: %s', (url, better, cause, proposal) => {
    const found = causeOfDuplicate(url, better);

    expect(found.cause).toBe(cause);
    expect(found.setting === undefined ? 'none' : `${found.setting.setting}=${found.setting.value}`).toBe(proposal);
  });

  test('is offered as a setting for 20 duplicates, or 5 of one parameter', () => {
    const slashes = (n: number) =>
      Array.from({ length: n }, (_, i) => causeOfDuplicate(`https://a/${i}/`, `https://a/${i}`));
    const params = (n: number) =>
      Array.from({ length: n }, (_, i) => causeOfDuplicate(`https://a/${i}?r=1`, `https://a/${i}`));

    expect(offeredSettings([...slashes(19), ...params(4)])).toEqual([]);
    expect(offeredSettings([...slashes(20), ...params(5)])).toEqual([
      { setting: 'urlForm.trailingSlash', value: 'remove', duplicates: 20 },
      { setting: 'queryParams.strip', value: 'r', duplicates: 5 },
    ]);
  });
});
