import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { BASIC, BASIC_4, D1, D2, D3, D4, D5, SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { BANNER, PAGE, PIN, QUICKLINK, RANKING, toolCalls } from '../helpers/search-tools.ts';

// Contract: 2.6, 2.10, 10.1, cases 75 to 80.
let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const { call, create } = toolCalls(() => product);
/** A change of a tool takes effect within this time. */
const EFFECT_MS = 1_000;
const NOW_WINDOW = {
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
};

async function search(body: object, engineId = 6) {
  const auth = engineId === 6 ? SITE_KEY : BASIC;
  const answer = await product.post(`/api/v4/3/${engineId}/search`, body, auth);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

type Hit = { readonly Id: string; readonly ResultIndex: number };
const idsOf = ({ TypedDocuments }: { TypedDocuments: readonly Hit[] }) => TypedDocuments.map(({ Id }) => Id);

/** Searches until the answer is as wanted, for at most the time a change may take. */
function searchUntil(body: object, fits: (answer: Awaited<ReturnType<typeof search>>) => boolean, engineId = 6) {
  return eventually(async () => {
    const answer = await search(body, engineId);
    return fits(answer) ? answer : undefined;
  }, EFFECT_MS);
}

const banners = (answer: { Banners: readonly { Id: number }[] }) => answer.Banners.map(({ Id }) => Id);

beforeEach(async () => {
  for (const list of [
    '/api/banners/site/6',
    '/api/banners/site/7',
    '/api/rankings/site/6',
    '/api/engine/6/quicklinks',
  ]) {
    const kind = ['banners', 'rankings', 'quicklinks'].find((name) => list.includes(name));
    for (const { id } of (await call('GET', list)).body) await call('DELETE', `/api/${kind}/${id}`);
  }
  await searchUntil(
    { query: 'solar' },
    (answer) => answer.Banners.length + answer.Quicklinks.length === 0 && answer.TotalDocument === 3,
  );
});

describe('banners', () => {
  test('75: a term in upper case shows the banner, until it is disabled', async () => {
    const { id, ...sent } = await create('banners', { ...BANNER, bannerterms: ['solar', 'wind'], ...NOW_WINDOW });

    const { Banners } = await searchUntil({ query: 'SOLAR' }, (answer) => answer.Banners.length > 0);
    await call('PUT', `/api/banners/${id}`, { ...sent, isDisabled: true });

    expect(Banners).toEqual([{ Id: id, Name: 'Sale', Banner: '<b>Sale</b>', WebsiteId: 6 }]);
    await searchUntil({ query: 'solar' }, (answer) => answer.Banners.length === 0);
  });

  test('all that apply are shown by ascending id, on every engine they name', async () => {
    const first = await create('banners', { ...BANNER, bannerterms: ['*'], engineIds: [6, 7] });
    const second = await create('banners', { ...BANNER, bannerterms: ['solar'], websiteid: 7, engineIds: [6] });
    const third = await create('banners', { ...BANNER, bannerterms: ['solar'] });

    const answer = await searchUntil({ query: 'solar' }, ({ Banners }) => Banners.length === 3);

    expect(banners(answer)).toEqual([first.id, second.id, third.id]);
    expect(banners(await search({ query: 'solar' }, 7))).toEqual([first.id, second.id]);
  });

  test('hostile HTML is shown without what could do harm', async () => {
    const htmlcode =
      '<p onclick="alert(1)">Sale<script>alert(1)</script></p><a href="javascript:alert(1)">a</a>' +
      '<a href="data:text/html,x">b</a><form action="https://evil.example/"><input name="q"></form>' +
      '<iframe src="https://evil.example/"></iframe>';
    await create('banners', { ...BANNER, htmlcode, bannerterms: ['solar'] });

    const { Banners } = await searchUntil({ query: 'solar' }, (answer) => answer.Banners.length > 0);

    expect(Banners[0].Banner).toBe('<p>Sale</p><a>a</a><a>b</a>');
  });

  test('38: as HTML the banner is wrapped in its hooks', async () => {
    const { id } = await create('banners', { ...BANNER, bannerterms: ['solar'] });

    const { Banners } = await searchUntil(
      { query: 'solar', responseType: 'JsonHtml' },
      (answer) => answer.Banners.length > 0,
    );

    expect(Banners[0].Banner).toBe(
      `<div data-search-result="banner" data-search-id="${id}" data-search-title="Sale"><b>Sale</b></div>`,
    );
  });

  test('an engine that trusts its editors shows the HTML as stored', async () => {
    await product.changeSettings(6, { rawBannerHtml: true });
    const htmlcode = '<iframe src="https://example.com/"></iframe><script>x</script>';
    await create('banners', { ...BANNER, htmlcode, bannerterms: ['solar'] });

    const { Banners } = await searchUntil({ query: 'solar' }, (answer) => answer.Banners.length > 0);
    await product.changeSettings(6, { rawBannerHtml: false });

    expect(Banners[0].Banner).toBe(htmlcode);
  });

  test.each([
    ['without a name', { name: undefined }, 400],
    ['from after to', { from: '2026-02-01', to: '2026-01-01' }, 400],
    ['of another customer', { websiteid: 8 }, 403],
  ])('76: one %s is refused', async (_what, changes, status) => {
    expect((await call('POST', '/api/banners', { ...BANNER, ...changes })).status).toBe(status);
  });
});

describe('rankings', () => {
  test('77: a pinned page is first and counted, and not in another order', async () => {
    await create('rankings', { ...RANKING, rankingterms: ['solar'], pages: [PIN] });

    const answer = await searchUntil({ query: 'solar' }, ({ TotalDocument }) => TotalDocument === 4);
    const sorted = await search({ query: 'solar', sort: { Price_number: 'asc' } });

    expect(idsOf(answer)[0]).toBe(D4);
    expect(answer.TypedDocuments.map(({ ResultIndex }: Hit) => ResultIndex)).toEqual([1, 2, 3, 4]);
    expect(answer.Facets.Category.Items).toMatchObject([
      { Key: 'News', Count: 2 },
      { Key: 'Guides', Count: 1 },
      { Key: 'Manuals', Count: 1 },
    ]);
    expect(idsOf(sorted)).toEqual([D1, D3, D5]);
  });

  test('a ranking takes a page out of results and counts, in any order', async () => {
    const page = { ...PAGE, pageid: D1 };
    await create('rankings', { ...RANKING, rankingterms: ['solar'], pages: [{ rank: 1, showpage: false, page }] });

    const answer = await searchUntil({ query: 'solar' }, ({ TotalDocument }) => TotalDocument === 2);
    const sorted = await search({ query: 'solar', sort: { Price_number: 'asc' } });

    expect(idsOf(answer).sort()).toEqual([D3, D5].sort());
    expect(answer.Facets.Category.Items.map(({ Key }: { Key: string }) => Key)).toEqual(['Manuals', 'News']);
    expect(idsOf(sorted)).toEqual([D3, D5]);
  });

  test('the lower ranking goes first, pages behind the end go to the end, others are skipped', async () => {
    const pin = (pageid: string, rank: number) => ({ ...PIN, rank, page: { ...PAGE, pageid } });
    await create('rankings', { ...RANKING, rankingterms: ['so*'], pages: [pin(D2, 1), pin('gone', 1), pin(D5, 50)] });
    await create('rankings', { ...RANKING, rankingterms: ['solar'], pages: [pin(D4, 1)] });

    const answer = await searchUntil({ query: 'solar' }, ({ TotalDocument }) => TotalDocument === 5);
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(...idsOf(await search({ query: 'solar', page, perPage: 2 })));
    const filtered = await search({ query: 'solar', filters: { Category: ['News'] } });

    const ids = idsOf(answer);
    expect([ids[0], ids[1], ids[4]]).toEqual([D2, D4, D5]);
    expect(pages).toEqual(ids);
    expect(idsOf(filtered)).toEqual([D4, D3]);
  });

  test('one for other visitors or another engine changes nothing', async () => {
    await create('rankings', { ...RANKING, rankingterms: ['solar'], audiences: ['vip'], pages: [PIN] });
    await create('rankings', { ...RANKING, rankingterms: ['solar'], WebsiteId: 7, pages: [{ ...PIN, rank: 2 }] });

    await searchUntil({ query: 'solar', traits: ['VIP'] }, ({ TotalDocument }) => TotalDocument === 4);

    expect((await search({ query: 'solar' })).TotalDocument).toBe(3);
  });

  test('78: are listed for their customer only', async () => {
    const { id } = await create('rankings', { ...RANKING, rankingterms: ['solar'], pages: [PIN] });
    const lists = await Promise.all(
      ['/api/rankings', '/api/rankings/site/6'].flatMap((path) => [
        call('GET', path),
        call('GET', path, undefined, BASIC_4),
      ]),
    );
    const has = ({ body }: { body: unknown }) => JSON.stringify(body).includes(`"id":${id},`);

    expect(lists.map(({ status }) => status)).toEqual([200, 200, 200, 403]);
    expect(lists.map(has)).toEqual([true, false, true, false]);
  });
});

describe('quicklinks', () => {
  test('79: a term gives the quicklink in a search, by its terms and in the public settings', async () => {
    const { id } = await create('quicklinks', { ...QUICKLINK, terms: ['reach us', 'con?act'] });
    const find = (query: string) => call('GET', `/api/engine/6/quicklinkterms${query}`);

    const { Quicklinks } = await searchUntil({ query: 'Contact' }, (answer) => answer.Quicklinks.length > 0);

    expect(Quicklinks).toEqual([{ Id: id, Url: '/contact', Term: 'con?act' }]);
    expect((await search({ query: 'contacts' })).Quicklinks).toEqual([]);
    expect((await find('?searchword=Contact')).body).toMatchObject([{ id, url: '/contact' }]);
    expect((await find('?searchword=contacts')).body).toEqual([]);
    expect((await find('')).status).toBe(400);
    expect((await product.get('/api/v3/3/6/websites/publicsettings', SITE_KEY)).body.quicklinks).toMatchObject([
      { id },
    ]);
  });
});

test("80: another customer's banner is as one that does not exist; a removed one is gone", async () => {
  const { id } = await create('banners', { ...BANNER, bannerterms: ['solar'] });
  const foreign = ['GET', 'PUT', 'DELETE'].map((method) =>
    call(method, `/api/banners/${id}`, method === 'PUT' ? BANNER : undefined, BASIC_4),
  );
  const statuses = (await Promise.all(foreign)).map(({ status }) => status);
  await searchUntil({ query: 'solar' }, (answer) => banners(answer).includes(id));

  const removed = await call('DELETE', `/api/banners/${id}`);

  expect(statuses).toEqual([404, 404, 404]);
  expect([removed.status, (await call('GET', `/api/banners/${id}`)).status]).toEqual([204, 404]);
  await searchUntil({ query: 'solar' }, (answer) => answer.Banners.length === 0);
});

describe('top hits', () => {
  test('are whole hits of the most frequent values', async () => {
    const topHitsFields = [{ field: 'Category', size: 1, maxFieldValues: 2 }, { field: 'None' }];
    const { TopHits, TypedDocuments } = await search({ query: 'guide solar', topHitsFields, highlight: true });

    const [category] = TopHits;
    expect(TopHits.map(({ Field }: { Field: string }) => Field)).toEqual(['Category', 'None']);
    expect(
      category.Values.map(({ Value, AllCount }: { Value: string; AllCount: number }) => [Value, AllCount]),
    ).toEqual([
      ['Guides', 3],
      ['Manuals', 1],
    ]);
    const shown = TypedDocuments.find(({ Id }: Hit) => Id === D1);
    expect(category.Values[0].Hits).toEqual([{ ...shown, Score: expect.any(Number) }]);
    expect(TopHits[1].Values).toEqual([]);
  });

  test('are none without a request', async () => {
    expect((await search({ query: 'solar' })).TopHits).toEqual([]);
  });

  test.each([{ field: 'x', size: 21 }, { field: 'x', maxFieldValues: 51 }, { size: 1 }])('refuse %j', async (field) => {
    const answer = await product.post('/api/v4/3/6/search', { query: '*', topHitsFields: [field] }, SITE_KEY);
    expect(answer.status).toBe(400);
  });
});
