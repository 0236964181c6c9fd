import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdminApi } from '../../helpers/admin-api.ts';
import { SITE, startToolSite, type ToolSite } from '../../helpers/tool-site.ts';

const NAME = 'fossick.config.yaml';
const HOURS = {
  name: 'Hours',
  queries: ['hours', 'opening*'],
  pins: [{ url: `${SITE}/opening-hours` }, { url: `${SITE}/prices`, hidden: true }],
};
const BANNER = { name: 'Sale', html: '<b>Sale</b>', queries: ['sale'], from: '2030-01-01', audiences: ['member'] };
const QUICKLINK = { url: '/contact', queries: ['contact'] };
const SYNONYMS = { language: 'en', words: ['power', 'electricity'] };

type Tools = Readonly<Record<string, readonly object[]>>;
const contentOf = (tools: Tools, synonyms: readonly object[] = []) => ({
  version: 1,
  customers: [
    {
      id: 3,
      name: 'Example',
      engines: [{ id: 6, name: 'Site', ...tools }],
      crawlers: [{ id: 17, engine: 6, name: 'Pages', seeds: [`${SITE}/`] }],
      synonyms,
    },
  ],
});
const ALL = contentOf(
  {
    rankings: [HOURS],
    banners: [BANNER],
    quicklinks: [QUICKLINK],
    hiddenPages: [{ url: `${SITE}/about/people`, note: 'Old' }],
  },
  [SYNONYMS],
);

