import { expect, test } from 'vitest';
import type { DueRow } from '../../src/storage/engine/due-rows.ts';
import type { RecordedVisit } from '../../src/storage/engine/visits.ts';
import { CRAWLER, link, openFrontier, pageDocument, urlOf, visited } from '../helpers/frontier.ts';
import { seededRandom } from '../helpers/random.ts';

const NOW = 2_000;
const PAGES = 12;
const TARGETS = 20;
const TEXTS = 4;
const RUNS = [1, 2, 3];

/** Pages that link to each other and to common new ones by common names; some are copies that take another's place. */
function visitsOf(rows: readonly DueRow[], seed: number): readonly RecordedVisit[] {
  const random = seededRandom(seed);
  const below = (count: number) => random.whole(0, count - 1);
  const path = () => (below(3) === 0 ? `/p${below(PAGES)}` : `/new${below(TARGETS)}/x${below(3)}`);
  return rows.map((row): RecordedVisit => {
    const targets = [...new Set(Array.from({ length: 6 }, path))];
    const names = targets.map((_, at) => ({ link: at, text: `Text ${below(TEXTS)}` }));
    const target = below(6) === 0 ? link(path()) : undefined;
    return visited(row, {
      ...(target === undefined ? { document: { put: pageDocument(row.url, `Title ${below(5)}`) } } : { target }),
      answer: below(4) === 0 ? 'failure' : 'good',
      templates: { blocks: ['0123456789abcdef'], folder: `/f${below(2)}`, kept: undefined },
      links: { known: [], fresh: targets.map((each) => link(each)), names, pageLimit: 60 },
    });
  });
}

async function recorded(seed: number, atOnce: number): Promise<unknown> {
  await using frontier = await openFrontier();
  const { store } = frontier;
  await frontier.add(Array.from({ length: PAGES }, (_, at) => `/p${at}`));
  const lane = await frontier.lane();
  const rows = await frontier.take(lane, PAGES);
  const visits = visitsOf(rows, seed);
  const freshIds: unknown[] = [];
  for (let from = 0; from < visits.length; from += atOnce) {
    freshIds.push(...(await frontier.record(lane, visits.slice(from, from + atOnce), NOW)).freshIds);
  }
  await store.applyLinkTexts({ crawlerId: CRAWLER, changedBefore: NOW, limit: 1_000 });
  const changes = await store.changesAfter(0, { rows: 1_000, bytes: 1e9 });
  const hostId = rows[0]?.hostId ?? 0;
  return {
    freshIds,
    run: await store.findRun(frontier.runId),
    host: await store.findHost(hostId),
    urls: await Promise.all(
      [...new Set(visits.flatMap(({ links }) => links?.fresh.map(({ url }) => url) ?? []))].map((url) =>
        store.findUrl(CRAWLER, url),
      ),
    ),
    documents: changes
      .map(({ id, fields, linkTexts }) => ({ id, fields, linkTexts }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    visits: (await store.listVisits({ crawlerId: CRAWLER, limit: 100 })).map(({ url, outcome }) => `${url} ${outcome}`),
    sampled: (await store.templatesOf([hostId]))[0]?.sampled,
    folders: (await store.templatesOf([hostId]))[0]?.inFolders,
    waiting: (await frontier.take(lane, 100, NOW)).map(({ url, priority, flags }) => ({ url, priority, flags })),
    seed: urlOf('/'),
  };
}

test.each(RUNS)(
  'visits that are recorded together leave what they leave one after the other (seed %i)',
  async (seed) => {
    expect(await recorded(seed, PAGES)).toEqual(await recorded(seed, 1));
  },
);

test('a visit that fails leaves nothing of those beside it', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/a', '/b']);
  const lane = await frontier.lane();
  const [a, b] = (await frontier.take(lane, 2)) as [DueRow, DueRow];
  const broken = visited(b, {
    document: { put: { ...pageDocument(b.url, 'B'), language: null as unknown as string } },
  });

  await expect(
    frontier.record(lane, [visited(a, { document: { put: pageDocument(a.url, 'A') } }), broken]),
  ).rejects.toThrow(/null/i);
  expect(await frontier.store.countDocuments(CRAWLER)).toBe(0);
  expect((await frontier.record(lane, [visited(a)])).applied).toEqual([true]);
});

test('the links of a page that is an alias are added like those of any other', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/alias']);
  const lane = await frontier.lane();
  const [alias] = (await frontier.take(lane, 1)) as [DueRow];
  const links = { known: [], fresh: [link('/linked')], pageLimit: 60 };

  const { freshIds } = await frontier.record(lane, [visited(alias, { target: link('/target'), links })]);

  expect(freshIds).toEqual([[expect.any(Number)]]);
  const waiting = (await frontier.take(lane, 10, NOW)).map(({ url }) => url).sort();
  expect(waiting).toEqual([urlOf('/linked'), urlOf('/target')].sort());
});
