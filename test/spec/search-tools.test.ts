import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASIC_4 } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { BANNER, KINDS, PAGE, PIN, QUICKLINK, RANKING, toolCalls } from '../helpers/search-tools.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const UNKNOWN_ID = 999_999;
const { call, create } = toolCalls(() => product);

describe('a stored record', () => {
  test('75: of a banner has an id, term ids and all members', async () => {
    const from = '2026-01-01T00:00:00Z';
    const to = '2036-01-01T00:00:00+01:00';

    const { status, body } = await call('POST', '/api/banners', {
      ...BANNER,
      bannerterms: ['Solar', { name: 'wind' }],
      from,
      to,
    });

    const { id, bannerterms } = body;
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      ...BANNER,
      bannerterms: [
        { id: expect.any(Number), name: 'Solar', bannerId: id },
        { id: expect.any(Number), name: 'wind', bannerId: id },
      ],
      isDisabled: false,
      from,
      to,
      audiences: null,
      engineIds: [6],
      frequency: null,
      daysOfWeek: null,
      cssCode: null,
      jsonOption: null,
      editorType: null,
      brokenLinksFoundAt: null,
    });
    expect(bannerterms[1].id).toBeGreaterThan(bannerterms[0].id);
    expect((await call('GET', `/api/banners/${id}`)).body).toEqual(body);
  });

  test('75: of a banner is disabled by a replacement', async () => {
    const { id, ...sent } = await create('banners', { ...BANNER, bannerterms: ['solar'] });

    const { status, body } = await call('PUT', `/api/banners/${id}`, { ...sent, isDisabled: true });

    expect(status).toBe(200);
    expect(body).toEqual({ id, ...sent, isDisabled: true });
    expect((await call('GET', `/api/banners/${id}`)).body).toEqual(body);
  });

  test('77: of a ranking has its pages', async () => {
    const { status, body } = await call('POST', '/api/rankings', { ...RANKING, rankingterms: ['solar'], pages: [PIN] });

    const { id, pages } = body;
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      ...RANKING,
      rankingterms: [{ id: expect.any(Number), name: 'solar', rankingId: id }],
      audiences: null,
      brokenLinksFoundAt: null,
      pages: [
        {
          id: expect.any(Number),
          RankingId: id,
          websiteid: 6,
          rank: 1,
          showpage: true,
          page: { id: pages[0].id, ...PAGE, searchable: true, websiteid: 6 },
        },
      ],
    });
  });

  test('79: of a quicklink has its terms', async () => {
    const { status, body } = await call('POST', '/api/quicklinks', { ...QUICKLINK, terms: ['contact'] });

    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      ...QUICKLINK,
      terms: [{ id: expect.any(Number), name: 'contact' }],
      brokenLinksFoundAt: null,
    });
  });

  test('keeps what it does not understand of a banner', async () => {
    const kept = {
      audiences: ['vip', { any: ['thing'] }],
      engineIds: [6, 7],
      frequency: { times: 3 },
      daysOfWeek: [1, 2],
      cssCode: 'b{}',
      jsonOption: '{"a":1}',
      editorType: 'html',
    };
    expect(await create('banners', { ...BANNER, ...kept })).toMatchObject(kept);
  });

  test('takes member names in any case, and engineId for websiteid', async () => {
    const banner = await create('banners', { NAME: 'x', HtmlCode: 'y', EngineID: '6', BannerTerms: [{ NAME: 't' }] });
    const ranking = await create('rankings', { name: 'x', engineId: 7 });
    const quicklink = await create('quicklinks', { URL: 'https://example.com/', engineid: 7 });

    expect(banner).toMatchObject({ name: 'x', htmlcode: 'y', websiteid: 6, bannerterms: [{ name: 't' }] });
    expect(ranking).toMatchObject({ WebsiteId: 7 });
    expect(quicklink).toMatchObject({ websiteid: 7 });
  });

  test.each([
    ['from', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['to', '2026-01-31', '2026-01-31T23:59:59.999Z'],
    ['from', '2026-01-31T10:00', '2026-01-31T10:00:00.000Z'],
    ['to', '2026-01-31T10:00:00.5+02:00', '2026-01-31T10:00:00.5+02:00'],
    ['from', null, null],
  ])('gives %s %j back as %j', async (name, sent, given) => {
    expect((await create('banners', { ...BANNER, [name]: sent }))[name]).toBe(given);
  });
});

