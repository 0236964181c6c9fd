import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { D1, D2, D4, D5 } from '../../helpers/fixture.ts';
import { type Product, startProduct } from '../../helpers/product.ts';
import { API_KEY, clientsOf, failureOf, managementOf, statusOf } from './product-clients.ts';

// Contract: 12, cases 6 and 65 to 82 through the client.
async function managed() {
  const product = await startProduct();
  return Object.assign(product, { ...managementOf(product), ...clientsOf(product) });
}

/** For cases that leave nothing behind that another one sees. */
let shared: Awaited<ReturnType<typeof managed>>;
beforeAll(async () => {
  shared = await managed();
});
afterAll(() => shared[Symbol.asyncDispose]());

async function idsOf({ search }: Pick<ReturnType<typeof clientsOf>, 'search'>, query: string) {
  return (await search({ query })).TypedDocuments.map(({ Id }) => Id);
}

/** Another customer's management. */
const otherOf = (product: Product) => managementOf(product, { customerId: 4, apiKey: 'key-4-example' });

test('6 a wrong API key manages nothing', async () => {
  const { documents, tools } = managementOf(shared, { apiKey: `not-${API_KEY}` });
  const calls = [
    documents.put([]),
    documents.queueUrls([]),
    tools.banners.listOfEngine(6),
    tools.synonymGroups.add({ words: ['a'], language: 'en' }),
  ];

  expect(await Promise.all(calls.map(statusOf))).toEqual([401, 401, 401, 401]);
});

test('65 documents are put and found', async () => {
  await using product = await managed();

  const rows = await product.documents.put(
    [
      { id: 'item-a', fields: { Title: 'Zebra one', Price_number: '1' } },
      { id: 'item-b', type: 'FileContent', fields: { Title: 'Zebra two', Price_number: 2 } },
    ],
    { refresh: 'wait' },
  );

  expect(rows.map(({ success, document }) => [success, document.type])).toEqual([
    [true, 'PageContent'],
    [true, 'FileContent'],
  ]);
  expect((await idsOf(product, 'zebra')).toSorted()).toEqual(['item-a', 'item-b']);
});

test('66 a patch keeps what was not sent, a put does not', async () => {
  await using product = await managed();
  await product.documents.put([{ id: 'item-a', fields: { Title: 'Zebra', Price_number: 1 } }]);
  const fieldsOf = async () => (await product.search({ query: 'zebra' })).TypedDocuments[0]?.Fields;

  await product.documents.patch([{ id: 'item-a', fields: { Price_number: 2 } }], { refresh: 'wait' });
  expect(await fieldsOf()).toMatchObject({ Title: { Value: 'Zebra' }, Price_number: { Value: '2' } });

  await product.documents.put([{ id: 'item-a', fields: { Title: 'Zebra' } }], { refresh: 'wait', echo: false });
  expect(await fieldsOf()).not.toHaveProperty('Price_number');
});

test('67 one bad document refuses the whole request, and is named', async () => {
  const { put } = shared.documents;

  const error = await failureOf(put([{ id: 'ok', fields: {} }, { id: 7, fields: {} } as never]));

  expect(error).toMatchObject({ status: 400, problems: [{ path: '[1].id' }] });
  expect(await shared.documents.remove('ok')).toMatchObject({ deleted: 0 });
  expect(await statusOf(put({ documents: [] } as never))).toBe(400);
  expect(await statusOf(put([{ id: 'v', type: 'Video' as 'PageContent', fields: {} }]))).toBe(400);
});

test('68 a patch creates nothing', async () => {
  const rows = await shared.documents.patch([{ id: 'unknown', fields: { Title: 'x' } }]);

  expect(rows).toMatchObject([{ success: false, reason: 'Document not found' }]);
});

