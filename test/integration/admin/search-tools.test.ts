import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SITE, startToolSite, type ToolSite } from '../../helpers/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await startToolSite();
});
afterAll(() => site[Symbol.asyncDispose]());

const at = (path: string) => `/engines/6/${path}`;
const get = async (path: string) => (await site.api.get(path)).body;
const auditOf = async (count: number) =>
  (await get(`/audit?limit=${count}`)).items.map((row: Record<string, unknown>) => [row['action'], row['target']]);

beforeEach(async () => {
  for (const kind of ['rankings', 'banners', 'quicklinks', 'hidden-pages']) {
    for (const { id } of (await get(at(kind))).items) await site.api.delete(at(`${kind}/${id}`));
  }
});

describe('records', () => {
  const RANKING = {
    name: 'Hours',
    queries: ['hours'],
    audiences: ['member'],
    pins: [{ url: `${SITE}/prices`, place: 2 }],
  };
  const BANNER = {
    ...{ name: 'Sale', html: '<b>Sale</b>', queries: ['sale'], disabled: false },
    ...{ from: '2020-01-01', to: null, audiences: [], engines: [6], frequency: null, daysOfWeek: null },
    ...{ cssCode: null, jsonOption: null, editorType: null },
  };
  const QUICKLINK = { url: '/contact', queries: ['contact'] };

  test.each([
    ['rankings', RANKING, { pins: [{ title: 'Prices', place: 2, hidden: false }] }, { name: 'Changed' }],
    ['banners', BANNER, { from: '2020-01-01T00:00:00.000Z', activeNow: true }, { disabled: true }],
    ['quicklinks', QUICKLINK, { broken: false }, { url: 'https://other.example/contact' }],
  ])('of %s are made, shown, listed, replaced and removed', async (kind, record, shown, change) => {
    const made = await site.api.post(at(kind), record);
    const path = at(`${kind}/${made.body.id}`);
    const { warnings, ...stored } = made.body;
    const listed = await get(at(kind));
    const replaced = await site.api.call('PUT', path, { ...record, ...change });
    const removed = await site.api.delete(path);

    expect({ status: made.status, warnings }).toEqual({ status: 201, warnings: [] });
    expect(stored).toMatchObject({ ...record, ...shown, engine: 6, brokenLinksFoundAt: null, managedBy: null });
    expect(listed).toEqual({ items: [stored], next: null });
    expect(replaced).toMatchObject({ status: 200, body: { id: stored.id, ...change } });
    expect(removed.status).toBe(204);
    expect((await site.api.get(path)).status).toBe(404);
    const noun = kind.slice(0, -1);
    expect(await auditOf(3)).toEqual(
      ['remove', 'change', 'add'].map((verb) => [`${verb}-${noun}`, `engine:6/${noun}:${stored.id}`]),
    );
  });

  test('that a query calls up are listed for it', async () => {
    for (const queries of [['hours'], ['opening*'], []]) await site.api.post(at('quicklinks'), { url: '/a', queries });

    const { items } = await get(at('quicklinks?query=opening%20hours'));

    expect(items).toMatchObject([{ queries: ['opening*'] }]);
  });

  test('of other engines are not there, but a banner is wherever it is shown', async () => {
    await site.api.post('/engines', { id: 7, customer: 3, name: 'Other' });
    const { body: quicklink } = await site.api.post(at('quicklinks'), QUICKLINK);
    const { body: banner } = await site.api.post(at('banners'), { ...BANNER, engines: [6, 7] });

    expect((await site.api.get(`/engines/7/quicklinks/${quicklink.id}`)).status).toBe(404);
    expect(await get('/engines/7/banners')).toMatchObject({ items: [{ id: banner.id, engine: 6 }] });
    expect((await site.api.post(at('banners'), { ...BANNER, engines: [99] })).status).toBe(403);
    await site.api.delete('/engines/7');
  });

  test('keep a pin whose document is gone, and take no new one', async () => {
    const { body } = await site.api.post(at('rankings'), RANKING);
    const store = await site.api.deps.engineStores.of(6);
    const kept = await store.findDocument(17, `${SITE}/prices`);
    await site.remove('/prices');
    const put = (pins: readonly object[]) => site.api.call('PUT', at(`rankings/${body.id}`), { ...RANKING, pins });

    const renamed = await put([{ documentId: `${SITE}/prices`, place: 1 }]);
    const other = await put([{ documentId: 'nothing', place: 1 }]);
    await store.putDocuments(17, [{ ...kept!, fields: kept!.fields }], 3);
    await site.index();

    expect(renamed).toMatchObject({ status: 200, body: { pins: [{ id: body.pins[0].id, place: 1 }] } });
    expect(other.status).toBe(404);
  });

  test('of the second editor are refused when the first has changed them', async () => {
    const made = await site.api.post(at('quicklinks'), QUICKLINK);
    const path = `${site.api.origin}/admin/v1${at(`quicklinks/${made.body.id}`)}`;
    const headers = { authorization: 'Bearer operator-token-of-the-tests', 'content-type': 'application/json' };
    const tag = (await fetch(path, { headers })).headers.get('etag') ?? '';
    const put = (url: string) =>
      fetch(path, {
        method: 'PUT',
        headers: { ...headers, 'if-match': tag },
        body: JSON.stringify({ ...QUICKLINK, url }),
      });

    const first = await put('/first');
    const second = await put('/second');
    const removed = await fetch(path, {
      method: 'DELETE',
      headers: { authorization: headers.authorization, 'if-match': tag },
    });

    expect([first.status, second.status, removed.status]).toEqual([200, 412, 412]);
    expect(await second.json()).toMatchObject({
      errorCode: 'record.changed',
      message: 'Somebody else changed this in the meantime: look at it and try again',
    });
    expect(await get(at(`quicklinks/${made.body.id}`))).toMatchObject({ url: '/first' });
  });

  test.each([
    ['rankings', { name: 'R', pins: [{}] }, 'pins[0].url'],
    ['rankings', { name: 'R', pins: [{ url: 'a', documentId: 'b' }] }, 'pins[0].url'],
    ['rankings', { name: ' ' }, 'name'],
    ['rankings', { name: 'R', queries: [''] }, 'queries[0]'],
    ['rankings', { name: 'R', pins: [{ url: `${SITE}/`, place: 0 }] }, 'pins[0].place'],
    ['banners', { name: 'B', html: 'x', from: '2030-01-02', to: '2030-01-01' }, 'from'],
    ['banners', { name: 'B', html: 'x', from: 'soon' }, 'from'],
    ['quicklinks', { url: 'javascript:alert(1)' }, 'url'],
    ['quicklinks', { url: '//evil.example' }, 'url'],
    ['quicklinks', { url: '/a', querys: ['a'] }, 'querys'],
    ['hidden-pages', {}, 'url'],
    ['pins', { query: 'a', url: `${SITE}/`, place: 10_001 }, 'place'],
  ])('of %s refuse %j at %s', async (kind, body, path) => {
    const answer = await site.api.post(at(kind), body);

    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  test('of which a file is the master are refused', async () => {
    const { systemStore } = site.api.deps;
    const by = { customerId: 3, actor: 'provision:site.yaml', at: 1, managedBy: 'site.yaml' };
    const draft = { engineId: 6, url: '/managed', terms: [] };
    const { id } = await systemStore.addTool('quicklink', draft, by);
    const pins = {
      engineId: 6,
      name: 'Hours',
      audiences: undefined,
      terms: [{ id: undefined, name: 'hours' }],
      pins: [],
    };
    const ranking = await systemStore.addTool('ranking', pins, by);

    const answers = [
      await site.api.call('PUT', at(`quicklinks/${id}`), QUICKLINK),
      await site.api.delete(at(`quicklinks/${id}`)),
      await site.api.post(at('pins'), { query: 'hours', url: `${SITE}/prices` }),
    ];
    await systemStore.removeTool('quicklink', { customerId: 3, id }, by);
    await systemStore.removeTool('ranking', { customerId: 3, id: ranking.id }, by);

    expect(answers.map(({ status, body }) => [status, body.errorCode])).toEqual(
      answers.map(() => [409, 'record.managed']),
    );
  });
});

describe('targets that are gone', () => {
  const check = async () => (await site.api.post(at('tools/check'), {})).body;
  const link = (path: string) => `<p><a href="${SITE}${path}">More</a></p>`;
  const sent = { name: 'Sale', queries: ['sale'] };

  test('are found by a check, are shown in lists and are forgotten when they are back', async () => {
    const { body: ranking } = await site.api.post(at('rankings'), {
      name: 'R',
      pins: [{ url: `${SITE}/prices` }, { url: `${SITE}/` }],
    });
    const { body: hidden } = await site.api.post(at('hidden-pages'), { url: `${SITE}/prices` });
    const { body: banner } = await site.api.post(at('banners'), { ...sent, html: link('/moved') });
    const { body: quicklink } = await site.api.post(at('quicklinks'), { url: '/moved', queries: [] });
    const { body: whole } = await site.api.post(at('quicklinks'), { url: 'https://elsewhere.example/', queries: [] });
    const before = await check();
    const store = await site.api.deps.engineStores.of(6);
    const kept = await store.findDocument(17, `${SITE}/prices`);
    await site.remove('/prices');
    await site.retire('/moved');

    const found = await check();

    expect(before.items).toEqual([]);
    expect(found.items.map(({ foundAt: _, ...item }: { foundAt: string }) => item)).toEqual([
      { tool: 'ranking', id: ranking.id, name: 'R', targets: [`${SITE}/prices`] },
      { tool: 'banner', id: banner.id, name: 'Sale', targets: [`${SITE}/moved`] },
      { tool: 'quicklink', id: quicklink.id, name: '/moved', targets: ['/moved'] },
      { tool: 'hidden-page', id: hidden.id, name: `${SITE}/prices`, targets: [`${SITE}/prices`] },
    ]);
    expect(await get(at('tools/broken'))).toEqual(found);
    const listed = await get(at(`rankings/${ranking.id}`));
    expect(listed.brokenLinksFoundAt).toBe(found.checkedAt);
    expect(listed.pins.map(({ broken }: { broken: boolean }) => broken)).toEqual([true, false]);
    expect(await get(at(`banners/${banner.id}`))).toMatchObject({ brokenLinks: [`${SITE}/moved`] });
    expect(await get(at(`quicklinks/${whole.id}`))).toMatchObject({ broken: false, brokenLinksFoundAt: null });
    await store.putDocuments(17, [{ ...kept!, fields: kept!.fields }], 3);
    await site.index();
    expect((await check()).items.map(({ tool }: { tool: string }) => tool)).toEqual(['banner', 'quicklink']);
  });

  test('and pages that the engine never had are warnings when a link is stored', async () => {
    await site.retire('/moved');
    const banner = await site.api.post(at('banners'), { ...sent, html: link('/moved') + link('/price') });
    const outside = await site.api.post(at('quicklinks'), { url: 'https://elsewhere.example/x', queries: [] });

    expect({ status: banner.status, warnings: banner.body.warnings }).toEqual({
      status: 201,
      warnings: [
        `${SITE}/moved leads to a page that was removed from its site`,
        `${SITE}/price is no document of engine 6; did you mean ${SITE}/prices?`,
      ],
    });
    expect(outside.body.warnings).toEqual([]);
  });
});

test('hidden pages are made once per document, listed and shown again', async () => {
  const first = await site.api.post(at('hidden-pages'), { url: `${SITE}/prices`, note: 'Old' });
  const again = await site.api.post(at('hidden-pages'), { documentId: `${SITE}/prices` });

  expect(again.body).toEqual({ ...first.body, note: null });
  expect(await get(at('hidden-pages'))).toEqual({ items: [again.body], next: null });
  expect((await site.api.delete(at(`hidden-pages/${first.body.id}`))).status).toBe(204);
  expect((await site.api.delete(at(`hidden-pages/${first.body.id}`))).status).toBe(404);
});

test('synonym groups of a customer are made, found, replaced and removed', async () => {
  const list = '/customers/3/synonyms';
  const made = await site.api.post(list, { language: 'en', words: [' Power', 'electricity', 'power'] });
  const path = `${list}/${made.body.id}`;

  expect(made).toMatchObject({ status: 201, body: { customer: 3, language: 'en', words: ['Power', 'electricity'] } });
  expect(await get(`${list}?word=ELECTRICITY&language=EN`)).toMatchObject({ items: [{ id: made.body.id }] });
  expect((await get(`${list}?word=water`)).items).toEqual([]);
  expect(await site.api.call('PUT', path, { language: 'de', words: ['Strom'] })).toMatchObject({
    status: 200,
    body: { language: 'de', words: ['Strom'] },
  });
  expect(await site.api.post(list, { language: 'English', words: ['a'] })).toMatchObject({ status: 400 });
  expect((await site.api.delete(path)).status).toBe(204);
  expect((await site.api.get(path)).status).toBe(404);
  expect((await site.api.get('/customers/4/synonyms')).status).toBe(404);
});
