import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../src/accounts/passwords.ts';
import { SESSION_IDLE_MS, SESSION_MS } from '../../../src/accounts/sign-in.ts';
import { createBrowser } from '../../helpers/admin-browser.ts';
import { join, PASSWORD, startWithCustomers, tokenOf } from '../../helpers/people.ts';

type Api = Awaited<ReturnType<typeof startWithCustomers>>;

describe('the proof that a change comes from a page of the host', () => {
  let api: Api;
  let browser: ReturnType<typeof createBrowser>;
  beforeAll(async () => {
    api = await startWithCustomers();
    ({ browser } = await join(api, 'otto@example.org'));
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const JSON_TYPE = 'application/json';
  test.each([
    ['a page of the host', { 'sec-fetch-site': 'same-origin' }, JSON_TYPE, 200],
    ['a page of the host, in an old browser', { origin: 'OWN' }, JSON_TYPE, 200],
    ['another site', { 'sec-fetch-site': 'cross-site' }, JSON_TYPE, 403],
    ['another host of the site', { 'sec-fetch-site': 'same-site', origin: 'OWN' }, JSON_TYPE, 403],
    ['another site, in an old browser', { origin: 'https://evil.example' }, JSON_TYPE, 403],
    ['a page without an origin', { origin: 'null' }, JSON_TYPE, 403],
    ['nobody knows where', {}, JSON_TYPE, 403],
    ['a form', { 'sec-fetch-site': 'same-origin' }, 'text/plain', 403],
    ['a form of members', { 'sec-fetch-site': 'same-origin' }, 'application/x-www-form-urlencoded', 403],
  ])('%s', async (_name, proof, type, status) => {
    const headers = Object.fromEntries(
      Object.entries(proof).map(([name, value]) => [name, value === 'OWN' ? api.origin : value]),
    );
    const answer = await fetch(`${api.origin}/admin/v1/customers/3`, {
      method: 'PATCH',
      headers: { cookie: browser.cookie() ?? '', 'content-type': type, ...headers },
      body: JSON.stringify({ name: 'Changed' }),
    });

    expect(answer.status).toBe(status);
    await answer.text();
  });

  test('a page of another site can sign nobody in or out', async () => {
    const send = (method: string, path: string) =>
      fetch(`${api.origin}/admin/v1${path}`, {
        method,
        headers: { origin: 'https://evil.example', cookie: browser.cookie() ?? '', 'content-type': 'text/plain' },
        ...(method === 'POST' && { body: JSON.stringify({ email: 'otto@example.org', password: PASSWORD }) }),
      }).then(async (answer) => [answer.status, (await answer.text()).includes('page of this host')]);

    expect([await send('POST', '/session'), await send('DELETE', '/session')]).toEqual([
      [403, true],
      [403, true],
    ]);
    expect((await browser.get('/session')).status).toBe(200);
  });

  test('who sends the operator token is the operator, whatever cookie comes along', async () => {
    const answer = await fetch(`${api.origin}/admin/v1/session`, {
      headers: { authorization: 'Bearer operator-token-of-the-tests', cookie: 'fossick_session=nonsense' },
    });

    expect(await answer.json()).toEqual({
      actor: 'operator',
      role: 'operator',
      customers: null,
      person: null,
      expiresAt: null,
    });
  });

  test('where the request came encrypted, the cookie is for encrypted requests only', async () => {
    const signIn = async (headers: Record<string, string>) => {
      const answer = await fetch(`${api.origin}/admin/v1/session`, {
        method: 'POST',
        headers: { 'content-type': JSON_TYPE, ...headers },
        body: JSON.stringify({ email: 'otto@example.org', password: PASSWORD }),
      });
      await answer.text();
      return answer.headers.get('set-cookie')?.endsWith('; Secure');
    };

    expect([await signIn({}), await signIn({ 'x-forwarded-proto': 'https' })]).toEqual([false, true]);
  });

  test('what needs no credentials takes no large body', async () => {
    const answer = await browser.post('/session', { email: 'otto@example.org', password: 'x'.repeat(20_000) });

    expect(answer).toMatchObject({ status: 413, body: { errorCode: 'request.too-large' } });
  });
});

test('a session ends half a day after it was used last, and 30 days after it began', async () => {
  let now = Date.UTC(2026, 0, 1);
  await using api = await startWithCustomers({ clock: { now: () => now } });
  const { browser } = await join(api, 'otto@example.org');
  const status = async () => (await browser.get('/session')).status;

  now += SESSION_IDLE_MS - 1;
  expect(await status()).toBe(200);
  now += SESSION_IDLE_MS;
  expect(await status()).toBe(401);
  await browser.post('/session', { email: 'otto@example.org', password: PASSWORD });
  for (const end = now + SESSION_MS; now + SESSION_IDLE_MS / 2 < end; now += SESSION_IDLE_MS / 2) {
    expect(await status()).toBe(200);
  }
  now += SESSION_IDLE_MS / 2;
  expect(await status()).toBe(401);
});

test('a link opens for three days', async () => {
  let now = Date.UTC(2026, 0, 1);
  await using api = await startWithCustomers({ clock: { now: () => now } });
  const token = tokenOf(await api.post('/people', { email: 'late@example.org', role: 'operator' }));
  const status = async () => (await createBrowser(api.origin).post('/invitation', { token })).status;

  now += 72 * 3_600_000 - 1;
  expect(await status()).toBe(200);
  now += 1;
  expect(await status()).toBe(404);
});

test('failed sign-ins wait for each address and each person, and many of them are in the audit log once a minute', async () => {
  const waits: string[] = [];
  await using api = await startWithCustomers({
    failedCredentials: {
      check: async (key, look) => {
        const found = await look();
        if (found === undefined) waits.push(key);
        return found;
      },
    },
  });
  const { id } = await join(api, 'otto@example.org');
  const browser = createBrowser(api.origin);
  const fail = (email: string) => browser.post('/session', { email, password: 'wrong password' });
  for (let count = 0; count < 12; count++) await fail('Otto@example.org');
  for (let count = 0; count < 12; count++) await fail(`nobody-${count}@example.org`);

  expect(waits.slice(0, 2)).toEqual(['person:otto@example.org', '127.0.0.1']);
  expect((await api.get('/audit?limit=2')).body.items).toMatchObject([
    {
      actor: 'nobody',
      action: 'failed-sign-ins',
      after: { failures: 10, people: [id], addresses: ['127.0.0.1'] },
    },
    { action: 'accept-invitation' },
  ]);
});

test('a password that was hashed at another cost opens, and is hashed anew', async () => {
  await using api = await startWithCustomers();
  const { store } = api.deps;
  const { browser } = await join(api, 'otto@example.org');
  const hashOf = async () => (await store.findPersonByEmail('otto@example.org'))?.passwordHash ?? '';
  const weaker = await createPasswords({ costLog2: 3, blockSize: 8, parallelism: 1 }).hash(PASSWORD);
  await store.replacePasswordHash({ personId: 1, from: await hashOf(), to: weaker });

  const signIn = async () => (await browser.post('/session', { email: 'otto@example.org', password: PASSWORD })).status;

  expect(await signIn()).toBe(200);
  expect(await hashOf()).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
  expect(await signIn()).toBe(200);
});
