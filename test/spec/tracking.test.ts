import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASIC } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

let qid: string;
let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const OWNER = { customerId: 3, engineId: 6 };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const QUERY_LOG = '/api/v3/3/6/search/pushstat/querylog';
const CLICK_LOG = '/api/v3/3/6/search/pushstat/clicklog';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const newQuery = () => ({ sw: 'solar', qid: product.issueQueryId(OWNER) });
const newClick = () => ({ clurl: 'https://example.com/solar', qid: product.issueQueryId(OWNER) });
const post = (path: string, body?: unknown, headers = {}) => product.send({ method: 'POST', path, body, headers });
const queryEvent = async (queryId: string) =>
  (await product.systemStore.listQueryEvents({ engineId: 6, limit: 1_000 })).find((event) => event.queryId === queryId);
const clickEvents = async (queryId: string) =>
  (await product.systemStore.listClickEvents({ engineId: 6, limit: 1_000 })).filter(
    (event) => event.queryId === queryId,
  );

describe('the query log', () => {
  test('58: stores a flat object and answers with the id of the event', async () => {
    const sent = {
      ...newQuery(),
      rc: '3',
      dt: 'mobile',
      sid: 's-1',
      qsid: 'qs-1',
      fquery: 'solar',
      refurl: 'https://shop.example/?q=solar',
      refpt: 'Search',
    };

    const { status, body } = await post(QUERY_LOG, sent);

    expect(status).toBe(200);
    expect(body).toEqual({ id: expect.stringMatching(UUID) });
    expect(await queryEvent(sent.qid)).toEqual({
      id: body.id,
      engineId: 6,
      at: expect.any(Number),
      queryId: sent.qid,
      text: 'solar',
      resultCount: 3,
      fixedQuery: 'solar',
      device: 'mobile',
      sessionId: 's-1',
      querySessionId: 'qs-1',
      ip: '127.0.0.1',
      extra: { refurl: sent.refurl, refpt: 'Search' },
    });
  });

  test('59: refuses a body wrapped in values, and names the flat form', async () => {
    const { status, body } = await post(QUERY_LOG, { values: newQuery() });

    expect(status).toBe(400);
    expect(body.message).toContain('not in an object named values');
  });

  test.each([
    ['59: an array', () => [newQuery()]],
    ['59: an object without sw', () => ({ ...newQuery(), sw: undefined })],
    ['an object with a blank sw', () => ({ ...newQuery(), sw: '' })],
    ['an object with sw null', () => ({ ...newQuery(), sw: 'null' })],
    ['an object without qid', () => ({ ...newQuery(), qid: undefined })],
    ['an empty object', () => ({})],
    ['a number', () => 5],
    ['broken JSON', () => '{"sw":'],
  ])('refuses %s with 400', async (_what, bodyOf) => {
    expect((await post(QUERY_LOG, bodyOf())).status).toBe(400);
  });

  test('names both members that are missing', async () => {
    const { body } = await post(QUERY_LOG, {});
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['sw', 'qid']);
  });

  test.each([
    ['60: the engine of another customer', '/api/v3/4/8/search/pushstat/querylog', () => qid],
    ['60: another engine of the customer', '/api/v3/3/7/search/pushstat/querylog', () => qid],
    ['an engine that cannot exist', '/api/v3/3/99999999999/search/pushstat/querylog', () => qid],
    ['60: an id that was not issued', QUERY_LOG, () => randomUUID()],
    ['60: text that is no id', QUERY_LOG, () => 'nope'],
  ])('is 404 for %s', async (_what, path, idOf) => {
    qid = product.issueQueryId(OWNER);
    expect((await post(path, { sw: 'solar', qid: idOf() })).status).toBe(404);
    expect(await queryEvent(qid)).toBeUndefined();
  });

  test.each([[undefined], ['Bearer x'], ['???'], [BASIC], ['']])(
    '62: accepts the header Authorization: %j',
    async (auth) => {
      const { status } = await post(QUERY_LOG, newQuery(), { authorization: auth });
      expect(status).toBe(200);
    },
  );

  test('62: exists for two kinds of event only', async () => {
    expect((await post('/api/v3/3/6/search/pushstat/other', newQuery())).status).toBe(404);
    expect((await post('/api/v4/3/6/search/pushstat/querylog', newQuery())).status).toBe(404);
  });

  test.each([
    ['dt', 'TABLET', { device: 'tablet' }],
    ['dt', 'fridge', { device: 'unknown' }],
    ['rc', '0', { resultCount: 0 }],
    ['rc', '-1', { resultCount: undefined }],
    ['rc', 12, { resultCount: 12 }],
    ['rc', 'many', { resultCount: undefined }],
    ['sid', 'undefined', { sessionId: undefined }],
    ['ip', '203.0.113.9', { ip: '203.0.113.9' }],
    ['ip', 'somewhere', { ip: undefined }],
    ['MyOwn', ['a', 1], { extra: { MyOwn: 'a,1' } }],
    ['trts', { a: 1 }, { extra: { trts: '{"a":1}' } }],
    ['RefPT', 'Title', { extra: { refpt: 'Title' } }],
  ])('stores %s %j as %j', async (name, value, stored) => {
    const sent = newQuery();
    expect((await post(QUERY_LOG, { ...sent, [name]: value })).status).toBe(200);
    expect(await queryEvent(sent.qid)).toMatchObject(stored);
  });

  test('knows the id of a search in any case and without dashes', async () => {
    const { sw, qid: id } = newQuery();
    expect((await post(QUERY_LOG, { sw, qid: id.toUpperCase().replaceAll('-', '') })).status).toBe(200);
    expect(await queryEvent(id)).toMatchObject({ queryId: id });
  });

  test('stores the network instead of the address when the operator wants it', async () => {
    await using discreet = await startProduct({ anonymizeIp: true });
    const body = { ...newQuery(), ip: '203.0.113.9' };
    expect((await discreet.send({ method: 'POST', path: QUERY_LOG, body })).status).toBe(200);
    expect(await discreet.systemStore.listQueryEvents({ engineId: 6, limit: 1 })).toMatchObject([
      { ip: '203.0.113.0' },
    ]);
  });

  test('does not read forwarding headers', async () => {
    const sent = newQuery();
    const address = '203.0.113.9';
    await post(QUERY_LOG, sent, { 'X-Forwarded-For': address, 'X-Real-IP': address, Forwarded: `for=${address}` });
    expect(await queryEvent(sent.qid)).toMatchObject({ ip: '127.0.0.1' });
  });
});

