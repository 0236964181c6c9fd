import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OPERATOR_TOKEN } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { SITE, startToolSite, type ToolSite } from '../../helpers/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await startToolSite();
});
afterAll(() => site[Symbol.asyncDispose]());

const at = (path: string) => `/engines/6/${path}`;
const query = 'opening hours';

beforeEach(async () => {
  for (const kind of ['rankings', 'banners', 'quicklinks', 'hidden-pages']) {
    for (const { id } of (await site.api.get(at(kind))).body.items) await site.api.delete(at(`${kind}/${id}`));
  }
});

async function preview(body: object) {
  const { status, body: answer } = await site.api.post(at('preview'), { query, ...body });
  expect({ status, message: answer.message }).toEqual({ status: 200, message: undefined });
  return answer;
}

type Hit = { readonly url: string; readonly place: number; readonly placeBefore: number | null };
const placesOf = ({ hits }: { readonly hits: readonly Hit[] }) =>
  hits.map(({ url, place, placeBefore }) => [url.replace(SITE, ''), place, placeBefore]);

test('without any tools a search is as visitors have it, each hit at its place', async () => {
  const found = await preview({});

  expect(placesOf(found)).toEqual([
    ['/opening-hours/', 1, 1],
    ['/about/people', 2, 2],
    ['/prices', 3, 3],
  ]);
  expect(found.hits[0]).toMatchObject({
    documentId: `${SITE}/opening-hours/`,
    title: 'When we are open',
    crawler: 17,
    pinnedBy: null,
  });
  expect(found.hits[0].snippet).toContain('<b>Opening</b>');
  expect(found).toMatchObject({
    total: 3,
    page: 1,
    perPage: 10,
    removed: [],
    rankings: [],
    banners: [],
    before: { total: 3 },
  });
});

test('a search may be looked at as if there were no tools', async () => {
  await site.api.post(at('pins'), { query, url: `${SITE}/prices`, place: 1 });
  await site.api.post(at('hidden-pages'), { url: `${SITE}/about/people` });

  const found = await preview({ withoutTools: true });

  expect(placesOf(found)).toEqual([
    ['/opening-hours/', 1, 1],
    ['/about/people', 2, 2],
    ['/prices', 3, 3],
  ]);
  expect(found).toMatchObject({ removed: [], rankings: [] });
});

test('stored tools and unsaved ones act together, and nothing is stored or counted', async () => {
  const pinned = await site.api.post(at('pins'), { query, url: `${SITE}/prices`, place: 1 });
  const before = await site.api.get('/audit?limit=1');

  const found = await preview({
    tools: {
      rankings: [
        {
          name: 'Wide',
          queries: ['opening*'],
          pins: [
            { documentId: 'item-7', place: 2 },
            { url: `${SITE}/about/people`, hidden: true },
          ],
        },
      ],
      banners: [{ name: 'Sale', html: '<b onclick="x()">Sale</b>', queries: [query] }],
      quicklinks: [{ url: '/hours', queries: ['opening hours'] }],
    },
  });

  expect(placesOf(found)).toEqual([
    ['/prices', 1, 3],
    ['/battery?size=2', 2, null],
    ['/opening-hours/', 3, 1],
  ]);
  expect(found.hits[0].pinnedBy).toEqual({ id: pinned.body.ranking.id, name: query });
  expect(found.hits[1].pinnedBy).toEqual({ id: null, name: 'Wide' });
  expect(found.removed).toEqual([
    {
      ...{ documentId: `${SITE}/about/people`, url: `${SITE}/about/people`, title: 'Our people', placeBefore: 2 },
      hiddenBy: { tool: 'ranking', id: null, name: 'Wide' },
    },
  ]);
  expect(found.banners).toEqual([{ id: null, name: 'Sale', html: '<b>Sale</b>' }]);
  expect(found.quicklinks).toEqual([{ id: null, url: '/hours', term: 'opening hours' }]);
  expect(found).toMatchObject({ total: 3, before: { total: 3 } });
  expect((await site.api.get('/audit?limit=1')).body).toEqual(before.body);
  expect((await site.api.get(at('rankings'))).body.items).toHaveLength(1);
});

test('an unsaved tool with an id stands in place of the stored one, and stored ones are taken away', async () => {
  const { body } = await site.api.post(at('pins'), { query, url: `${SITE}/prices`, place: 1 });
  const hidden = await site.api.post(at('hidden-pages'), { url: `${SITE}/about/people` });
  const changed = { id: body.ranking.id, name: query, queries: [query], pins: [{ url: `${SITE}/prices`, place: 2 }] };

  const stored = await preview({});
  const moved = await preview({ tools: { rankings: [changed] } });
  const without = await preview({ tools: { remove: { rankings: [body.ranking.id], hiddenPages: [hidden.body.id] } } });

  expect(placesOf(stored)).toEqual([
    ['/prices', 1, 3],
    ['/opening-hours/', 2, 1],
  ]);
  expect(stored.removed).toMatchObject([{ hiddenBy: { tool: 'hidden-page', id: hidden.body.id } }]);
  expect(placesOf(moved)).toEqual([
    ['/opening-hours/', 1, 1],
    ['/prices', 2, 3],
  ]);
  expect(placesOf(without).map(([url]) => url)).toEqual(['/opening-hours/', '/about/people', '/prices']);
});

