import { expect, test } from 'vitest';
import { openRecentHosts } from '../../../src/crawl/slice/recent-hosts.ts';
import { NO_TRUST } from '../../../src/storage/engine/host-trust.ts';
import type { Host } from '../../../src/storage/engine/hosts.ts';

test('a host is as it was at most 500 ms ago', async () => {
  const { hosts, skip, change } = openHosts();
  await hosts.find(1);
  change('gm');

  skip(499);
  const before = await hosts.find(1);
  skip(1);
  const after = await hosts.find(1);

  expect([before?.health, after?.health]).toEqual(['g', 'gm']);
});

test('a clock that is set back does not prolong it', async () => {
  const { hosts, skip, change } = openHosts();
  await hosts.find(1);
  change('gm');

  skip(-3_600_000);

  expect((await hosts.find(1))?.health).toBe('gm');
});

test('visits at the same time read the host once', async () => {
  const { hosts, reads } = openHosts();

  await Promise.all([hosts.find(1), hosts.find(1), hosts.find(2)]);

  expect(reads).toEqual([1, 2]);
});

test.each([
  ['a good answer is not read again', { answer: 'good' }, 'g'],
  ['a missing page is', { answer: 'missing' }, 'gm'],
  ['a failure is', { answer: 'failure' }, 'gm'],
  ['a visit without an answer is', { answer: undefined }, 'gm'],
  ['what a good answer shows of the sitemap is', { answer: 'good', trust: { silent: true } }, 'gm'],
] as const)('after a visit the host is fresh: %s', async (_name, decision, health) => {
  const { hosts, change } = openHosts();
  await hosts.find(1);
  change('gm');

  hosts.visited(1, { trust: undefined, ...decision });

  expect((await hosts.find(1))?.health).toBe(health);
});

test('a host that was read for another reason is not read again', async () => {
  const { hosts, reads, host } = openHosts();

  hosts.looks()([host(1)]);

  expect((await hosts.find(1))?.health).toBe('g');
  expect(reads).toEqual([]);
});

test('what was read before a visit changed the host does not hide the change', async () => {
  const { hosts, change, host } = openHosts();
  const seen = hosts.looks();
  const before = host(1);
  change('gm');
  hosts.visited(1, { answer: 'missing', trust: undefined });

  seen([before]);

  expect((await hosts.find(1))?.health).toBe('gm');
});

test('what a visit changes of one host leaves the others', async () => {
  const { hosts, reads } = openHosts();
  await hosts.find(1);
  await hosts.find(2);

  hosts.visited(1, { answer: 'failure', trust: undefined });
  await hosts.find(2);

  expect(reads).toEqual([1, 2]);
});

/** A store of hosts that are all alike, which notes what is read of it. */
function openHosts() {
  let now = 1_000_000;
  let health = 'g';
  const reads: number[] = [];
  const host = (id: number): Host => {
    const held = { heldUntil: 0, holdReason: undefined, failures: 0, holds: 0 };
    const content = { notFound: undefined, probe: undefined, believedUntil: 0 };
    return { id, origin: 'http://a', ...held, health, trust: NO_TRUST, content, robots: undefined, pace: undefined };
  };
  const findHost = async (id: number) => {
    reads.push(id);
    return host(id);
  };
  return {
    hosts: openRecentHosts({ store: { findHost }, clock: { now: () => now } }),
    reads,
    host,
    skip: (ms: number) => {
      now += ms;
    },
    change: (to: string) => {
      health = to;
    },
  };
}
