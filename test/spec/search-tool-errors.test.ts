import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASIC_4, SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { BANNER, KINDS, PAGE, PIN, QUICKLINK, RANKING, toolCalls } from '../helpers/search-tools.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const UNKNOWN_ID = 999_999;
const { call, create } = toolCalls(() => product);

describe('400', () => {
  test.each([
    // what, path, record, path of the fault
    ['76: a banner without name', 'banners', { ...BANNER, name: undefined }, 'name'],
    ['a banner with a blank name', 'banners', { ...BANNER, name: ' ' }, 'name'],
    ['a banner with a name that is no text', 'banners', { ...BANNER, name: 5 }, 'name'],
    ['a banner without htmlcode', 'banners', { ...BANNER, htmlcode: undefined }, 'htmlcode'],
    ['a banner without websiteid', 'banners', { ...BANNER, websiteid: null }, 'websiteid'],
    ['a banner with a websiteid that is no integer', 'banners', { ...BANNER, websiteid: 6.5 }, 'websiteid'],
    ['76: a banner with from after to', 'banners', { ...BANNER, from: '2026-02-01', to: '2026-01-01' }, 'from'],
    ['a banner with an impossible day', 'banners', { ...BANNER, from: '2026-02-31' }, 'from'],
    ['a banner with an unparsable date', 'banners', { ...BANNER, to: 'soon' }, 'to'],
    ['a banner with a blank date', 'banners', { ...BANNER, to: '' }, 'to'],
    ['a banner with terms that are no list', 'banners', { ...BANNER, bannerterms: 'a' }, 'bannerterms'],
    ['a banner with a blank term', 'banners', { ...BANNER, bannerterms: ['a', ' '] }, 'bannerterms[1].name'],
    ['a banner with a term without name', 'banners', { ...BANNER, bannerterms: [{ id: 1 }] }, 'bannerterms[0].name'],
    ['a banner with a term that is null', 'banners', { ...BANNER, bannerterms: [null] }, 'bannerterms[0]'],
    ['a banner with isDisabled maybe', 'banners', { ...BANNER, isDisabled: 'maybe' }, 'isDisabled'],
    ['a banner with audiences that are no list', 'banners', { ...BANNER, audiences: 'vip' }, 'audiences'],
    ['a banner with an audience that is null', 'banners', { ...BANNER, audiences: [null] }, 'audiences[0]'],
    ['a banner with engineIds that are no integers', 'banners', { ...BANNER, engineIds: ['x'] }, 'engineIds[0]'],
    ['a banner with cssCode that is no text', 'banners', { ...BANNER, cssCode: {} }, 'cssCode'],
    ['a ranking without name', 'rankings', { WebsiteId: 6 }, 'name'],
    ['a ranking without WebsiteId', 'rankings', { name: 'x' }, 'WebsiteId'],
    ['a ranking with a page of rank 0', 'rankings', { ...RANKING, pages: [{ ...PIN, rank: 0 }] }, 'pages[0].rank'],
    [
      'a ranking with a page without rank',
      'rankings',
      { ...RANKING, pages: [{ ...PIN, rank: null }] },
      'pages[0].rank',
    ],
    [
      'a ranking with a page without showpage',
      'rankings',
      { ...RANKING, pages: [{ ...PIN, showpage: null }] },
      'pages[0].showpage',
    ],
    ['a ranking with a pin without page', 'rankings', { ...RANKING, pages: [{ ...PIN, page: null }] }, 'pages[0].page'],
    [
      'a ranking with a page without name',
      'rankings',
      { ...RANKING, pages: [{ ...PIN, page: { ...PAGE, name: '' } }] },
      'pages[0].page.name',
    ],
    [
      'a ranking with a page without pageid',
      'rankings',
      { ...RANKING, pages: [{ ...PIN, page: { ...PAGE, pageid: null } }] },
      'pages[0].page.pageid',
    ],
    [
      'a ranking with a page without pageurl',
      'rankings',
      { ...RANKING, pages: [{ ...PIN, page: { ...PAGE, pageurl: null } }] },
      'pages[0].page.pageurl',
    ],
    ['a quicklink without url', 'quicklinks', { websiteid: 6 }, 'url'],
    ['a quicklink without websiteid', 'quicklinks', { url: '/' }, 'websiteid'],
    ['a quicklink with a relative url', 'quicklinks', { ...QUICKLINK, url: 'contact' }, 'url'],
    ['a quicklink with a url without scheme', 'quicklinks', { ...QUICKLINK, url: '//example.com/' }, 'url'],
    ['a quicklink with a script', 'quicklinks', { ...QUICKLINK, url: 'javascript:alert(1)' }, 'url'],
    ['a quicklink with a url without host', 'quicklinks', { ...QUICKLINK, url: 'https:///contact' }, 'url'],
    // Browsers drop the tab.
    ['a quicklink with a hidden host', 'quicklinks', { ...QUICKLINK, url: '/\t/example.com' }, 'url'],
    ['a quicklink with a broken url', 'quicklinks', { ...QUICKLINK, url: 'https://' }, 'url'],
  ])('%s', async (_what, kind, record, path) => {
    const { status, body } = await call('POST', `/api/${kind}`, record);

    expect(status).toBe(400);
    expect(body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
  });

  test('lists all faults', async () => {
    const { body } = await call('POST', '/api/banners', { isDisabled: 1 });

    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'htmlcode',
      'isDisabled',
      'name',
      'websiteid',
    ]);
  });
});

