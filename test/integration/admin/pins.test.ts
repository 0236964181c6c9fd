import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
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

describe('a page is found', () => {
  test.each([
    ['its address', `${SITE}/about/people`, `${SITE}/about/people`],
    ['an address that is not its id', `${SITE}/battery?size=2`, 'item-7'],
    ['an address without a slash', `${SITE}/opening-hours`, `${SITE}/opening-hours/`],
    ['an address with a slash', `${SITE}/about/people/`, `${SITE}/about/people`],
    ['an address with a fragment', `${SITE}/about/people#anna`, `${SITE}/about/people`],
    ['another scheme', 'http://www.example.com/about/people', `${SITE}/about/people`],
    ['a host without www', 'https://example.com/about/people', `${SITE}/about/people`],
    ['no scheme at all', 'example.com/about/people', `${SITE}/about/people`],
    ['the start page', 'example.com', `${SITE}/`],
  ])('by %s', async (_what, url, documentId) => {
    const { status, body } = await site.api.post(at('hidden-pages'), { url });

    expect({ status, documentId: body.documentId }).toEqual({ status: 201, documentId });
  });

  test.each([
    ['an address with a slip', `${SITE}/guides/solar-panel.html`, `${SITE}/guides/solar-panels.html`],
    ['an address in another folder', `${SITE}/solar-heating`, `${SITE}/guides/solar-heating.html`],
    ['a word of an address that is misspelt', `${SITE}/opning-hours`, `${SITE}/opening-hours/`],
    ['a path', '/about/peoples', `${SITE}/about/people`],
    ['words of a title', 'batteries', `${SITE}/battery?size=2`],
  ])('as the nearest to %s', async (_what, near, url) => {
    const { items } = await get(at(`pages?near=${encodeURIComponent(near)}`));

    expect(items[0]).toMatchObject({ url });
  });

  test('as the nearest among many that are as good by their words', async () => {
    const store = await site.api.deps.engineStores.of(6);
    const many = Array.from({ length: 200 }, (_, i) => ({
      ...({ id: `${SITE}/archive/${i}`, kind: 'PageContent', language: 'en', origin: 'pushed' } as const),
      fields: new Map([
        ['Title', ['Opening hours']],
        ['Url', [`${SITE}/archive/${i}`]],
      ]),
    }));
    await store.putDocuments(17, many, 3);
    await site.index();

    const { items } = await get(at(`pages?near=${encodeURIComponent(`${SITE}/opening-hourz`)}`));
    await store.deleteDocuments(
      17,
      many.map(({ id }) => id),
      4,
    );
    await site.index();

    expect(items).toMatchObject([{ url: `${SITE}/opening-hours/` }]);
  });

  test('nowhere near what has no likeness', async () => {
    expect((await get(at('pages?near=qqqq'))).items).toEqual([]);
  });
});

