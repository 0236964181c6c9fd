import { expect, test } from 'vitest';
import { ENGINE_SETTINGS, PUBLIC_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import type { Engine } from '../../../src/core/records.ts';
import { autocomplete } from '../../../src/search/autocomplete.ts';
import { cacheCompletions } from '../../../src/search-index/embedded/completions/completion-cache.ts';
import { emptySnapshot, type Snapshot } from '../../../src/search-index/embedded/read/snapshot.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { NO_TOOLS } from '../../helpers/no-tools.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

// Contract: 3. The first completions of a large engine take seconds on a machine that has no time.
const ENGINE: Engine = {
  id: 6,
  customerId: 3,
  name: 'Site',
  language: 'en',
  managedBy: undefined,
  createdAt: 0,
  settings: ENGINE_SETTINGS.parse({}),
  publicSettings: PUBLIC_DEFAULTS,
};
const TITLES = ['Solar panels', 'Solar park opens', 'Wind turbines', 'Solar roofs'];

/** Completions whose first list is never made. */
function pendingCompletions() {
  const made = Promise.withResolvers<Snapshot>();
  const snapshot = { ...emptySnapshot(ENGINE.id), live: 1_000 };
  const kept = cacheCompletions({
    current: async () => snapshot,
    loaded: () => made.promise,
    clock: { now: () => 1_000 },
    log: silentLog,
    inlineDocuments: 0,
    firstWaitMs: 0,
    openOf: () => {
      throw new Error('there is no segment');
    },
  });
  return {
    complete: kept.complete,
    async [Symbol.asyncDispose]() {
      made.resolve(snapshot);
      await kept[Symbol.asyncDispose]();
    },
  };
}

test('while the first completions are made, queries and titles that a search finds complete a text', async () => {
  await using index = createInMemoryIndex();
  await using pending = pendingCompletions();
  const writer = index.writer(ENGINE.id);
  writer.apply(TITLES.map((Title, i) => storedDocument({ rid: i + 1, fields: { Title } })));
  await writer.refresh();
  const documents = TITLES.map((Title, i) => storedDocument({ rid: i + 1, fields: { Title } }));
  const deps = {
    ...NO_TOOLS,
    searchIndex: {
      ...index,
      completions: (_engine: number, ...asked: Parameters<typeof pending.complete>) => pending.complete(...asked),
    },
    readDocuments: async (_engine: number, rids: readonly number[]) => rids.map((rid) => documents[rid - 1]),
    clock: { now: () => 1_000 },
    queryIds: { make: () => '' },
    popularQueries: async () => [{ query: 'solar panels', text: 'SOLAR panels', count: 9, resultCount: 2, lastAt: 1 }],
  };
  const suggest = async (query: string, limit = 5) => {
    const request = { query, limit, filters: [], topHits: [] };
    return (await autocomplete(deps, { engine: ENGINE, request, signal: never() })).suggestions;
  };

  expect(await suggest('sol')).toEqual(['SOLAR panels', 'Solar park opens', 'Solar roofs']);
  expect(await suggest('sol', 2)).toEqual(['SOLAR panels', 'Solar park opens']);
  expect(await suggest('turb')).toEqual(['Wind turbines']);
});
