import { describe, expect, test } from 'vitest';
import { type BadAnswer, holdsAfter, holdsAfterGood } from '../../../src/crawl/rules/hold-policy.ts';
import type { HostHold } from '../../../src/storage/system/host-holds.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SITE = 'https://site.example';

/** A host whose answers follow one another. */
function host() {
  const holds = new Map<string, HostHold>();
  const apply = ({ put, drop }: ReturnType<typeof holdsAfter>) => {
    for (const { urlTemplate } of drop) holds.delete(urlTemplate);
    for (const hold of put) holds.set(hold.urlTemplate, hold);
  };
  const heldMs = (urlTemplate: string, now: number) => Math.max(0, (holds.get(urlTemplate)?.until ?? 0) - now);
  return {
    bad: (path: string, now: number, more: Partial<BadAnswer> = {}) => {
      const answer = { origin: SITE, url: SITE + path, reason: 'rate-limited', askedMs: undefined, now } as const;
      apply(holdsAfter([...holds.values()], { ...answer, crawlerId: 1, configVersion: 1, ...more }));
      return { host: heldMs('', now), urlTemplate: (pattern: string) => heldMs(pattern, now) };
    },
    good: (path: string, now: number) => {
      const change = holdsAfterGood([...holds.values()], { url: SITE + path, now });
      apply(change);
      return change.put.length + change.drop.length;
    },
    hold: (urlTemplate: string) => holds.get(urlTemplate),
  };
}

describe('a URL that asks to wait', () => {
  test('holds its family for a moment, not the host', () => {
    const held = host().bad('/p/1', 0, { askedMs: DAY });

    expect(held.host).toBe(0);
    expect(held.urlTemplate('/p/{n}')).toBe(30 * SECOND);
  });

  test('keeps its family waiting for a few seconds when it asks for no more', () => {
    expect(
      host()
        .bad('/p/1', 0, { askedMs: 5 * SECOND })
        .urlTemplate('/p/{n}'),
    ).toBe(5 * SECOND);
  });

  test('holds nothing but itself once others of its family have answered well', () => {
    const site = host();
    site.bad('/p/1', 0, { askedMs: DAY });
    site.good('/p/2', 31 * SECOND);

    const again = site.bad('/p/1', HOUR, { askedMs: DAY });

    expect([again.host, again.urlTemplate('/p/{n}')]).toEqual([0, 0]);
  });

  test('shows what it asked for beyond the hold', () => {
    const site = host();
    site.bad('/p/1', 0, { askedMs: DAY });

    expect(site.hold('/p/{n}')).toMatchObject({ askedUntil: DAY, urls: [`${SITE}/p/1`], crawlerId: 1 });
  });
});

describe('the whole host is held', () => {
  test('by a second family in a row', () => {
    const site = host();
    site.bad('/a/1', 0, { askedMs: 90 * SECOND });

    expect(site.bad('/b/1', 1, { askedMs: 90 * SECOND }).host).toBe(90 * SECOND);
  });

  test('by a third URL in a row', () => {
    const site = host();
    site.bad('/p/1', 0);
    expect(site.bad('/p/2', 31 * SECOND).host).toBe(0);

    expect(site.bad('/p/3', 40 * SECOND).host).toBe(MINUTE);
  });

  test('not by a second family after a good answer', () => {
    const site = host();
    site.bad('/a/1', 0);
    site.good('/c/1', 1);

    expect(site.bad('/b/1', 2).host).toBe(0);
  });

  test('not by URLs that are known to answer so beside others that answer well', () => {
    const site = host();
    for (const path of ['/a/1', '/b/1', '/c/1', '/d/1']) {
      site.bad(path, 0, { askedMs: MINUTE });
      site.good('/well', 1);
    }

    const again = ['/a/1', '/b/1', '/c/1', '/d/1'].map((path) => site.bad(path, 2 * MINUTE).host);

    expect(again).toEqual([0, 0, 0, 0]);
  });

  test('for an hour at most before a second answer confirms it, for a day at most then', () => {
    const site = host();
    site.bad('/a/1', 0, { askedMs: 9 * DAY });
    expect(site.bad('/b/1', 0, { askedMs: 9 * DAY }).host).toBe(HOUR);

    expect(site.bad('/c/1', HOUR, { askedMs: 9 * DAY }).host).toBe(DAY);
  });

  test('twice as long each time, up to 6 h, and as at first after a good answer', () => {
    const site = host();
    const holds = [];
    site.bad('/a/1', 0);
    for (let now = 0, i = 0; i < 11; i++) {
      const held = site.bad(`/b/${i}`, now).host;
      holds.push(held / MINUTE);
      now += held;
    }
    expect(holds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);

    site.good('/c/1', DAY);
    site.bad('/a/1', DAY);
    expect(site.hold('')).toBeUndefined();
  });

  test.each([
    ['dns-not-found', 5],
    ['host-held', 1],
  ] as const)('by %s at once, for %i min', (reason, minutes) => {
    expect(host().bad('/a/1', 0, { reason }).host).toBe(minutes * MINUTE);
  });
});

test('what was under way when a hold began does not double it', () => {
  const site = host();
  site.bad('/a/1', 0);
  const held = [site.bad('/b/1', 0).host, site.bad('/b/2', 300).host + 300, site.bad('/c/1', 600).host + 600];

  expect(held).toEqual([MINUTE, MINUTE + 300, MINUTE + 600]);
  expect(site.hold('')).toMatchObject({ times: 1, confirmed: false });
});

test('a good answer that was under way ends no hold of its own family or host', () => {
  const site = host();
  site.bad('/a/1', 0);
  site.bad('/b/1', 0);

  site.good('/a/2', 1);

  expect(site.hold('')?.until).toBe(MINUTE);
  expect(site.hold('/a/{n}')?.until).toBe(30 * SECOND);
});

test('a good answer changes nothing twice', () => {
  const site = host();
  site.bad('/a/1', 0);

  expect([site.good('/b/1', 1), site.good('/b/2', 2)]).toEqual([1, 0]);
});

test('a URL that answers well again is forgotten', () => {
  const site = host();
  site.bad('/a/1', 0);

  site.good('/a/1', MINUTE);

  expect(site.hold('/a/{n}')).toBeUndefined();
});