test('69 a document is removed by its id, whatever is in it, once', async () => {
  const id = 'https://example.com/a b?x=1&y=ü#z';
  await shared.documents.put([{ id, fields: {} }]);

  expect(await shared.documents.remove(id)).toMatchObject({ success: true, deleted: 1 });
  expect(await shared.documents.remove(id)).toMatchObject({ success: true, deleted: 0 });
  expect(await statusOf(shared.documents.remove(''))).toBe(400);
});

test('70 a bulk delete without conditions that can be read deletes nothing', async () => {
  await using product = await managed();
  const bodies = [
    {},
    [],
    { Category: { operator: 'Zap', values: ['x'] } },
    { Category: { values: ['x'] } },
    { Category: { operator: 'Eq', values: [] } },
  ];

  const statuses = bodies.map((body) => statusOf(product.documents.bulkDelete(body as never)));

  expect(await Promise.all(statuses)).toEqual([400, 400, 400, 400, 400]);
  expect((await product.search({ query: '*' })).TotalDocument).toBe(6);
});

test('71 a bulk delete that nothing fits says so', async () => {
  const nothing = { success: true, deleted: 0, failed: 0, reason: 'No documents match the given filters' };

  const none = { Category: { operator: 'Eq', values: ['None'] } } as const;
  const cheap = {
    Category: { operator: 'Eq', values: ['Manuals'] },
    Price_number: { operator: 'Lt', values: ['50'] },
  } as const;

  expect(await shared.documents.bulkDelete(none)).toEqual(nothing);
  expect(await shared.documents.bulkDelete(cheap)).toEqual(nothing);
});

test('73 URLs are queued in order, what is none is told', async () => {
  const urls = ['https://example.com/a', 'https://example.com/b', 'ftp://example.com/', 'x'];

  const rows = await shared.documents.queueUrls(urls);

  expect(rows.map(({ Url, Status }) => [Url, Status])).toEqual([
    [urls[0], 'Ok'],
    [urls[1], 'Ok'],
    [urls[2], 'Invalid'],
    [urls[3], 'Invalid'],
  ]);
});

test('74 URLs of an inactive crawler are acknowledged, and nobody is woken', async () => {
  await using product = await managed();

  const rows = await managementOf(product, { crawlerId: 18 }).documents.queueUrls(['https://example.com/a']);

  expect(rows).toEqual([{ Url: 'https://example.com/a', Status: 'Ok' }]);
  expect(product.hints).toEqual([]);
});

test('75 a banner is shown by its term until the record that came is sent back disabled', async () => {
  await using product = await managed();
  const { banners } = product.tools;
  const banner = await banners.add({
    name: 'Sale',
    htmlcode: '<b>Sale</b>',
    websiteid: 6,
    bannerterms: ['sale', 'offers'],
    from: '2020-01-01',
    to: '2120-01-01',
  });
  const shown = async () => (await product.search({ query: 'SALE' })).Banners;

  expect(banner.bannerterms.map(({ id, name }) => [typeof id, name])).toEqual([
    ['number', 'sale'],
    ['number', 'offers'],
  ]);
  expect(await shown()).toEqual([{ Id: banner.id, Name: 'Sale', Banner: '<b>Sale</b>', WebsiteId: 6 }]);

  const disabled = await banners.replace(banner.id, { ...banner, isDisabled: true });
  expect(disabled).toEqual({ ...banner, isDisabled: true });
  await eventually(async () => (await shown()).length === 0);
});

test('76 a banner that cannot be is refused', async () => {
  const { add } = shared.tools.banners;
  const banner = { name: 'Sale', htmlcode: '<b>Sale</b>', websiteid: 6 };
  const calls = [
    add({ ...banner, name: ' ' }),
    add({ ...banner, from: '2026-02-01', to: '2026-01-01' }),
    add({ ...banner, websiteid: 8 }),
  ];

  expect(await Promise.all(calls.map(statusOf))).toEqual([400, 400, 403]);
});

