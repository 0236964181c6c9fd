import { expect, test } from 'vitest';
import { unmarkedNames } from '../../../src/crawl/private-names.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'wiki.corp.test': ['10.1.2.3', '10.1.2.4'],
  'git.corp.test': ['127.0.0.1'],
};
const deps = { findPrivateAddresses: async (hostname: string) => ADDRESSES[hostname] ?? [] };

const RESOLVES = 'wiki.corp.test resolves to 10.1.2.3, 10.1.2.4, where names do not lead: ';
const WAY_OUT = 'if it is yours, fossick crawler allow-private 17 wiki.corp.test';
const SEEDS = ['http://wiki.corp.test/', 'https://www.a.test/'];

async function startApi() {
  const warn = (crawlers: Parameters<typeof unmarkedNames>[1]) => unmarkedNames(deps, crawlers);
  const api = await startAdminApi(undefined, undefined, { ...deps, unmarkedNames: warn });
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  return api;
}

test('who saves a crawler hears which of its names leads inside, and allows it with one call', async () => {
  await using api = await startApi();

  const made = await api.post('/crawlers', { id: 17, engine: 6, name: 'Wiki', seeds: SEEDS });
  expect(made).toMatchObject({ status: 201, body: { privateNames: {}, warnings: [RESOLVES + WAY_OUT] } });
  expect((await api.patch('/crawlers/17', { limits: { depth: 3 } })).body.warnings).toEqual([RESOLVES + WAY_OUT]);

  const allowed = await api.post('/crawlers/17/private-names', { name: 'wiki.corp.test' });
  expect(allowed).toMatchObject({
    status: 200,
    body: { privateNames: { 'wiki.corp.test': ['10.1.2.0/24'] }, warnings: [] },
  });
  const added = await api.patch('/crawlers/17', { domains: ['wiki.corp.test', 'git.corp.test', '*.corp.test'] });
  expect(added.body.warnings).toEqual([expect.stringMatching(/^git\.corp\.test resolves to 127\.0\.0\.1, /)]);
  const all = await api.post('/crawlers/17/private-names', { name: '*.corp.test', networks: ['10.0.0.0/8'] });
  expect(all.body.privateNames).toEqual({ 'wiki.corp.test': ['10.1.2.0/24'], '*.corp.test': ['10.0.0.0/8'] });
  expect((await api.patch('/crawlers/17', { privateNames: null })).body.privateNames).toEqual({});
});

test.each([
  [{ name: 'other.test' }, 'name: other.test is no host of a seed or domain of crawler 17'],
  [{ name: 'www.a.test' }, 'name: www.a.test resolves to no private address that is closed'],
  [{ name: '*.corp.test' }, 'name: *.corp.test stands for many names: name their networks too'],
  [{ name: 'wiki.corp.test', networks: ['0.0.0.0/0'] }, 'must be a private network such as 10.1.2.0/24'],
  [{ name: '' }, 'name'],
  [{}, 'name'],
])('%j is refused, and nothing is changed', async (body, message) => {
  await using api = await startApi();
  await api.post('/crawlers', {
    id: 17,
    engine: 6,
    name: 'Wiki',
    seeds: SEEDS,
    domains: ['*.corp.test', 'www.a.test'],
  });

  const answer = await api.post('/crawlers/17/private-names', body);

  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(message);
  expect((await api.get('/crawlers/17')).body.privateNames).toEqual({});
});

test('a provision file names the networks; its plan warns, and a call says what to write', async () => {
  await using api = await startApi();
  const crawler = { id: 17, engine: 6, seeds: SEEDS };
  const file = (members: object) => ({
    name: 'fossick.config.yaml',
    content: { version: 1, customers: [{ id: 3, crawlers: [{ ...crawler, ...members }] }] },
  });

  expect((await api.post('/configuration/apply', file({}))).body.warnings).toEqual([RESOLVES + WAY_OUT]);
  const refused = await api.post('/crawlers/17/private-names', { name: 'wiki.corp.test' });
  expect(refused.status).toBe(409);
  expect(refused.body.message).toContain('write privateNames: {"wiki.corp.test":["10.1.2.0/24"]} there');

  const privateNames = { 'wiki.corp.test': ['10.1.2.0/24'] };
  const applied = await api.post('/configuration/apply', file({ privateNames }));
  expect(applied.body).toMatchObject({ changes: [{ action: 'change' }], warnings: [] });
});

test('the command line warns, and allows a name', async () => {
  await using api = await startApi();
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

  const made = await run('crawler', 'add', '6', 'Wiki', `seeds=${JSON.stringify(SEEDS)}`, '--id', '17');
  expect(made.err).toBe(`warning: ${RESOLVES}${WAY_OUT}\n`);

  const allowed = await run('crawler', 'allow-private', '17', 'wiki.corp.test');
  expect(allowed).toMatchObject({ code: 0, out: expect.stringContaining('10.1.2.0/24') });
  expect(allowed.out).toMatch(/\nNext: fossick crawler run 17\n$/);
  const changed = await run('crawler', 'set', '17', 'limits.depth=4');
  expect(changed).toMatchObject({ code: 0, err: '' });
});
