import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentityProvider } from '../../../src/accounts/oidc/identity-provider.ts';
import { CLIENT, startIdentityServer } from '../../helpers/identity-server.ts';
import { startWithCustomers } from '../../helpers/people.ts';
import { silentLog } from '../../helpers/silent-log.ts';

let provider: Awaited<ReturnType<typeof startIdentityServer>>;
let api: Awaited<ReturnType<typeof startWithCustomers>>;
let now = Date.now();
beforeAll(async () => {
  provider = await startIdentityServer();
  const identityProvider = createIdentityProvider({ ...CLIENT, issuer: provider.issuer, name: 'House' });
  api = await startWithCustomers({ identityProvider, log: silentLog, clock: { now: () => now } });
  await api.post('/people', { email: 'anna@example.org', role: 'editor', customers: [3] });
  await api.post('/people', { email: 'gone@example.org', role: 'operator' });
  await api.post('/people', { email: 'otto@example.org', role: 'operator' });
  await api.patch('/people/2', { disabled: true });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function visit(url: string, cookie = '') {
  const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
  await answer.text();
  const cookies = answer.headers.getSetCookie().map((set) => set.split(';')[0] ?? '');
  return {
    status: answer.status,
    location: answer.headers.get('location') ?? '',
    cookies,
    set: answer.headers.getSetCookie(),
  };
}

/** As a browser does it: to the provider, and back with the cookie. */
async function signIn({ to = '/admin', change = (url: string) => url, keep = (cookie: string) => cookie } = {}) {
  const start = await visit(`${api.origin}/admin/v1/oidc/start?to=${encodeURIComponent(to)}`);
  const back = await visit(start.location);
  return visit(change(back.location), keep(start.cookies[0] ?? ''));
}

test('who was invited signs in by the provider, and comes to where they wanted to go', async () => {
  provider.tell({ email: 'Anna@example.org', email_verified: true });

  const { status, location, cookies, set } = await signIn({ to: '/admin/engines/6/preview?q=opening%20hours' });

  expect([status, location]).toEqual([302, '/admin/engines/6/preview?q=opening%20hours']);
  expect(set[0]).toMatch(/^fossick_oidc=; Path=\/admin\/v1\/oidc; Max-Age=0; HttpOnly; SameSite=Lax$/);
  const session = await fetch(`${api.origin}/admin/v1/session`, { headers: { cookie: cookies[1] ?? '' } });
  expect(await session.json()).toMatchObject({ role: 'editor', person: { email: 'anna@example.org' } });
  expect((await api.get('/audit?limit=1')).body.items).toMatchObject([
    { actor: 'person:1 anna@example.org', action: 'sign-in', after: { method: 'oidc' } },
  ]);
  expect((await api.get('/sign-in')).body).toEqual({
    hasPeople: true,
    oidc: { name: 'House', path: '/admin/v1/oidc/start' },
  });
});

test.each([
  ['somebody unknown', { email: 'eve@example.org', email_verified: true }, 'oidc-unknown-person'],
  ['an address that nobody has verified', { email: 'anna@example.org' }, 'oidc-unverified-mail'],
  ['no address', { email_verified: true }, 'oidc-unverified-mail'],
  ['somebody who is disabled', { email: 'gone@example.org', email_verified: true }, 'oidc-disabled'],
  ['a token of another request', { email: 'anna@example.org', email_verified: true, nonce: 'other' }, 'oidc-failed'],
  [
    'a token of another issuer',
    { email: 'anna@example.org', email_verified: true, iss: 'https://a.test' },
    'oidc-failed',
  ],
  ['a token for another client', { email: 'anna@example.org', email_verified: true, aud: 'other' }, 'oidc-failed'],
])('%s is signed in nowhere, and told why', async (_name, told, problem) => {
  provider.tell(told);
  const people = (await api.get('/people')).body.items.length;

  const { status, location, cookies } = await signIn();

  expect([status, location]).toEqual([302, `/admin/sign-in?problem=${problem}`]);
  expect(cookies).toEqual(['fossick_oidc=']);
  expect((await api.get('/people')).body.items).toHaveLength(people);
});

test.each([
  ['without the cookie', { keep: () => '' }],
  ['with a cookie that was changed', { keep: (cookie: string) => `${cookie.slice(0, -4)}AAAA` }],
  ['with another state', { change: (url: string) => url.replace(/state=[^&]*/, 'state=other') }],
  ['with another code', { change: (url: string) => url.replace(/code=[^&]*/, 'code=other') }],
])('who comes back %s is signed in nowhere', async (_name, how) => {
  provider.tell({ email: 'anna@example.org', email_verified: true });

  expect(await signIn(how)).toMatchObject({
    location: '/admin/sign-in?problem=oidc-failed',
    cookies: ['fossick_oidc='],
  });
});

test('who takes longer than ten minutes begins anew', async () => {
  provider.tell({ email: 'anna@example.org', email_verified: true });
  const start = await visit(`${api.origin}/admin/v1/oidc/start`);
  const back = await visit(start.location);
  now += 600_001;

  expect((await visit(back.location, start.cookies[0])).location).toBe('/admin/sign-in?problem=oidc-failed');
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/admin//evil.example',
  '/admin\\evil',
  '/other',
  '/administrator',
])('nobody is sent on to %s', async (to) => {
  provider.tell({ email: 'anna@example.org', email_verified: true });

  const { location } = await signIn({ to });

  expect(new URL(location, api.origin).origin).toBe(api.origin);
  expect(location.startsWith('/admin')).toBe(true);
});

test('without a provider there is nothing to begin, and one that is away is told', async () => {
  await using none = await startWithCustomers();
  expect(await none.get('/oidc/start')).toMatchObject({ status: 403, body: { errorCode: 'feature.disabled' } });
  const away = createIdentityProvider({ ...CLIENT, issuer: 'http://127.0.0.1:9', name: 'Away' });
  await using broken = await startWithCustomers({ identityProvider: away, log: silentLog });

  expect(await visit(`${broken.origin}/admin/v1/oidc/start`)).toMatchObject({
    status: 302,
    location: '/admin/sign-in?problem=oidc-failed',
    cookies: [],
  });
});