describe('a pin', () => {
  const pin = (body: object) => site.api.post(at('pins'), body);
  const query = 'opening hours';

  test('makes the ranking of its query, and others join it', async () => {
    const first = await pin({ query, url: `${SITE}/prices` });
    const second = await pin({ query: ' Opening  HOURS ', documentId: 'item-7', place: 3 });

    expect(first).toMatchObject({
      status: 201,
      body: {
        ranking: { name: query, queries: [query], audiences: [], managedBy: null },
        pin: { url: `${SITE}/prices`, title: 'Prices', place: 1, hidden: false, broken: false },
        shifted: [],
        warnings: [],
      },
    });
    expect(second.body.ranking.id).toBe(first.body.ranking.id);
    expect((await get(at('pins'))).items.map(({ url, place }: { url: string; place: number }) => [url, place])).toEqual(
      [
        [`${SITE}/prices`, 1],
        [`${SITE}/battery?size=2`, 3],
      ],
    );
    expect(await auditOf(2)).toEqual([
      ['change-ranking', `engine:6/ranking:${first.body.ranking.id}`],
      ['add-ranking', `engine:6/ranking:${first.body.ranking.id}`],
    ]);
  });

  test('moves those down that stand in its way, and no others', async () => {
    await pin({ query, url: `${SITE}/prices`, place: 1 });
    await pin({ query, url: `${SITE}/about/people`, place: 2 });
    await pin({ query, url: `${SITE}/guides/solar-heating.html`, place: 4 });

    const { body } = await pin({ query, url: `${SITE}/opening-hours/`, place: 1 });

    expect(body.shifted).toEqual([
      { documentId: `${SITE}/prices`, url: `${SITE}/prices`, title: 'Prices', from: 1, to: 2 },
      { documentId: `${SITE}/about/people`, url: `${SITE}/about/people`, title: 'Our people', from: 2, to: 3 },
    ]);
    expect(body.ranking.pins.map(({ title, place }: { title: string; place: number }) => [title, place])).toEqual([
      ['When we are open', 1],
      ['Prices', 2],
      ['Our people', 3],
      ['Solar heating', 4],
    ]);
  });

  test('that is there gets another place, or hides the page', async () => {
    await pin({ query, url: `${SITE}/prices`, place: 1 });
    const moved = await pin({ query, url: `${SITE}/prices`, place: 2 });
    const hidden = await pin({ query, url: `${SITE}/prices`, hidden: true });

    expect(moved.body.ranking.pins).toHaveLength(1);
    expect(hidden.body.ranking.pins).toEqual([{ ...moved.body.pin, place: null, hidden: true }]);
  });

  test('to what is no document is refused with the nearest pages', async () => {
    const { status, body } = await pin({ query, url: `${SITE}/guides/solar-panel.html` });

    expect({ status, errorCode: body.errorCode }).toEqual({ status: 404, errorCode: 'record.not-found' });
    expect(body.message).toMatch(
      /^There is no document of engine 6 at https:\/\/www\.example\.com\/guides\/solar-panel\.html: did you mean https:\/\/www\.example\.com\/guides\/solar-panels\.html or /,
    );
    expect((await get(at('rankings'))).items).toEqual([]);
  });

  test('says what other tools do to its page', async () => {
    const other = {
      name: 'Wide',
      queries: ['opening*'],
      pins: [{ url: `${SITE}/about/people` }, { url: `${SITE}/prices`, hidden: true }],
    };
    const { body: wide } = await site.api.post(at('rankings'), other);
    await site.api.post(at('hidden-pages'), { url: `${SITE}/prices` });

    const { body } = await pin({ query, url: `${SITE}/prices`, place: 1 });

    expect(body.warnings).toEqual([
      expect.stringMatching(/^The page is hidden for every query \(hidden page \d+\): it is not shown$/),
      `Ranking ${wide.id} (Wide) of this query has another page at place 1, which goes first`,
      `Ranking ${wide.id} (Wide) of this query hides the page: it is not shown`,
    ]);
  });

  test('is released, and its ranking goes with the last one', async () => {
    await pin({ query, url: `${SITE}/prices`, place: 1 });
    await pin({ query, url: `${SITE}/about/people`, hidden: true });
    const release = (url: string) =>
      site.api.delete(at(`pins?query=${encodeURIComponent(query)}&url=${encodeURIComponent(url)}`));

    expect((await release(`${SITE}/prices`)).body.ranking.pins).toHaveLength(1);
    expect((await release(`${SITE}/about/people`)).body).toEqual({ ranking: null });
    expect(await release(`${SITE}/about/people`)).toMatchObject({ status: 404 });
    expect((await get(at('rankings'))).items).toEqual([]);
  });

  test('of a ranking of more queries is changed there', async () => {
    const wide = { name: 'Wide', queries: [query, 'hours'], pins: [{ url: `${SITE}/prices` }] };
    const { body: ranking } = await site.api.post(at('rankings'), wide);

    const { status, body } = await site.api.delete(at(`pins?query=hours&url=${encodeURIComponent(`${SITE}/prices`)}`));

    expect({ status, message: body.message }).toEqual({
      status: 409,
      message: `The page is in ranking ${ranking.id} (Wide), which is not of this query alone: change it with fossick ranking set 6 ${ranking.id}`,
    });
  });

  test('by many editors at once is lost for none', async () => {
    const paths = ['/', '/opening-hours/', '/prices', '/about/people'];
    await pin({ query, url: `${SITE}/guides/solar-heating.html`, place: 9 });

    const answers = await Promise.all(paths.map((path) => pin({ query, url: `${SITE}${path}`, place: 1 })));

    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 201));
    const pins: readonly { readonly place: number }[] = (await get(at('pins'))).items;
    expect(pins.map(({ place }) => place).sort()).toEqual([1, 2, 3, 4, 9]);
  });
});

describe('a page that is hidden from visitors', () => {
  const url = `${SITE}/prices`;
  const paths = ['engines/6', 'crawlers/17'].map((owner) => `/${owner}/explain?url=${encodeURIComponent(url)}`);
  const explanations = async () =>
    (await Promise.all(paths.map((path) => get(path)))).map((body) => body.explanation ?? body);

  test('is told from one that they find, with the command that shows it again', async () => {
    const { body: page } = await site.api.post(at('hidden-pages'), { url, note: 'Being rewritten' });
    const command = `fossick hide remove 6 ${page.id}`;

    for (const explanation of await explanations()) {
      expect(explanation).toMatchObject({
        verdict: 'hidden',
        cause: 'The page is in the index, and an editor hides it from every search and answer.',
        advice: `Show it again: ${command}`,
        hidden: { id: page.id, note: 'Being rewritten', hiddenAt: page.hiddenAt, managedBy: null, command },
      });
    }
    const { out } = await runCli(['why', url, '--url', site.api.origin, '--token', OPERATOR_TOKEN]);
    expect(out).toMatch(/verdict +hidden/);
    expect(out).toMatch(/hidden because +Being rewritten/);
    expect(out).toContain(command);
    await site.api.delete(at(`hidden-pages/${page.id}`));
    for (const explanation of await explanations())
      expect(explanation).toMatchObject({ verdict: 'searchable', hidden: null });
  });

  test('leads to the file that hides it', async () => {
    const added = { customerId: 3, actor: 'provision:fossick.yaml', at: 1, managedBy: 'fossick.yaml' };
    const draft = { engineId: 6, documentId: url, url, title: 'Prices', note: undefined, hiddenAt: 1 };
    const { id } = await site.api.deps.systemStore.addTool('hidden-page', draft, added);

    for (const explanation of await explanations()) {
      expect(explanation).toMatchObject({
        verdict: 'hidden',
        advice: 'Take it out of hiddenPages in fossick.yaml and run fossick apply',
        hidden: { id, managedBy: 'fossick.yaml', command: 'fossick apply' },
      });
    }
    await site.api.deps.systemStore.removeTool('hidden-page', { customerId: 3, id }, { actor: 'operator', at: 2 });
  });
});
