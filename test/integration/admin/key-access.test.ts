import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWithCustomers } from '../../helpers/people.ts';

let api: Awaited<ReturnType<typeof startWithCustomers>>;
beforeAll(async () => {
  api = await startWithCustomers();
});
afterAll(() => api[Symbol.asyncDispose]());

async function keyOf(name: string, scopes?: readonly string[]) {
  const made = await api.post('/customers/3/keys', { name, ...(scopes !== undefined && { scopes }) });
  const send = async (method: string, path: string, body?: unknown, key: string = made.body.key) => {
    const answer = await fetch(`${api.origin}/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`3:${key}`).toString('base64')}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return { ...made, send };
}

test('a key that names statistics reads those of its customer, as a reader', async () => {
  const { send, body } = await keyOf('reports', ['statistics']);

  expect((await send('GET', '/session')).body).toEqual({
    actor: `key:${body.id} reports`,
    role: 'reader',
    customers: [3],
    person: null,
    expiresAt: null,
  });
  expect((await send('GET', '/engines')).body.items).toMatchObject([{ id: 6 }]);
  const statuses = ['/engines/6/statistics', '/engines/7/statistics', '/engines/6/documents', '/audit'].map(
    async (path) => (await send('GET', path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404, 403, 403]);
});

test('a reader sees of an engine its names, its language and its search page, and an editor its settings', async () => {
  await api.patch('/engines/6', { page: { published: true } });
  const [reader, editor] = [await keyOf('names', ['statistics']), await keyOf('settings', ['tools'])];
  const named = { id: 6, customer: 3, name: 'Engine 6', language: 'en', searchPage: '/s/engine-6' };

  expect((await reader.send('GET', '/engines')).body).toEqual({ items: [named], next: null });
  expect((await reader.send('GET', '/engines/6')).body).toEqual(named);
  expect((await editor.send('GET', '/engines')).body.items).toMatchObject([{ id: 6, perPage: 10 }]);
  expect((await editor.send('GET', '/engines/6')).body).toMatchObject({ id: 6, page: { published: true } });
});

test('a key that names tools changes what editors change, and is in the audit log', async () => {
  const { send, body } = await keyOf('cms', ['tools', 'search', 'search']);
  const question = { question: 'When is it open?', mustContain: ['nine'] };

  expect(body).toMatchObject({ scopes: ['search', 'tools'], lastUsedOn: null });
  expect((await send('POST', '/engines/6/golden-questions', question)).status).toBe(201);
  expect((await send('POST', '/engines/7/golden-questions', question)).status).toBe(404);
  expect((await send('PATCH', '/engines/6', { perPage: 5 })).status).toBe(403);
  expect((await api.get('/audit?limit=1')).body.items).toMatchObject([
    { actor: `key:${body.id} cms`, action: 'add-golden-question' },
  ]);
});

test('a key that names nothing, or something else, opens nothing here', async () => {
  for (const scopes of [undefined, ['documents', 'urls']]) {
    const { send } = await keyOf(`plain ${scopes}`, scopes);

    expect(await send('GET', '/engines')).toMatchObject({
      status: 403,
      body: { message: 'This needs an API key with the scope tools or statistics' },
    });
    expect((await send('GET', '/engines', undefined, 'wrong')).status).toBe(401);
  }
});

test.each([
  ['an unknown scope', { name: 'x', scopes: ['admin'] }, 'scopes[0]'],
  ['no scope', { name: 'x', scopes: [] }, 'scopes'],
  ['a text', { name: 'x', scopes: 'search' }, 'scopes'],
])('%s is refused with its member', async (_name, body, path) => {
  expect(await api.post('/customers/3/keys', body)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
});
