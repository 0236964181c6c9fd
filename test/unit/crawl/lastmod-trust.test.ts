import { expect, test } from 'vitest';
import { FRONTIER_FLAGS } from '../../../src/core/crawl-words.ts';
import {
  announcesTruly,
  compareDates,
  isChecked,
  isLeftOut,
  mayValidate,
  trustsLastmod,
} from '../../../src/crawl/rules/lastmod-trust.ts';
import type { DueRow } from '../../../src/storage/engine/due-rows.ts';
import { type HostTrust, NO_TRUST } from '../../../src/storage/engine/host-trust.ts';
import { facts } from '../../helpers/frontier.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const trust = (changes: Partial<HostTrust>): HostTrust => ({ ...NO_TRUST, ...changes });
const announcements = (count: number, at = NOW - DAY) => Array.from({ length: count }, () => at);
const TRUE_DATES = { compared: 50, agreed: 48, oldestAt: 1, newestAt: 2 };

test.each<[string, Partial<HostTrust>, boolean]>([
  ['nothing is known', {}, false],
  ['nine changes were announced', { announcedAt: announcements(9) }, false],
  ['ten changes were announced', { announcedAt: announcements(10) }, true],
  ['ten were announced too long ago', { announcedAt: announcements(10, NOW - 91 * DAY) }, false],
  ['one change was silent', { announcedAt: announcements(10), silentAt: NOW - 89 * DAY }, false],
  ['it was silent too long ago', { announcedAt: announcements(10), silentAt: NOW - 91 * DAY }, true],
  ['48 of 50 dates agree', TRUE_DATES, true],
  ['47 of 50 dates agree', { ...TRUE_DATES, agreed: 47 }, false],
  ['49 pages are too few', { ...TRUE_DATES, compared: 49, agreed: 49 }, false],
  ['all dates are the same', { ...TRUE_DATES, newestAt: 1 }, false],
  ['dates agree but a change was silent', { ...TRUE_DATES, silentAt: NOW }, false],
])('a sitemap is trusted when %s', (_name, changes, trusted) => {
  expect(trustsLastmod(trust(changes), 'learn', NOW)).toBe(trusted);
});

test('the operator may trust always or never', () => {
  expect(trustsLastmod(NO_TRUST, 'trust', NOW)).toBe(true);
  expect(trustsLastmod(trust({ announcedAt: announcements(10) }), 'ignore', NOW)).toBe(false);
});

test.each<[string, number, number, boolean | undefined]>([
  ['the same time', NOW - 9 * DAY, NOW - 9 * DAY, true],
  ['a day apart', NOW - 9 * DAY, NOW - 8 * DAY, true],
  ['more than a day apart', NOW - 9 * DAY, NOW - 8 * DAY + 1, false],
  [
    'a date, and a time early on that day',
    Date.parse('2026-05-02T11:59:59.999Z'),
    Date.parse('2026-05-01T00:00:00Z'),
    true,
  ],
  ['within the last hour, which every page of some sites is', NOW - HOUR + 1, NOW, undefined],
])('dates are compared: %s', (_name, listedAt, ownAt, agrees) => {
  expect(compareDates(listedAt, ownAt, NOW)?.agrees).toBe(agrees);
});

test.each([
  ['', true],
  ['0'.repeat(19), true],
  ['0'.repeat(20), false],
  [`${'0'.repeat(18)}11`, false],
  [`${'0'.repeat(17)}111`, true],
])('announcements %j are worth visits: %s', (announced, worth) => {
  expect(announcesTruly(trust({ announced }))).toBe(worth);
});

const TAGGED = facts({ extractVersion: 7, etag: '"1"' });
const RULES = { settings: { lastmod: 'trust' }, extractVersion: 7 } as const;
const listed = (changes: Partial<DueRow> = {}): DueRow => ({
  urlId: 1,
  hostId: 1,
  url: 'https://site.example/a',
  depth: 1,
  runId: 5,
  runKind: 'incremental',
  priority: 2,
  attempts: 0,
  crashes: 0,
  flags: FRONTIER_FLAGS.follow,
  stage: 'page',
  detail: undefined,
  origin: 'sitemap',
  patternId: 1,
  patternIsClosed: false,
  closedBy: undefined,
  firstSeenAt: 0,
  visits: 3,
  visitedAt: NOW - DAY,
  sitemapLastmod: NOW - 9 * DAY,
  patternIntervalMs: undefined,
  record: facts({ extractVersion: 7 }),
  ...changes,
});
/** So many that only 2 % are sampled, and a page that is not. */
const MANY = trust({ listed: 100_000 });
const unsampled = Array.from({ length: 50 }, (_, id) => id).find((urlId) =>
  isLeftOut(listed({ urlId }), RULES, { trust: MANY, now: NOW }),
);