describe('with pages', () => {
  let site: ToolSite;
  beforeAll(async () => {
    site = await startToolSite();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const send = async (verb: 'plan' | 'apply', content: object) => {
    const { status, body } = await site.api.post(`/configuration/${verb}`, { name: NAME, content });
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    return {
      changes: body.changes.map(({ action, record }: { action: string; record: string }) => `${action} ${record}`),
      warnings: body.warnings,
    };
  };
  const get = async (path: string) => (await site.api.get(path)).body;

  test('tools of a file are made, are its own, and stay as they are', async () => {
    const plan = await send('plan', ALL);
    const applied = await send('apply', ALL);

    expect(plan).toEqual(applied);
    expect(plan.changes.slice(-5)).toEqual([
      'create ranking Hours of engine 6',
      'create banner Sale of engine 6',
      'create quicklink /contact of engine 6',
      `create hidden page ${SITE}/about/people of engine 6`,
      'create synonyms of power (en) of customer 3',
    ]);
    expect(await send('plan', ALL)).toEqual({ changes: [], warnings: [] });
    const [ranking] = (await get('/engines/6/rankings')).items;
    expect(ranking).toMatchObject({ queries: HOURS.queries, managedBy: NAME });
    expect(ranking.pins).toMatchObject([
      { documentId: `${SITE}/opening-hours/`, url: `${SITE}/opening-hours`, title: 'When we are open', place: 1 },
      { documentId: `${SITE}/prices`, title: 'Prices', hidden: true },
    ]);
    expect(await get('/audit?limit=1')).toMatchObject({
      items: [{ actor: `provision:${NAME}`, action: 'add-synonym-group' }],
    });
    for (const kind of ['rankings', 'banners', 'quicklinks', 'hidden-pages']) {
      const [{ id }] = (await get(`/engines/6/${kind}`)).items;
      const { status, body } = await site.api.delete(`/engines/6/${kind}/${id}`);
      expect({ status, message: body.message }).toEqual({
        status: 409,
        message: expect.stringContaining(`is managed by ${NAME}: remove it there and run fossick apply`),
      });
    }
    const [{ id }] = (await get('/customers/3/synonyms')).items;
    expect((await site.api.delete(`/customers/3/synonyms/${id}`)).status).toBe(409);
  });

  test('what changes in the file changes, and what leaves it is removed', async () => {
    await send('apply', ALL);
    const before = (await get('/engines/6/rankings')).items[0];
    const changed = contentOf({ rankings: [{ ...HOURS, queries: ['hours'] }], banners: [BANNER] }, [
      { ...SYNONYMS, words: ['Power', 'current'] },
    ]);

    const { changes } = await send('apply', changed);

    expect(changes).toEqual([
      'change ranking Hours of engine 6',
      'remove quicklink /contact of engine 6',
      `remove hidden page ${SITE}/about/people of engine 6`,
      'create synonyms of Power (en) of customer 3',
      'remove synonyms of power (en) of customer 3',
    ]);
    const after = (await get('/engines/6/rankings')).items[0];
    expect(after).toMatchObject({ id: before.id, queries: ['hours'], pins: before.pins });
    expect((await get('/engines/6/quicklinks')).items).toEqual([]);
    expect((await get('/customers/3/synonyms')).items).toMatchObject([{ words: ['Power', 'current'] }]);
  });

  test('tools of editors stay, and one that is called the same is taken over', async () => {
    await send('apply', contentOf({}));
    const { body: own } = await site.api.post('/engines/6/quicklinks', { url: '/own', queries: ['own'] });
    const { body: same } = await site.api.post('/engines/6/quicklinks', QUICKLINK);

    const { changes } = await send('apply', contentOf({ quicklinks: [QUICKLINK] }));

    expect(changes).toEqual(['change quicklink /contact of engine 6']);
    expect((await get('/engines/6/quicklinks')).items).toMatchObject([
      { id: own.id, managedBy: null },
      { id: same.id, managedBy: NAME },
    ]);
  });

  test('tools of an engine that leaves the file are released', async () => {
    await send('apply', ALL);

    const { changes } = await send('apply', { version: 1, customers: [] });

    expect(changes).toContain('release ranking Hours of engine 6');
    expect(changes).toContain('release synonyms of power (en) of customer 3');
    const { items } = await get('/engines/6/rankings');
    expect(items).toMatchObject([{ name: 'Hours', managedBy: null, pins: [{ place: 1 }, { hidden: true }] }]);
    expect((await send('plan', { version: 1, customers: [] })).changes).toEqual([]);
  });

  test('a page that is no document yet is kept with a warning, and found when it comes', async () => {
    const pins = [{ url: `${SITE}/coming` }];
    const content = contentOf({ rankings: [{ name: 'Soon', queries: ['soon'], pins }] });

    const { warnings } = await send('apply', content);
    const guess = (await get('/engines/6/rankings')).items.find(({ name }: { name: string }) => name === 'Soon');
    const checked = await site.api.post('/engines/6/tools/check', {});
    const store = await site.api.deps.engineStores.of(6);
    const fields = new Map([
      ['Title', ['Coming']],
      ['Url', [`${SITE}/coming`]],
    ]);
    const document = { id: 'item-9', kind: 'PageContent', language: 'en', origin: 'pushed', fields } as const;
    await store.putDocuments(17, [document], 9);
    await site.index();
    const later = await send('apply', content);

    expect(warnings).toEqual([`ranking Soon of engine 6: there is no document at ${SITE}/coming yet`]);
    expect(guess.pins).toMatchObject([{ documentId: `${SITE}/coming`, url: `${SITE}/coming` }]);
    expect(checked.body.items).toContainEqual(expect.objectContaining({ name: 'Soon', targets: [`${SITE}/coming`] }));
    expect(later).toEqual({ changes: ['change ranking Soon of engine 6'], warnings: [] });
    const found = (await get('/engines/6/rankings')).items.find(({ name }: { name: string }) => name === 'Soon');
    expect(found.pins).toMatchObject([{ documentId: 'item-9', url: `${SITE}/coming`, title: 'Coming' }]);
    expect((await send('plan', content)).changes).toEqual([]);
  });

  test.each<[string, Tools, string]>([
    [
      'a page without a name',
      { rankings: [{ name: 'R', pins: [{ place: 1 }] }] },
      'customers[0].engines[0].rankings[0].pins[0].url',
    ],
    [
      'an unknown member',
      { quicklinks: [{ url: '/a', querys: ['a'] }] },
      'customers[0].engines[0].quicklinks[0].querys',
    ],
    ['a wrong time', { banners: [{ ...BANNER, to: 'soon' }] }, 'customers[0].engines[0].banners[0].to'],
    [
      'an engine of somebody else',
      { banners: [{ ...BANNER, engines: [6, 99] }] },
      'customers[0].engines[0].banners[0].engines[1]',
    ],
  ])('%s is refused at its place', async (_what, tools, path) => {
    const answer = await site.api.post('/configuration/plan', { name: NAME, content: contentOf(tools) });

    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });
});

test('what is exported makes the same on an empty installation, and is no change where it came from', async () => {
  await using site = await startToolSite();
  const { api } = site;
  await api.post('/engines', { id: 7, customer: 3, name: 'Other' });
  const twice = { ...HOURS, pins: [{ documentId: 'item-7', place: 4 }] };
  for (const ranking of [HOURS, twice, { name: 'Empty' }]) await api.post('/engines/6/rankings', ranking);
  const whole = {
    ...BANNER,
    to: '2030-02-01T00:00:00+01:00',
    disabled: true,
    engines: [6, 7],
    frequency: { times: 3 },
    daysOfWeek: [1],
    cssCode: 'b{}',
    jsonOption: '{}',
    editorType: 'html',
  };
  for (const banner of [whole, { name: 'Plain', html: 'x' }]) await api.post('/engines/6/banners', banner);
  await api.post('/engines/7/quicklinks', QUICKLINK);
  await api.post('/engines/6/hidden-pages', { documentId: 'item-7', note: 'Gone soon' });
  await api.post('/customers/3/synonyms', SYNONYMS);
  const { file } = (await api.get('/configuration')).body;

  const back = await api.post('/configuration/apply', { name: NAME, content: file });
  await using empty = await startAdminApi();
  const made = await empty.post('/configuration/apply', { name: NAME, content: JSON.parse(JSON.stringify(file)) });

  expect(made.status).toBe(200);
  expect(made.body.warnings).toHaveLength(4);
  expect(back.body.changes.filter(({ members }: { members: string[] }) => members.join() !== 'managedBy')).toEqual([]);
  expect((await empty.get('/configuration')).body.file).toEqual(file);
  const shown = async (from: typeof api, path: string) =>
    JSON.parse(
      JSON.stringify((await from.get(path)).body.items, (name, value) =>
        ['id', 'hiddenAt'].includes(name) ? undefined : value,
      ),
    );
  for (const path of [
    '/engines/6/rankings',
    '/engines/6/banners',
    '/engines/7/quicklinks',
    '/engines/6/hidden-pages',
    '/customers/3/synonyms',
  ]) {
    expect(await shown(empty as typeof api, path)).toEqual(await shown(api, path));
  }
});
