import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { SITE, startCrawledApi } from '../../helpers/crawled-api.ts';
import { facts, pageDocument } from '../../helpers/frontier.ts';

const SEEDS = ['https://a.test/'];

let api: Awaited<ReturnType<typeof startAdminApi>>;

beforeAll(async () => {
  api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site', seeds: SEEDS, headers: { 'x-key': 'secret' } });
  await api.post('/crawlers', { id: 18, engine: 6, name: 'Other', seeds: SEEDS });
  await api.patch('/crawlers/17', { limits: { depth: 5 }, exclude: ['/old/**'] });
  await api.patch('/crawlers/17', { name: 'Renamed' });
  await api.patch('/crawlers/17', { headers: { 'x-key': 'other' }, privateNames: { 'a.test': ['10.1.2.0/24'] } });
  await api.patch('/engines/6', { perPage: 20, highlight: { preTag: '<i>' }, language: 'de' });
});
afterAll(() => api[Symbol.asyncDispose]());

const history = async (path: string) => (await api.get(`${path}/history`)).body.items;
const cli = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

describe('the history of settings', () => {
  test('lists who changed what, member by member, newest first, and no secret', async () => {
    const items = await history('/crawlers/17');

    expect(items).toMatchObject([
      { actor: 'operator', changes: [{ path: 'privateNames.a.test', before: null, after: ['10.1.2.0/24'] }] },
      { changes: [{ path: 'name', before: 'Site', after: 'Renamed' }] },
      {
        changes: [
          { path: 'exclude', before: [], after: ['/old/**'] },
          { path: 'limits.depth', before: 20, after: 5 },
        ],
      },
      { isFirst: true, changes: [] },
    ]);
    expect(JSON.stringify(items)).not.toContain('sealed:');
    expect(await history('/engines/6')).toMatchObject([
      {
        changes: [
          { path: 'language', before: 'en', after: 'de' },
          { path: 'perPage', before: 10, after: 20 },
          { path: 'highlight.preTag', after: '<i>' },
        ],
      },
      { isFirst: true },
    ]);
  });

  test('comes in pages', async () => {
    const first = await api.get('/crawlers/17/history?limit=3');
    const rest = await api.get(`/crawlers/17/history?limit=3&after=${first.body.next}`);

    expect(first.body.items).toHaveLength(3);
    expect(rest.body).toMatchObject({ items: [{ isFirst: true }], next: null });
  });

  test('shows what the record was like after a change, and what brings that back', async () => {
    const [, renamed, limited] = await history('/crawlers/17');

    expect((await api.get(`/crawlers/17/history/${limited.id}`)).body).toMatchObject({
      record: { name: 'Site', limits: { depth: 5 }, exclude: ['/old/**'], headers: 'set', privateNames: {} },
      patch: { name: 'Site', privateNames: { 'a.test': null } },
    });
    expect(await api.get(`/crawlers/18/history/${renamed.id}`)).toMatchObject({ status: 404 });
    expect(await api.get('/crawlers/17/history/99999')).toMatchObject({ status: 404 });
  });

  test('is gone back in, through the checks of every change, and secrets stay', async () => {
    const before = await api.deps.store.findCrawler(17);
    const [newest, , , made] = await history('/crawlers/17');

    expect(await api.post(`/crawlers/17/history/${made.id}/restore`)).toMatchObject({
      status: 200,
      body: { name: 'Site', limits: { depth: 20 }, exclude: [], privateNames: {} },
    });
    expect((await api.deps.store.findCrawler(17))?.config['headers']).toEqual(before?.config['headers']);
    expect(await api.post(`/crawlers/17/history/${newest.id}/restore`)).toMatchObject({
      body: { name: 'Renamed', limits: { depth: 5 } },
    });
    const engine = (await history('/engines/6')).at(-1);
    expect(await api.post(`/engines/6/history/${engine.id}/restore`)).toMatchObject({
      body: { perPage: 10, language: 'en' },
    });
  });

  test('is not gone back in when documents would leave and nobody has agreed to it', async () => {
    await using crawled = await startCrawledApi();
    await crawled.patch('/crawlers/17', { exclude: ['/docs/**'] });
    await crawled.patch('/crawlers/17', { exclude: [] });
    const url = `${SITE}/docs/x`;
    await crawled.add([url]);
    await crawled.visit((visited) => ({ document: { put: pageDocument(visited) }, record: facts({ state: 'live' }) }));
    const [, excluded] = (await crawled.get('/crawlers/17/history')).body.items;
    const path = `/crawlers/17/history/${excluded.id}/restore`;
    const { patch } = (await crawled.get(`/crawlers/17/history/${excluded.id}`)).body;

    const refused = await crawled.post(path);
    const preview = (await crawled.post('/crawlers/17/preview', { config: patch })).body;

    expect(refused).toMatchObject({ status: 409 });
    expect(preview.leave.documents).toBe(1);
    expect(await crawled.post(`${path}?preview=${preview.token}`)).toMatchObject({
      status: 200,
      body: { exclude: ['/docs/**'] },
    });
  });

  test('is shown and gone back in on the command line', async () => {
    const [newest] = await history('/engines/6');

    const list = await cli('engine', 'history', '6');
    const past = await cli('engine', 'history', '6', String(newest.id), '--json');
    const restored = await cli('crawler', 'restore', '17', String((await history('/crawlers/17'))[0].id), '--json');

    expect(list.out).toMatch(/perPage: 20 → 10/);
    expect(list.out).toContain('To go back: fossick engine restore 6 <change>');
    expect(JSON.parse(past.out)).toMatchObject({ record: { perPage: 10 }, patch: {} });
    expect(JSON.parse(restored.out)).toMatchObject({ id: 17, name: 'Renamed' });
  });
});

