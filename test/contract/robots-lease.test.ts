import { describe, expect, test } from 'vitest';
import { CRAWLER, openFrontier } from '../helpers/frontier.ts';

describe('hosts, promise 2: one of those who have seen the same robots copy gets the right to replace it', () => {
  test('also when the others come after it was replaced', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;
    const { id } = await store.ensureHost(CRAWLER, 'https://site.example');
    const lease = (seenAt: number | undefined, now: number) =>
      store.leaseRobots(id, { seenAt, seenHeldUntil: 0, now, leaseMs: 10 });

    expect(await lease(undefined, 100)).toBe(true);
    expect(await lease(undefined, 101)).toBe(false);
    await store.saveRobots(id, { body: undefined, status: 404, at: 102, goodAt: 102 }, undefined);
    expect(await lease(undefined, 103)).toBe(false);
    expect(await lease(102, 104)).toBe(true);
    expect(await lease(102, 105)).toBe(false);
  });

  test('also of a copy that stays unreachable and keeps its time, by the hold that comes with it', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;
    const { id } = await store.ensureHost(CRAWLER, 'https://site.example');
    const lease = (seenHeldUntil: number, now: number) =>
      store.leaseRobots(id, { seenAt: 100, seenHeldUntil, now, leaseMs: 10 });
    const lost = { body: undefined, status: 503, at: 100, goodAt: undefined };
    await store.saveRobots(id, lost, { untilAt: 200, reason: 'robots-unreachable' });

    expect(await lease(200, 300)).toBe(true);
    await store.saveRobots(id, lost, { untilAt: 500, reason: 'robots-unreachable' });
    expect(await lease(200, 302)).toBe(false);
    expect(await store.findHost(id)).toMatchObject({ heldUntil: 500, holdReason: 'robots-unreachable' });
  });

  test('who gives it back unused lets another have it; a late one takes it from nobody', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;
    const { id } = await store.ensureHost(CRAWLER, 'https://site.example');
    const lease = (now: number) => store.leaseRobots(id, { seenAt: undefined, seenHeldUntil: 0, now, leaseMs: 10_000 });

    await lease(100);
    await store.freeRobots(id, 100);
    expect(await lease(101)).toBe(true);
    await store.freeRobots(id, 100);
    expect(await lease(102)).toBe(false);
  });

  test('until somebody who does not come back has had it for too long', async () => {
    await using frontier = await openFrontier();
    const { id } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
    const lease = (now: number) =>
      frontier.store.leaseRobots(id, { seenAt: undefined, seenHeldUntil: 0, now, leaseMs: 10 });

    expect([await lease(100), await lease(110), await lease(111)]).toEqual([true, false, true]);
  });
});