describe('a replacement', () => {
  test('keeps the ids of repeated terms and drops lists that are not sent', async () => {
    const { id, bannerterms } = await create('banners', { ...BANNER, bannerterms: ['a', 'b'], audiences: ['vip'] });
    const [, b] = bannerterms as { id: number }[];

    const changed = await call('PUT', `/api/banners/${id}`, {
      ...BANNER,
      id: 1,
      bannerterms: [{ id: b!.id, name: 'B' }, 'c'],
    });
    const emptied = await call('PUT', `/api/banners/${id}`, BANNER);

    expect(changed.body).toMatchObject({ id, audiences: null, bannerterms: [{ id: b!.id, name: 'B' }, { name: 'c' }] });
    expect(emptied.body).toMatchObject({ id, bannerterms: [] });
  });

  test('keeps the ids of repeated page pins', async () => {
    const { id, pages } = await create('rankings', { ...RANKING, pages: [PIN, { ...PIN, rank: 2 }] });
    const [, second] = pages as { id: number }[];

    const { body } = await call('PUT', `/api/rankings/${id}`, {
      ...RANKING,
      pages: [{ ...PIN, id: second!.id, rank: 3 }],
    });

    expect(body).toMatchObject({ pages: [{ id: second!.id, rank: 3 }] });
    expect(body.pages).toHaveLength(1);
  });

  test.each(KINDS)('of $kind needs the same members as a new record', async ({ kind, record }) => {
    const { id } = await create(kind, record);
    expect((await call('PUT', `/api/${kind}/${id}`, {})).status).toBe(400);
    expect((await call('PUT', `/api/${kind}/${id}`, { ...record, websiteid: 8, WebsiteId: 8 })).status).toBe(403);
    expect((await call('PUT', `/api/${kind}/${id}`, record)).status).toBe(200);
  });
});

describe('an id in the body of a POST', () => {
  test.each(KINDS.slice(1))('of $kind updates the own record', async ({ kind, record }) => {
    const { id } = await create(kind, record);
    const terms = { terms: ['changed'], rankingterms: ['changed'] };

    const updated = await create(kind, { ...record, ...terms, id });

    expect(updated.id).toBe(id);
    expect(JSON.stringify((await call('GET', `/api/${kind}/${id}`)).body)).toContain('changed');
  });

  test.each([['banners', BANNER] as const, ['rankings', RANKING] as const, ['quicklinks', QUICKLINK] as const])(
    "of %s is ignored when it is unknown, somebody else's or no id",
    async (kind, record) => {
      const foreign = await call('POST', `/api/${kind}`, { ...record, websiteid: 8, WebsiteId: 8 }, BASIC_4);
      const foreignId: number = foreign.body.id;

      for (const id of [foreignId, UNKNOWN_ID, 0, -1, 'abc', {}, 1.5]) {
        const { id: stored } = await create(kind, { ...record, id });
        expect(stored).toBeGreaterThan(foreignId);
        expect(stored).not.toBe(UNKNOWN_ID);
      }
      const untouched = await call('GET', `/api/${kind}/${foreignId}`, undefined, BASIC_4);
      expect(untouched.body).toEqual(foreign.body);
    },
  );

  test('of a banner is ignored also when it is an own one', async () => {
    const { id } = await create('banners', BANNER);
    expect((await create('banners', { ...BANNER, id })).id).toBeGreaterThan(id);
  });
});

test.each(KINDS)('DELETE of $kind answers 204 without a body', async ({ kind, record }) => {
  const { id } = await create(kind, record);
  const { status, body } = await call('DELETE', `/api/${kind}/${id}`);
  expect([status, body]).toEqual([204, '']);
});

