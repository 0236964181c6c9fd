import { expect, test } from 'vitest';
import { startAdminApi } from '../../helpers/admin-api.ts';

const NAME = 'fossick.config.yaml';
const CONTENT = {
  version: 1,
  customers: [
    {
      id: 3,
      name: 'Three',
      keys: [{ name: 'cms', fromEnv: 'CMS_API_KEY' }],
      engines: [{ id: 6, name: 'Main', perPage: 20 }],
      crawlers: [{ id: 17, engine: 6, name: 'Site', seeds: ['https://a.test/'] }],
    },
  ],
};
const FILE = { name: NAME, content: CONTENT };

test('a file is planned, applied and exported over HTTP', async () => {
  await using api = await startAdminApi();

  const plan = await api.post('/configuration/plan', FILE);
  expect(plan.body.changes).toHaveLength(4);
  expect(await api.get('/customers')).toMatchObject({ body: { items: [] } });
  expect((await api.post('/configuration/apply', FILE)).body).toEqual(plan.body);
  expect((await api.post('/configuration/apply', FILE)).body).toEqual({ changes: [], warnings: [] });

  const { body } = await api.get('/configuration');
  expect(body.file.customers).toMatchObject([
    { id: 3, keys: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }], engines: [{ perPage: 20 }] },
  ]);
  expect(body.variables).toMatchObject({ PORT: 8080, OPERATOR_TOKEN: null });
});

test('a wrong file is 400 with the paths of its mistakes', async () => {
  await using api = await startAdminApi();
  const content = { version: 1, customers: [{ id: 3, engines: [{ id: 6, perPage: 0 }] }] };

  expect(await api.post('/configuration/plan', { name: NAME, content })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'customers[0].engines[0].perPage' }] },
  });
});

test.each<[method: string, path: string, body?: object]>([
  ['PATCH', '/customers/3', { name: 'X' }],
  ['DELETE', '/customers/3'],
  ['DELETE', '/customers/3/keys/1'],
  ['PATCH', '/engines/6', { perPage: 5 }],
  ['DELETE', '/engines/6'],
  ['PATCH', '/crawlers/17', { seeds: [] }],
  ['DELETE', '/crawlers/17'],
  ['POST', '/crawlers/17/activate'],
])('%s %s of a record that the file manages is 409 and names the file', async (method, path, body) => {
  await using api = await startAdminApi();
  await api.post('/configuration/apply', FILE);

  const answer = await api.call(method, path, body);

  expect(answer).toMatchObject({ status: 409, body: { code: 409 } });
  expect(answer.body.message).toContain(`is managed by ${NAME}`);
});

test('a crawler that the file manages is deactivated by command, until the file is applied again', async () => {
  await using api = await startAdminApi();
  const crawlers = [{ id: 19, engine: 6, active: true, seeds: ['https://a.test/'] }];
  const content = { version: 1, customers: [{ id: 3, engines: [{ id: 6 }], crawlers }] };
  await api.post('/configuration/apply', { name: NAME, content });

  expect(await api.post('/crawlers/19/deactivate')).toMatchObject({ status: 200, body: { active: false } });
  expect((await api.get('/crawlers/19')).body).toMatchObject({ active: false, managedBy: NAME });
  await api.post('/configuration/apply', { name: NAME, content });

  expect((await api.get('/crawlers/19')).body).toMatchObject({ active: true });
});

test('an own engine is not removed while a managed crawler is in it', async () => {
  await using api = await startAdminApi();
  await api.post('/customers', { id: 4, name: 'Four' });
  await api.post('/engines', { id: 8, customer: 4, name: 'Own' });
  const crawlers = [{ id: 19, engine: 8 }];
  await api.post('/configuration/apply', { name: NAME, content: { version: 1, customers: [{ id: 4, crawlers }] } });

  expect(await api.delete('/engines/8')).toMatchObject({ status: 409 });
  expect(await api.get('/engines/8')).toMatchObject({ status: 200 });
});
