import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/errors.ts';
import { compileCrawlRules, isOwnAddress } from '../../../src/crawl/rules/crawl-rules.ts';
import { hostPace, probePace } from '../../../src/crawl/rules/politeness.ts';
import { parseCrawlSettings } from '../../../src/crawl/rules/settings.ts';
import type { ObservedPace } from '../../../src/storage/engine/hosts.ts';

const faultsOf = (config: unknown): readonly string[] => {
  try {
    parseCrawlSettings(config);
    return [];
  } catch (error) {
    return error instanceof AppError ? (error.options.problems ?? []).map(({ path }) => path) : [String(error)];
  }
};

test('no settings at all are valid: everything has a default', () => {
  expect(parseCrawlSettings({})).toMatchObject({
    limits: { depth: 20, pages: 100_000 },
    robots: 'obey',
    schedule: { full: 'weekly', incremental: 'hourly' },
    removal: { confirmAfterMs: 7_200_000 },
  });
});

test.each([
  [{ seeds: ['x'] }, ['seeds[0]']],
  [{ seeds: ['ftp://example.com/'] }, ['seeds[0]']],
  [{ domains: ['a.example', 'https://b.example/'] }, ['domains[1]']],
  [{ include: ['re:('] }, ['include[0]']],
  [{ limits: { depth: -1, pages: 0 } }, ['limits.depth', 'limits.pages']],
  [{ limits: { words: 3 } }, ['limits.words']],
  [{ render: 'sometimes', sitemap: [] }, ['render', 'sitemap']],
  [{ rendering: { block: ['script'], timeoutMs: 30_001 } }, ['rendering.timeoutMs', 'rendering.block[0]']],
  [{ schedule: { full: 'sometimes' } }, ['schedule.full']],
  [{ timezone: 'Mars/Olympus' }, ['timezone']],
  [{ language: 'english' }, ['language']],
  [{ politeness: { slots: 0 } }, ['politeness.slots']],
])('%j is refused with its path', (config, paths) => {
  expect(faultsOf(config)).toEqual(paths);
});

test.each([
  [{ domains: ['example.com', 'shop.example.com:8443', '*.example.com', '[::1]:8080', '127.0.0.1:80'] }],
  [{ include: ['/docs/**', 're:^https', 'contains:x'], exclude: ['/private'] }],
  [{ schedule: { full: '15 3 * * 0', incremental: 'every 6h' }, timezone: 'Europe/Berlin' }],
])('%j is valid', (config) => {
  expect(faultsOf(config)).toEqual([]);
});

describe('rules', () => {
  const rulesOf = (config: Record<string, unknown>) => compileCrawlRules({ config, configVersion: 1 });

  test('without domains the hosts of the seeds count, with and without www', () => {
    const { scope } = rulesOf({ seeds: ['https://www.example.com/start'] });
    const isIn = (url: string) => scope({ url, depth: 0, queued: false, knownUrls: 0 }).in;

    expect(['https://www.example.com/a', 'https://example.com/', 'https://other.example/'].map(isIn)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('settings of the extraction change its version, others do not', () => {
    const { extractVersion } = rulesOf({});

    expect(rulesOf({ limits: { depth: 3 } }).extractVersion).toBe(extractVersion);
    expect(rulesOf({ language: 'de' }).extractVersion).not.toBe(extractVersion);
  });

  test.each([
    ['http://127.0.0.1:4000', true],
    ['http://[::1]:4000', true],
    ['http://127.0.0.1:4001', false],
    ['https://www.example.com', false],
  ])('%s is an own address: %s', (origin, expected) => {
    const { allow } = rulesOf({
      seeds: ['http://127.0.0.1:4000/', 'http://[::1]:4000/', 'https://www.example.com/'],
    });

    expect(isOwnAddress(origin, allow)).toBe(expected);
  });
});

describe('pace', () => {
  const paceOf = (
    politeness: Record<string, unknown>,
    crawlDelaySeconds?: number,
    { origin = 'https://a.example', observedPace }: { origin?: string; observedPace?: ObservedPace } = {},
  ) => {
    const rules = compileCrawlRules({
      config: { seeds: ['https://a.example/', 'http://127.0.0.1:4000/'], politeness },
      configVersion: 1,
    });
    return hostPace(rules, { origin, crawlDelaySeconds, observedPace }, 500);
  };

  test.each([
    ['adaptive starts with one slot and the delay', {}, undefined, [8, 50], [1, 500]],
    ['fixed keeps its delay', { pace: 'fixed', delayMs: 2_000, slots: 4 }, undefined, [4, 2_000], [4, 2_000]],
    ['the rate is a floor', { ratePerSecond: 2 }, undefined, [8, 500], [1, 500]],
    ['Crawl-delay is a floor, with one slot', {}, 10, [1, 10_000], [1, 10_000]],
    ['Crawl-delay counts up to 60 s', {}, 600, [1, 60_000], [1, 60_000]],
    ['Crawl-delay may be ignored', { crawlDelay: 'ignore' }, 10, [8, 50], [1, 500]],
  ])('%s', (_name, politeness, delay, floor, seed) => {
    const pace = paceOf(politeness, delay);

    expect([pace.floor.slots, pace.floor.spacingMs]).toEqual(floor);
    expect([pace.seed.slots, pace.seed.spacingMs]).toEqual(seed);
  });

  test('a literal private address that the operator named needs no pause, unless one is set', () => {
    const own = { origin: 'http://127.0.0.1:4000' };
    expect(paceOf({}, undefined, own)).toMatchObject({ seed: { slots: 8, spacingMs: 0 }, observes: false });
    expect(paceOf({ delayMs: 100 }, undefined, own)).toMatchObject({
      seed: { slots: 1, spacingMs: 100 },
      observes: true,
    });
  });

  test('what was learned is where an adaptive pace starts, never faster than allowed', () => {
    const observedPace = { slots: 6, spacingMs: 20, firstByteMs: 40 };

    expect(paceOf({}, undefined, { observedPace }).seed).toEqual({ slots: 6, spacingMs: 50, firstByteMs: 40 });
    expect(paceOf({ slots: 2 }, 10, { observedPace }).seed).toEqual({ slots: 1, spacingMs: 10_000, firstByteMs: 40 });
    expect(paceOf({ pace: 'fixed', delayMs: 500 }, undefined, { observedPace }).seed).toMatchObject({
      slots: 8,
      spacingMs: 500,
    });
  });

  test('a host that failed often is probed with one fetch at a time', () => {
    const observedPace = { slots: 6, spacingMs: 100, firstByteMs: 40 };

    expect(probePace(paceOf({}, undefined, { observedPace }))).toMatchObject({
      floor: { slots: 1, spacingMs: 50 },
      seed: { slots: 1, spacingMs: 100 },
    });
  });
});