describe('lists', () => {
  test.each(KINDS)('hold the $kind of one engine by ascending id', async ({ kind, record, list }) => {
    const path = `${list}7${kind === 'quicklinks' ? '/quicklinks' : ''}`;
    const before = (await call('GET', path)).body;
    const first = await create(kind, { ...record, websiteid: 7, WebsiteId: 7 });
    await create(kind, record);
    const second = await create(kind, { ...record, websiteid: 7, WebsiteId: 7 });

    const { status, body } = await call('GET', path);

    expect(status).toBe(200);
    expect(body).toEqual([...before, first, second]);
  });

  test('78: of rankings hold the own ones only', async () => {
    const { id } = await create('rankings', RANKING);
    const idsOf = ({ body }: { body: unknown }) => (body as { id: number }[]).map((ranking) => ranking.id);

    expect(idsOf(await call('GET', '/api/rankings'))).toContain(id);
    expect(idsOf(await call('GET', '/api/rankings/site/6'))).toContain(id);
    expect(idsOf(await call('GET', '/api/rankings', undefined, BASIC_4))).not.toContain(id);
    expect((await call('GET', '/api/rankings/site/6', undefined, BASIC_4)).status).toBe(403);
  });
});

describe('quicklink terms', () => {
  test('79: find the quicklinks whose terms match', async () => {
    const contact = await create('quicklinks', { ...QUICKLINK, terms: ['reach us', 'get in touch*'] });
    const find = async (query: string) => (await call('GET', `/api/engine/6/quicklinkterms?${query}`)).body;

    expect(await find('searchword=Reach%20%20us')).toEqual([contact]);
    expect(await find('SearchWord=get+in+touch+now')).toEqual([contact]);
    expect(await find('searchword=reach')).toEqual([]);
  });

  test.each(['', '?searchword=', '?searchword=%20'])('79: need a search word: %j', async (query) => {
    expect((await call('GET', `/api/engine/6/quicklinkterms${query}`)).status).toBe(400);
  });
});

describe('a change by a key', () => {
  test.each(KINDS)('of $kind is in the audit log with the key', async ({ kind, record }) => {
    const { id } = await create(kind, record);
    await call('PUT', `/api/${kind}/${id}`, { ...record, name: 'Renamed', url: '/renamed' });
    await call('DELETE', `/api/${kind}/${id}`);

    const noun = kind.slice(0, -1);
    const rows = (await product.systemStore.listAudit({ limit: 3 })).entries.map(({ actor, action, target }) => [
      actor,
      action,
      target,
    ]);
    expect(rows).toEqual(
      ['remove', 'change', 'add'].map((verb) => [
        expect.stringMatching(/^key:\d+ /),
        `${verb}-${noun}`,
        `engine:6/${noun}:${id}`,
      ]),
    );
  });

  test('is refused when a file manages the record', async () => {
    const managed = { customerId: 3, actor: 'provision:site.yaml', at: 1, managedBy: 'site.yaml' };
    const draft = { engineId: 6, url: '/contact', terms: [] };
    const { id } = await product.systemStore.addTool('quicklink', draft, managed);

    const answers = [
      await call('PUT', `/api/quicklinks/${id}`, QUICKLINK),
      await call('POST', '/api/quicklinks', { ...QUICKLINK, id }),
      await call('DELETE', `/api/quicklinks/${id}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(answers[0]?.body.message).toBe(
      `The quicklink ${id} is managed by site.yaml: change it there and run fossick apply`,
    );
    expect((await call('GET', `/api/quicklinks/${id}`)).body).toMatchObject({ url: '/contact' });
  });
});

test('what a check found broken is told with its time', async () => {
  const { id } = await create('rankings', { ...RANKING, pages: [PIN] });
  const targets = [PAGE.pageid];
  await product.systemStore.noteBrokenTools(6, [{ kind: 'ranking', id, targets }], Date.parse('2026-02-01T08:00:00Z'));

  const { body } = await call('GET', `/api/rankings/${id}`);

  expect(body.brokenLinksFoundAt).toBe('2026-02-01T08:00:00.000Z');
});