describe('the values', () => {
  test('come from a form', async () => {
    const sent = newQuery();
    const { status } = await post(QUERY_LOG, new URLSearchParams({ ...sent, Rc: '4' }).toString(), FORM);
    expect(status).toBe(200);
    expect(await queryEvent(sent.qid)).toMatchObject({ text: 'solar', resultCount: 4 });
  });

  test.each([[undefined], [''], [' '], ['undefined'], ['null']])(
    'come from the query string when the body is %j',
    async (body) => {
      const sent = newQuery();
      const { status } = await post(`${QUERY_LOG}?SW=so+lar&qid=${sent.qid}`, body);
      expect(status).toBe(200);
      expect(await queryEvent(sent.qid)).toMatchObject({ text: 'so lar' });
    },
  );

  test('of body and query string are not mixed', async () => {
    const { sw, qid: id } = newQuery();
    expect((await post(`${QUERY_LOG}?qid=${id}`, { sw })).status).toBe(400);
  });
});

describe('the click log', () => {
  test('stores a click on a result', async () => {
    const sent = {
      ...newClick(),
      cli: '2',
      sw: 'solar',
      title: 'Solar',
      sid: 's',
      ls: 'SearchResult',
      refpt: 'Search',
    };

    const { status, body } = await post(CLICK_LOG, sent);

    expect(status).toBe(200);
    expect(await clickEvents(sent.qid)).toEqual([
      {
        id: body.id,
        engineId: 6,
        at: expect.any(Number),
        queryId: sent.qid,
        kind: 'searchresult',
        url: sent.clurl,
        rank: 2,
        bannerId: undefined,
        title: 'Solar',
        text: 'solar',
        sessionId: 's',
        ip: '127.0.0.1',
        extra: { refpt: 'Search' },
      },
    ]);
  });

  test.each([
    ['without clurl', { clurl: undefined }, 400],
    ['without qid', { qid: undefined }, 400],
    ['with an unknown qid', { qid: randomUUID() }, 404],
    ['61: on a banner without cloi', { ls: 'banner' }, 400],
    ['61: on a banner with cloi', { ls: 'banner', cloi: '12' }, 200],
    ['on a banner with cloi but no clurl', { ls: 'Banner', cloi: 12, clurl: undefined }, 200],
    ['of another kind', { ls: 'footer' }, 200],
    ['of another kind without clurl', { ls: 'footer', clurl: undefined }, 400],
    ['with a rank that is none', { cli: 'first' }, 200],
  ])('answers a click %s with the status of contract 6.4', async (_what, changes, status) => {
    expect((await post(CLICK_LOG, { ...newClick(), ...changes })).status).toBe(status);
  });

  test.each([
    [
      { ls: 'banner', cloi: 12 },
      { kind: 'banner', bannerId: '12' },
    ],
    [{ ls: 'Footer' }, { kind: 'Footer' }],
    [{}, { kind: 'searchresult', rank: undefined }],
    [{ cli: '0' }, { rank: undefined }],
    [{ cli: '1.5' }, { rank: undefined }],
  ])('stores %j as %j', async (changes, stored) => {
    const sent = newClick();
    await post(CLICK_LOG, { ...sent, ...changes });
    expect(await clickEvents(sent.qid)).toMatchObject([stored]);
  });

  test('keeps repeated clicks on one search apart', async () => {
    const sent = newClick();
    await post(CLICK_LOG, sent);
    await post(CLICK_LOG, sent);
    expect(await clickEvents(sent.qid)).toHaveLength(2);
  });
});

describe('the tracking images', () => {
  const image = (name: string, values: Record<string, string>) =>
    product.send({ path: `/api/v3/3/6/search/pushstat/${name}?${new URLSearchParams(values)}` });

  test('log a query and a click from the query string', async () => {
    const query = newQuery();
    const click = newClick();

    const answers = [await image('__utm.gif', query), await image('__ctm.gif', click)];

    for (const { status, headers, body } of answers) {
      expect([status, headers['content-type'], body.slice(0, 6)]).toEqual([200, 'image/gif', 'GIF89a']);
    }
    expect(await queryEvent(query.qid)).toMatchObject({ text: 'solar' });
    expect(await clickEvents(click.qid)).toMatchObject([{ url: click.clurl }]);
  });

  test.each(['__utm.gif', '__ctm.gif'])('of %s come also for an event that is dropped', async (name) => {
    const before = await product.systemStore.listQueryEvents({ engineId: 6, limit: 1_000 });
    const { status, headers } = await image(name, { qid: 'nope' });
    expect([status, headers['content-type']]).toEqual([200, 'image/gif']);
    expect(await product.systemStore.listQueryEvents({ engineId: 6, limit: 1_000 })).toEqual(before);
  });
});