const PIN = {
  name: 'Solar',
  WebsiteId: 6,
  rankingterms: ['solar'],
  pages: [{ rank: 1, showpage: true, page: { name: 'Grants', pageid: D4, pageurl: D4 } }],
};

test('77 a pinned page comes first, but not in another order', async () => {
  await using product = await managed();
  await product.tools.rankings.add(PIN);

  const pinned = await product.search({ query: 'solar' });
  const sorted = await product.search({ query: 'solar', sort: { Price_number: 'asc' } });

  expect([pinned.TypedDocuments[0]?.Id, pinned.TotalDocument]).toEqual([D4, 4]);
  expect([sorted.TypedDocuments[0]?.Id, sorted.TotalDocument]).toEqual([D1, 3]);
});

test('78 rankings are listed for their customer alone', async () => {
  await using product = await managed();
  const { rankings } = product.tools;
  const { id } = await rankings.add(PIN);
  const others = otherOf(product).tools.rankings;

  for (const list of [await rankings.list(), await rankings.listOfEngine(6)]) {
    expect(list.map((ranking) => ranking.id)).toEqual([id]);
  }
  expect(await others.list()).toEqual([]);
  expect(await statusOf(others.listOfEngine(6))).toBe(403);
});

test('79 a quicklink is found by its term, and shown in the public settings', async () => {
  await using product = await managed();
  const { quicklinks } = product.tools;
  const quicklink = await quicklinks.add({ url: '/contact', websiteid: 6, terms: ['contact'] });

  expect(await quicklinks.listMatching(6, 'Contact')).toEqual([quicklink]);
  expect(await quicklinks.listMatching(6, 'contacts')).toEqual([]);
  expect(await statusOf(quicklinks.listMatching(6, ''))).toBe(400);
  expect(await quicklinks.listOfEngine(6)).toEqual([quicklink]);
  expect((await product.readPublicSettings()).quicklinks).toMatchObject([{ id: quicklink.id }]);
});

test('80 a banner of somebody else is none, and a removed one is gone', async () => {
  const { banners } = shared.tools;
  const others = otherOf(shared).tools.banners;
  const banner = { name: 'Sale', htmlcode: '<b>Sale</b>', websiteid: 6 };
  const { id } = await banners.add(banner);

  const calls = [others.find(id), others.replace(id, banner), others.remove(id)];
  expect(await Promise.all(calls.map(statusOf))).toEqual([404, 404, 404]);
  expect(await banners.remove(id)).toBeUndefined();
  expect(await failureOf(banners.find(id))).toMatchObject({ status: 404, errorCode: 'record.not-found' });
});

test('81 synonyms find what says it otherwise', async () => {
  await using product = await managed();
  const { groupId } = await product.tools.synonymGroups.add({ words: ['power', 'electricity'], language: 'en' });

  const { TypedDocuments, Synonyms } = await product.search({ query: 'electricity' });

  expect(groupId).toBeGreaterThan(0);
  expect(TypedDocuments.map(({ Id }) => Id).toSorted()).toEqual([D1, D2, D5].toSorted());
  expect(Synonyms).toContain('power');
});

test('82 synonym groups are found by number and language, replaced and removed', async () => {
  const groups = shared.tools.synonymGroups;
  const group = await groups.add({ words: ['power', 'electricity'], language: 'en' });

  expect(await groups.find(group.groupId)).toEqual(group);
  expect(await groups.listOfLanguage('EN')).toEqual([group]);
  expect(await groups.listOfLanguage('da')).toEqual([]);
  expect(await statusOf(groups.find(999_999))).toBe(404);
  expect(await statusOf(groups.listOfLanguage('!!'))).toBe(400);

  const changed = { ...group, words: ['current', 'power'] };
  expect(await groups.replace(changed)).toEqual(changed);
  expect(await groups.remove([group.groupId, 999_999])).toEqual({ deleted: [group.groupId], notFound: [999_999] });
});