test.each<[string, Partial<DueRow>, Partial<HostTrust>, boolean]>([
  ['nothing speaks for a change', {}, {}, true],
  ['the sitemap names a later change', { sitemapLastmod: NOW }, {}, false],
  ['it is not in the sitemap', { sitemapLastmod: undefined }, {}, false],
  ['it was never visited', { visitedAt: undefined }, {}, false],
  ['it was read under other rules', { record: facts({ extractVersion: 6 }) }, {}, false],
  ['it is no live page', { record: facts({ extractVersion: 7, state: 'suspected' }) }, {}, false],
  ['it is a seed', { origin: 'seed' }, {}, false],
  ['it was queued', { runKind: 'urls' }, {}, false],
  ['all pages are asked', { flags: FRONTIER_FLAGS.ask }, {}, false],
  ['the run is full and the page has no validators', { runKind: 'full' }, {}, true],
  ['the run is full and asking costs nothing', { runKind: 'full', record: TAGGED }, { ignored: 19 }, false],
  ['the run is full and the host ignores validators', { runKind: 'full', record: TAGGED }, { ignored: 20 }, true],
  ['the run is full and the 304 of the host are wrong', { runKind: 'full', record: TAGGED }, { wrongAt: NOW }, true],
])('whether a page is left out: %s', (_name, row, shown, left) => {
  const of = { trust: trust({ ...MANY, ...shown }), now: NOW };
  expect(isLeftOut(listed({ urlId: unsampled ?? -1, ...row }), RULES, of)).toBe(left);
});

test('of 1,000 pages 2 % are sampled, of few 20, and other ones in the next run', () => {
  const sampled = (pages: number, runId: number) =>
    Array.from({ length: pages }, (_, urlId) => urlId).filter(
      (urlId) => !isLeftOut(listed({ urlId, runId }), RULES, { trust: trust({ listed: pages }), now: NOW }),
    );

  expect(sampled(10_000, 1).length / 10_000).toBeCloseTo(0.02, 2);
  expect(sampled(200, 1).length).toBeGreaterThan(10);
  expect(sampled(200, 1).length).toBeLessThan(35);
  expect(sampled(20, 1)).toHaveLength(20);
  expect(sampled(1_000, 1)).not.toEqual(sampled(1_000, 2));
});

test('a host is asked with validators until one of its 304 was wrong, and again after 90 days', () => {
  expect(mayValidate(NO_TRUST, NOW)).toBe(true);
  expect(mayValidate(trust({ wrongAt: NOW - 89 * DAY }), NOW)).toBe(false);
  expect(mayValidate(trust({ wrongAt: NOW - 90 * DAY }), NOW)).toBe(true);
});

test('answers of 304 are checked at 0.5 % in ten runs of 30 days, other ones in each', () => {
  const checked = (shown: Partial<HostTrust>, runId = 15) =>
    Array.from({ length: 20_000 }, (_, urlId) => urlId).filter((urlId) =>
      isChecked(trust(shown), { urlId, runId }, NOW),
    );
  const since = NOW - 29 * DAY;

  expect(checked({}).length / 20_000).toBeCloseTo(0.005, 3);
  expect(checked({}, 16)).not.toEqual(checked({}));
  expect(checked({ checked: { runId: 14, since, runs: 9 } })).toEqual(checked({}));
  expect(checked({ checked: { runId: 14, since, runs: 10 } })).toEqual([]);
  expect(checked({ checked: { runId: 15, since, runs: 10 } })).toEqual(checked({}));
  expect(checked({ checked: { runId: 14, since: NOW - 30 * DAY, runs: 10 } })).toEqual(checked({}));
});