describe('two who change the same record', () => {
  test.each(['/crawlers/17', '/engines/6'])('%s: the second is told when he has seen an older state', async (path) => {
    const read = async () => {
      const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
      return (await fetch(`${api.origin}/admin/v1${path}`, { headers })).headers.get('etag') ?? '';
    };
    const save = async (tag: string, name: string) => {
      const answer = await fetch(`${api.origin}/admin/v1${path}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json', 'if-match': tag },
        body: JSON.stringify({ name }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    const seen = await read();

    expect(await save(seen, 'First')).toMatchObject({ status: 200 });
    expect(await save(seen, 'Second')).toMatchObject({ status: 412, body: { errorCode: 'record.changed' } });
    expect(await save(await read(), 'Second')).toMatchObject({ status: 200, body: { name: 'Second' } });
  });
});

describe('a schedule', () => {
  const kinds = (runs: readonly { kind: string }[]) => runs.map(({ kind }) => kind).join(' ');

  test('tells the next runs of the crawler, and those by settings that are not saved', async () => {
    await api.patch('/crawlers/17', { schedule: { full: '0 3 * * 6', incremental: '0 3 * * *' }, timezone: 'UTC' });

    const saved = (await api.get('/crawlers/17/schedule?count=9')).body;
    const other = await api.post('/crawlers/17/schedule', { schedule: { full: 'every 2d', incremental: 'manual' } });

    expect(saved).toMatchObject({ active: false, timezone: 'UTC' });
    expect(saved.runs).toHaveLength(9);
    // Each Saturday the full run spares the other one of that time: one is neither the first nor the last of nine.
    expect(kinds(saved.runs)).toContain('incremental full incremental');
    expect(new Set(saved.runs.map(({ at }: { at: string }) => at)).size).toBe(9);
    const times = other.body.runs.map(({ at }: { at: string }) => Date.parse(at));
    expect(times.slice(1).map((at: number, i: number) => at - times[i])).toEqual(Array(4).fill(2 * 86_400_000));
    expect((await api.get('/crawlers/17')).body.schedule.full).toBe('0 3 * * 6');
  });

  test('that is none is refused, and one by hand has no runs', async () => {
    expect(await api.post('/crawlers/17/schedule', { schedule: { full: 'sometimes' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'schedule.full' }] },
    });
    expect(
      (await api.post('/crawlers/17/schedule', { schedule: { full: 'manual', incremental: 'manual' } })).body.runs,
    ).toEqual([]);
  });

  test('is shown on the command line', async () => {
    const { out, err } = await cli('crawler', 'schedule', '17', 'schedule.full=0 4 * * *', '--count', '2');

    expect(out.match(/UTC/g)).toHaveLength(2);
    expect(err).toContain('not active');
  });
});

describe('the schemas of settings', () => {
  test.each([
    ['crawler', 'limits'],
    ['engine', 'perPage'],
  ])('describe every setting of a %s, each in one group', async (noun, member) => {
    const { schema, groups } = (await api.get(`/schemas/${noun}`)).body;
    const { out } = await cli('schema', noun);

    const members = groups.flatMap((group: { members: string[] }) => group.members);
    expect([...members].sort()).toEqual(Object.keys(schema.properties).sort());
    expect(new Set(members).size).toBe(members.length);
    expect(schema.properties[member]).toBeDefined();
    expect(JSON.parse(out)).toEqual(schema);
  });

  test('of another noun are wrong usage', async () => {
    expect(await cli('schema', 'customer')).toMatchObject({ code: 2 });
  });
});
