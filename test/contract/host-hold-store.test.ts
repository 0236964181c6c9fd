import { expect, test } from 'vitest';
import type { HostHold } from '../../src/storage/system/host-holds.ts';
import { openSystem } from '../helpers/open-system.ts';
import { storeAdapter } from '../helpers/store-adapter.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ORIGIN = 'https://site.example';

const hold = (more: Partial<HostHold> = {}): HostHold => ({
  origin: ORIGIN,
  urlTemplate: '',
  reason: 'rate-limited',
  since: 1,
  until: 60_000,
  askedUntil: undefined,
  times: 1,
  confirmed: false,
  urlTemplateSuspects: 0,
  hostSuspects: 0,
  urls: [`${ORIGIN}/a`],
  crawlerId: 17,
  configVersion: 2,
  ...more,
});

test('1: a hold takes the place of the one of its host and family, under a new generation', async () => {
  await using system = await openSystem();
  const { store } = system;
  await store.changeHolds({ put: [hold(), hold({ urlTemplate: '/p/{n}' })], drop: [] });
  const before = (await store.holdsOf(ORIGIN)).find(({ urlTemplate }) => urlTemplate === '');

  await store.changeHolds({
    put: [hold({ until: 90_000, confirmed: true })],
    drop: [{ origin: ORIGIN, urlTemplate: '/p/{n}' }],
  });

  const [after, ...others] = await store.holdsOf(ORIGIN);
  expect(others).toEqual([]);
  expect(after).toEqual({ ...hold({ until: 90_000, confirmed: true }), generation: after?.generation });
  expect(after?.generation).toBeGreaterThan(before?.generation ?? 0);
});

test('2: a hold of another process is seen as soon as it is committed, also after its time', async () => {
  await using folder = await temporaryFolder();
  await using reader = await openSystem(folder.path);
  await using writer = await openSystem(folder.path);

  await writer.store.changeHolds({ put: [hold({ until: 5 }), hold({ urlTemplate: '/q', until: 9 })], drop: [] });

  await storeAdapter.untilSeen(() => expect(reader.store.listHolds().map(({ until }) => until)).toEqual([9, 5]));
});

test('3: ending the holds of a host leaves those of others', async () => {
  await using system = await openSystem();
  const { store } = system;
  const other = hold({ origin: 'https://other.example' });
  await store.changeHolds({ put: [hold(), hold({ urlTemplate: '/q' }), other], drop: [] });

  const ended = await store.endHolds(ORIGIN);

  expect(ended.map(({ urlTemplate }) => urlTemplate).sort()).toEqual(['', '/q']);
  expect(store.listHolds()).toMatchObject([other]);
});

test('4: only holds that ended before are dropped', async () => {
  await using system = await openSystem();
  const { store } = system;
  await store.changeHolds({ put: [1, 2, 3, 4].map((until) => hold({ urlTemplate: `/${until}`, until })), drop: [] });

  expect([await store.dropHolds(4, 2), await store.dropHolds(4, 2)]).toEqual([2, 1]);
  expect(store.listHolds().map(({ urlTemplate }) => urlTemplate)).toEqual(['/4']);
});
