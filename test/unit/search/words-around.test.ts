import { describe, expect, test } from 'vitest';
import { normalQuery } from '../../../src/core/normal-query.ts';
import { createPopularQueries, createQueryNeighbours } from '../../../src/search/popular-queries.ts';
import { readQuery } from '../../../src/search/query/read-query.ts';
import { findRelatedSearches, findSuggestions } from '../../../src/search/suggestions.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { logSearch } from '../../helpers/log-search.ts';
import { openSystem } from '../../helpers/open-system.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

// Contract: 2.6, 2.9.
const ENGINE = { id: 6, language: 'en' };
const TITLES = [
  ...Array.from({ length: 25 }, () => 'Solar panels'),
  'Solar park',
  'Wind turbines',
  'Heat pump grants',
  'Electricity prices',
  'A solat',
  'Garden furniture',
];
const GROUPS = [{ id: 1, customerId: 3, language: 'en', words: ['power', 'electricity'] }];

type Logged = readonly (readonly [text: string, times: number, session?: string])[];

async function openSite(stack: AsyncDisposableStack, logged: Logged, titles = TITLES) {
  const index = stack.use(createInMemoryIndex());
  const writer = index.writer(ENGINE.id);
  writer.apply(titles.map((Title, i) => storedDocument({ rid: i + 1, fields: { Title } })));
  await writer.refresh();
  const { store } = stack.use(await openSystem());
  for (const [text, times, session] of logged) {
    for (let i = 0; i < times; i++) await logSearch(store, ENGINE.id, { text, ...(session && { session }) });
  }
  const popularQueries = createPopularQueries({
    store,
    log: silentLog,
    clock: { now: () => 1_000 },
    minCount: 2,
    maxAgeMs: 60_000,
  });
  const queryNeighbours = createQueryNeighbours({ popularQueries, store, log: silentLog });
  const synonyms = compileSynonyms(GROUPS, ['en']);
  const read = (text: string, operator: 'AND' | 'OR') =>
    readQuery(text, { operator, language: 'en', fields: [], synonyms });
  return { searchIndex: index, queryNeighbours, read };
}

describe('suggestions', () => {
  async function suggest(text: string, logged: Logged = [], total = 1, titles = TITLES) {
    await using stack = new AsyncDisposableStack();
    const { read, ...deps } = await openSite(stack, logged, titles);
    const neighbours = await deps.queryNeighbours.of(ENGINE);
    const query = read(text, 'OR');
    return await findSuggestions(deps, {
      engine: ENGINE,
      query,
      except: [text],
      total,
      neighbours,
      read,
      operator: 'OR',

      signal: never(),
    });
  }

  test('committed queries that share a word come first by likeness and frequency, never the query itself', async () => {
    const logged: Logged = [
      ['solar panels', 9],
      ['Solar Park', 3],
      ['solar park opening hours of the year', 3],
      ['wind', 20],
      ['solar', 50],
      ['solar once', 1],
    ];
    expect(await suggest('Solar', logged, 30)).toEqual([
      'solar panels',
      'Solar Park',
      'solar park opening hours of the year',
    ]);
  });

  test('what finds nothing is no suggestion', async () => {
    expect(await suggest('unicorn', [['unicorn horns', 5]])).toEqual([]);
  });

  test('a query with few results has committed queries that are two letters away', async () => {
    expect(await suggest('wnid', [['wind', 5]])).toContain('wind');
    expect(await suggest('wnid', [['wind', 5]], 30)).toEqual([]);
  });

  test('without any logged query a rare word has a much more frequent near one', async () => {
    expect(await suggest('solat')).toEqual(['solar']);
    expect(await suggest('solat', [], 30)).toEqual([]);
  });

  test('a rare word that is one edit from a word fifty times as frequent is put right before all else', async () => {
    const titles = [...TITLES, 'Seperate sheets', 'seperate', ...Array.from({ length: 100 }, () => 'Separate sheets')];
    const logged: Logged = [['seperate sheets of paper', 90]];

    expect(await suggest('seperate', logged, 2, titles)).toEqual(['separate', 'seperate sheets of paper']);
    expect(await suggest('Seperate sheets', logged, 100, titles)).toEqual([
      'Separate sheets',
      'seperate sheets of paper',
    ]);
    expect(await suggest('separate', [], 100, titles)).toEqual([]);
  });

  test('a word that no document has gives way to a frequent one, whatever other words have found', async () => {
    expect(await suggest('solr wind', [], 30)).toEqual(['solar wind']);
  });

  test('rare forms of a frequent word are not misspelt', async () => {
    const titles = [...TITLES, 'A panels', ...Array.from({ length: 100 }, () => 'The panel')];

    expect(await suggest('panels', [], 100, titles)).toEqual([]);
    expect(await suggest('panels', [], 2, titles)).toEqual([]);
  });

  test('a word that is cut short is continued by titles', async () => {
    expect(await suggest('heat pu', [], 0)).toContain('Heat pump grants');
    expect(await suggest('heat pump')).toEqual([]);
  });

  test('there are at most five', async () => {
    const logged = Array.from({ length: 20 }, (_, i) => [`solar ${i}`, 3] as const);
    expect(await suggest('solar', logged)).toHaveLength(5);
  });
});

describe('related searches', () => {
  async function relate(text: string, logged: Logged) {
    await using stack = new AsyncDisposableStack();
    const { read, ...deps } = await openSite(stack, logged);
    const query = read(text, 'OR');
    const signal = AbortSignal.timeout(5_000);
    return await findRelatedSearches(deps, {
      engine: ENGINE,
      query,
      except: [text],
      read,
      operator: 'OR',
      hidden: [],
      signal,
    });
  }

  test('are committed queries that share words, with the documents they find now', async () => {
    expect(
      await relate('solar panels', [
        ['solar', 4],
        ['Solar  Panels', 9],
        ['garden', 9],
        ['solar once', 1],
        ['panel solar park', 4],
      ]),
    ).toEqual([
      { text: 'panel solar park', documents: 26 },
      { text: 'solar', documents: 26 },
    ]);
  });

  test('share meaning through synonyms', async () => {
    expect(await relate('power', [['electricity prices', 3]])).toEqual([{ text: 'electricity prices', documents: 1 }]);
  });

  test('rank those of one query session higher', async () => {
    const plain: Logged = [
      ['solar park', 5],
      ['solar panels', 4],
    ];
    expect((await relate('solar', plain)).map(({ text }) => text)).toEqual(['solar park', 'solar panels']);

    const session: Logged = [...plain, ['solar', 1, 's1'], ['solar panels', 1, 's1']];
    expect((await relate('solar', session)).map(({ text }) => text)).toEqual(['solar panels', 'solar park']);
  });

  test('are ten at most, and none without a log', async () => {
    const logged = Array.from({ length: 30 }, (_, i) => [`solar ${i}`, 2] as const);

    expect(await relate('solar', logged)).toHaveLength(10);
    expect(await relate('solar', [])).toEqual([]);
  });
});

test('queries that are not in memory yet are read in the background', async () => {
  await using stack = new AsyncDisposableStack();
  const { queryNeighbours } = await openSite(stack, [['solar', 3]]);

  expect(queryNeighbours.ready(ENGINE)).toBeUndefined();

  const ready = await eventually(async () => queryNeighbours.ready(ENGINE));
  expect(ready.queries.map(({ query }) => query)).toEqual([normalQuery('solar')]);
});