describe('403', () => {
  test.each([
    ['76: a banner of an engine of another customer', 'banners', { ...BANNER, websiteid: 8 }],
    ['a banner of no engine', 'banners', { ...BANNER, websiteid: UNKNOWN_ID }],
    ['a banner also for an engine of another customer', 'banners', { ...BANNER, engineIds: [6, 8] }],
    ['a ranking of an engine of another customer', 'rankings', { ...RANKING, WebsiteId: 8 }],
    [
      'a ranking with a pin of an engine of another customer',
      'rankings',
      { ...RANKING, pages: [{ ...PIN, websiteid: 8 }] },
    ],
    [
      'a ranking with a page of an engine of another customer',
      'rankings',
      { ...RANKING, pages: [{ ...PIN, page: { ...PAGE, websiteid: 8 } }] },
    ],
    ['a quicklink of an engine of another customer', 'quicklinks', { ...QUICKLINK, websiteid: 8 }],
  ])('%s', async (_what, kind, record) => {
    expect((await call('POST', `/api/${kind}`, record)).status).toBe(403);
  });

  test.each([
    '/api/banners/site/8',
    '/api/rankings/site/999',
    '/api/engine/8/quicklinks',
    '/api/engine/4294967299/quicklinks',
    '/api/engine/8/quicklinkterms?searchword=x',
  ])("for the list %s of an engine that is not the customer's", async (path) => {
    expect((await call('GET', path)).status).toBe(403);
  });

  test.each([
    ['GET', '/api/banners/site/6'],
    ['POST', '/api/banners'],
    ['GET', '/api/rankings'],
    ['GET', '/api/engine/6/quicklinkterms?searchword=x'],
    ['POST', '/api/synonymsgroup'],
    ['DELETE', '/api/synonymsgroup?groupIds=1'],
  ])('for a SiteKey on %s %s', async (method, path) => {
    expect((await call(method, path, undefined, SITE_KEY)).status).toBe(403);
  });
});

describe('404', () => {
  test.each(KINDS)('80: for what another customer does with $kind', async ({ kind, record }) => {
    const { id } = await create(kind, record);

    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { ...record, websiteid: 8, WebsiteId: 8 } : undefined;
      const { status } = await call(method, `/api/${kind}/${id}`, body, BASIC_4);
      expect(status).toBe(404);
    }
    expect((await call('DELETE', `/api/${kind}/${id}`)).status).toBe(204);
    expect((await call('GET', `/api/${kind}/${id}`)).status).toBe(404);
  });

  test.each(KINDS)('for unknown $kind, before the body is read', async ({ kind }) => {
    for (const id of [UNKNOWN_ID, 4_294_967_299, '0', '01', 'abc']) {
      expect((await call('PUT', `/api/${kind}/${id}`, '{')).status).toBe(404);
      expect((await call('DELETE', `/api/${kind}/${id}`)).status).toBe(404);
    }
  });
});
