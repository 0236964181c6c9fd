import { describe, expect, test } from 'vitest';
import { urlTemplateOf } from '../../../src/core/url.ts';
import { isInformative, judgePattern, trapAtSight } from '../../../src/crawl/rules/traps.ts';
import { ShingleFilter } from '../../../src/crawl/visit/url-template-statistics.ts';

const NOW = Date.UTC(2026, 10, 20);
const ALL = 2 ** 20 - 1;

describe('a trap at sight', () => {
  test.each([
    ['/a%2520b', 'percent codes of percent codes'],
    ['/find?q=a%2541', 'percent codes of percent codes'],
    ['/docs/a/docs/b/docs', 'a segment three times'],
    ['/help/topics/help/help/', 'a segment three times'],
    ['/a/b/c/a/b/c/a/', 'a segment three times'],
    ['/api/org/acme/api/io/api/Reader.html', undefined],
    ['/api/org/acme/util/util/util/class-use/Lists.html', undefined],
    ['/x?a=1&a=1', 'a query that repeats itself'],
    ['/x?a=1&b=2&a=1&b=2', 'a query that repeats itself'],
    ['/events/2029-01-01', 'a date more than two years ahead'],
    ['/events/20290101', 'a date more than two years ahead'],
    ['/events/2999-12', 'a date more than two years ahead'],
    ['/parts/45120101', undefined],
    ['/parts/4512/3', undefined],
    ['/parts/2031/05', undefined],
    ['/calendar/2031/5', 'a date more than two years ahead'],
    ['/calendar?month=2031-05', 'a date more than two years ahead'],
    ['/calendar?year=2031', 'a date more than two years ahead'],
    ['/a%20b', undefined],
    ['/100%25', undefined],
    ['/docs/docs', undefined],
    ['/1/1/1/1', undefined],
    ['/x?a=1&b=1&a=2', undefined],
    ['/events/2028-12-31', undefined],
    ['/calendar/2028/12', undefined],
    ['/products/2031', undefined],
    ['/products/2031/reviews', undefined],
    ['/parts?number=2031', undefined],
  ])('%s: %s', (path, rule) => {
    expect(trapAtSight(`https://site.example${path}`, NOW)).toBe(rule);
  });
});

describe('a pattern', () => {
  const pattern = (changes: Partial<Parameters<typeof judgePattern>[0]> = {}) => ({
    pattern: '/a/{n}',
    visited: 20,
    informative: 0,
    recent: 0,
    sameText: 0,
    quarantine: false,
    closedAt: undefined,
    closeRule: undefined,
    ...changes,
  });

  test.each([
    ['with 20 pages that brought nothing is closed', pattern(), 'closed', 'nothing-new'],
    ['that repeats other pages is closed for that', pattern({ sameText: ALL >> 2 }), 'closed', 'same-text'],
    ['with 19 pages is in doubt', pattern({ visited: 19 }), 'quarantine', undefined],
    ['with 2 good pages of the last 20 is in doubt', pattern({ recent: 0b11, visited: 40 }), 'quarantine', undefined],
    ['in doubt with 3 good pages is opened', pattern({ recent: 0b111, quarantine: true }), 'open', undefined],
    ['with 3 good pages stays open', pattern({ recent: 0b111 }), undefined, undefined],
    ['with 9 pages is not judged', pattern({ visited: 9 }), undefined, undefined],
    ['that an operator keeps open stays open', pattern({ closeRule: 'kept-open' }), undefined, undefined],
    [
      'of all queries of a path with 1 good page in 4 is closed',
      pattern({ pattern: '/shop?…', visited: 25, informative: 6, recent: 0b10001 }),
      'closed',
      'nothing-new',
    ],
    [
      'of all queries of a path with more good pages stays open',
      pattern({ pattern: '/shop?…', visited: 25, informative: 7, recent: 0b10011 }),
      undefined,
      undefined,
    ],
  ])('%s', (_name, judged, to, rule) => {
    expect(judgePattern(judged, false)).toEqual(to === undefined ? undefined : { to, rule });
  });

  test.each([
    ['by a good sample', '/a/{n}', 0b1, true, true],
    ['not by a good page that was not sampled', '/a/{n}', 0b1, false, false],
    ['not by a bad sample', '/a/{n}', 0, true, false],
    ['with its family by three good samples', '/a/…', 0b10101, true, true],
    ['not with its family by two', '/a/…', 0b101, true, false],
  ])('is opened %s', (_name, text, recent, sampled, opens) => {
    const verdict = judgePattern(pattern({ pattern: text, closedAt: 1, closeRule: 'nothing-new', recent }), sampled);

    expect(verdict?.to === 'open').toBe(opens);
  });
});

test.each([
  ['/shop?a=1&b=2', '/shop?…'],
  ['/wiki/some', '/wiki/…'],
  ['/wiki/some/more', '/wiki/…'],
  ['/calendar/2026/11', '/calendar/…'],
  ['/about', '/about'],
  ['/', '/'],
])('the family of %s is %s', (path, urlTemplate) => {
  expect(urlTemplateOf(`https://site.example${path}`)).toBe(urlTemplate);
});

describe('what pages said', () => {
  const letters = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const words = (from: number, count: number) => Array.from({ length: count }, (_, i) => letters(from + i)).join(' ');

  test('is new once, in whatever order its sentences come', () => {
    const seen = new ShingleFilter();

    expect(seen.add('The first sentence is here. And then the second one.')).toEqual({ runs: 10, fresh: 10 });
    expect(seen.add('And then the second one. The first sentence is here.').fresh).toBe(0);
  });

  test('is not new for a number', () => {
    const seen = new ShingleFilter();
    seen.add('There are 3 events on 5 May 2026.');

    expect(seen.add('There are 17 events on 12 May 2031.').fresh).toBe(0);
  });

  test('is kept with what the store keeps', () => {
    const seen = new ShingleFilter();
    seen.add(words(0, 100));

    expect(new ShingleFilter(seen.toBytes()).add(words(0, 100)).fresh).toBe(0);
  });

  test('is forgotten in time, so that new pages look new', () => {
    const seen = new ShingleFilter();
    for (let page = 0; page < 200; page++) expect(seen.add(words(page * 300, 300)).fresh).toBeGreaterThan(100);
  });

  test('is a text of its own with 200 characters and 8 new runs of words, 5 % of all', () => {
    expect(isInformative(200, { runs: 160, fresh: 8 })).toBe(true);
    expect(isInformative(199, { runs: 160, fresh: 8 })).toBe(false);
    expect(isInformative(200, { runs: 100, fresh: 7 })).toBe(false);
    expect(isInformative(200, { runs: 200, fresh: 9 })).toBe(false);
  });
});
