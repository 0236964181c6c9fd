import { expect, test } from 'vitest';
import { createToolSnapshot } from '../../../src/search-tools/tool-snapshot.ts';
import type { QuicklinkDraft } from '../../../src/storage/system/tools.ts';
import { openSystem } from '../../helpers/open-system.ts';

const CONTACT: QuicklinkDraft = { engineId: 6, url: '/contact', terms: [{ id: undefined, name: 'Contact' }] };
const BY = { actor: 'operator', at: 5, customerId: 3 };

async function openTools() {
  const system = await openSystem();
  const { store } = system;
  const clock = { time: 1_000, now: () => clock.time };
  await store.changeRecords('test', [{ kind: 'put-customer', id: 3, name: 'Three' }], 0);
  await store.changeRecords('test', [{ kind: 'put-customer', id: 4, name: 'Four' }], 0);
  const tools = createToolSnapshot({ store, clock });
  const found = async (customerId: number) =>
    (await tools.of(customerId)).findQuicklinks('contact').map(({ id }) => id);
  return { store, clock, tools, found, [Symbol.asyncDispose]: () => system[Symbol.asyncDispose]() };
}

test('a change is seen 250 ms later', async () => {
  await using opened = await openTools();
  const { store, clock, found } = opened;
  expect(await found(3)).toEqual([]);

  const { id } = await store.addTool('quicklink', CONTACT, BY);
  clock.time += 249;
  expect(await found(3)).toEqual([]);
  clock.time += 1;
  expect(await found(3)).toEqual([id]);

  await store.replaceTool('quicklink', { customerId: 3, id, draft: { ...CONTACT, terms: [] } }, BY);
  clock.time = 0;
  expect(await found(3)).toEqual([]);
});

test('nothing is read again while nothing is committed', async () => {
  await using opened = await openTools();
  const { clock, tools } = opened;
  const first = await tools.of(3);
  clock.time += 10_000;

  expect(await tools.of(3)).toBe(first);
});

test('a customer has its own tools only, and of each kind', async () => {
  await using opened = await openTools();
  const { store, tools, found } = opened;
  const { id } = await store.addTool('quicklink', CONTACT, BY);
  await store.addTool('ranking', { engineId: 6, name: 'r', terms: CONTACT.terms, audiences: undefined, pins: [] }, BY);
  await store.addSynonymGroup({ customerId: 3, language: 'en', words: ['sun', 'solar'] }, BY);

  const { findRankings, synonymGroups } = await tools.of(3);

  expect([await found(3), await found(4)]).toEqual([[id], []]);
  expect(findRankings('CONTACT').map(({ name }) => name)).toEqual(['r']);
  expect(synonymGroups.map(({ words }) => words)).toEqual([['sun', 'solar']]);
});

test('tools of 1,000 other customers do not stay for ever', async () => {
  await using opened = await openTools();
  const { tools } = opened;
  const first = await tools.of(3);

  for (let customerId = 1_001; customerId <= 2_000; customerId++) await tools.of(customerId);

  expect(await tools.of(3)).not.toBe(first);
});