test('unsaved pins act as they would be stored, one after the other', async () => {
  await site.api.post(at('pins'), { query, url: `${SITE}/prices`, place: 1 });
  const pins = [
    { query, url: `${SITE}/about/people`, place: 1 },
    { query, documentId: 'item-7', place: 2 },
    { query: 'other', url: `${SITE}/`, place: 1 },
    { query, url: `${SITE}/opening-hours`, hidden: true },
  ];

  const found = await preview({ tools: { pins } });

  expect(placesOf(found)).toEqual([
    ['/about/people', 1, 2],
    ['/battery?size=2', 2, null],
    ['/prices', 3, 3],
  ]);
  expect(found.removed).toMatchObject([{ documentId: `${SITE}/opening-hours/`, placeBefore: 1 }]);
  expect(found.rankings).toHaveLength(1);
});

test('a time and traits tell which banners would be shown', async () => {
  const banner = (name: string, more: object) => ({ name, html: name, queries: [query], ...more });
  const tools = {
    banners: [banner('Summer', { from: '2030-06-01', to: '2030-08-31' }), banner('Members', { audiences: ['member'] })],
  };
  const names = async (more: object) =>
    (await preview({ tools, ...more })).banners.map(({ name }: { name: string }) => name);

  expect(await names({})).toEqual([]);
  expect(await names({ at: '2030-07-01T12:00:00+02:00' })).toEqual(['Summer']);
  expect(await names({ traits: ['Member'], at: '2030-08-31T23:00:00Z' })).toEqual(['Summer', 'Members']);
});

test('unsaved synonyms find what they stand for, and unsaved hidden pages are taken out', async () => {
  const synonyms = [{ language: 'en', words: ['house', 'batteries'] }];

  const found = await preview({ query: 'house', tools: { synonyms, hiddenPages: [{ url: `${SITE}/` }] } });

  expect(
    placesOf(found)
      .map(([url]) => url)
      .sort(),
  ).toEqual(['/battery?size=2', '/opening-hours/']);
  expect(found.synonyms).toEqual(['batteries']);
  expect(found.before).toEqual({ total: 2, fixedQuery: '' });
});

test('pages, filters and a language narrow a preview as they do a search', async () => {
  const second = await preview({ perPage: 2, page: 2 });
  const filtered = await preview({ filters: { Title: ['Prices'] } });

  expect(placesOf(second)).toEqual([['/prices', 3, 3]]);
  expect(placesOf(filtered)).toEqual([['/prices', 1, 1]]);
  expect((await preview({ language: 'de' })).total).toBe(0);
});

test.each([
  [{ page: 0 }, 'page'],
  [{ at: 'now' }, 'at'],
  [{ tools: { rankings: [{ queries: [] }] } }, 'tools.rankings[0].name'],
  [{ search: { operator: 'XOR' } }, 'operator'],
  [{ tool: {} }, 'tool'],
])('%j is refused at %s', async (body, path) => {
  const answer = await site.api.post(at('preview'), { query, ...body });

  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
});

test('a page that is no document is refused with the nearest', async () => {
  const pins = [{ url: `${SITE}/price` }];

  const answer = await site.api.post(at('preview'), {
    query,
    tools: { rankings: [{ name: 'R', queries: [query], pins }] },
  });

  expect(answer).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining(`did you mean ${SITE}/prices`) },
  });
});

test('the commands show what tools do, and what a pin would do', async () => {
  await site.api.post(at('pins'), { query, url: `${SITE}/prices`, place: 1 });
  await site.api.post(at('hidden-pages'), { url: `${SITE}/about/people` });
  await site.api.post(at('banners'), { name: 'Sale', html: 'Sale', queries: [query] });
  const run = (...args: readonly string[]) => runCli([...args, '--url', site.api.origin, '--token', OPERATOR_TOKEN]);

  const shown = await run('test', '6', 'opening', 'hours');
  const pin = await run('pin', 'test', '6', query, `${SITE}/battery?size=2`, '1');

  expect(shown.out).toMatch(
    /^1 +3 +https:\/\/www\.example\.com\/prices +Prices +pinned by ranking \d+ \(opening hours\)$/m,
  );
  expect(shown.out).toContain(`Not shown: ${SITE}/about/people, place 2 without tools (hidden-page `);
  expect(shown.out).toMatch(/^Banner: \d+ \(Sale\)\n2 in all, 3 without tools$/m);
  expect(pin.out).toMatch(/^1 +- +https:\/\/www\.example\.com\/battery\?size=2 +Batteries +pinned by ranking \d+/m);
  expect(pin.out).toMatch(/^2 +3 +https:\/\/www\.example\.com\/prices +Prices +pinned by ranking \d+/m);
  expect((await site.api.get(at('pins'))).body.items).toHaveLength(1);
});
