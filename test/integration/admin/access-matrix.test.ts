import type { FastifyPluginAsync } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf } from '../../../src/accounts/manage-keys.ts';
import { createIdentityProvider } from '../../../src/accounts/oidc/identity-provider.ts';
import {
  type AccessDeps,
  guardAdminRoutes,
  type RouteAccess,
  visibleCustomers,
} from '../../../src/api/admin/access.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { join, startWithCustomers } from '../../helpers/people.ts';
import { silentLog } from '../../helpers/silent-log.ts';

/** Who asks: what they send, and the role by which they are let in, undefined for nobody. */
type CallerCase = {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly role: 'operator' | 'editor' | 'reader' | undefined;
  /** Sees customer 3, whose records the paths name. */
  readonly isOwn: boolean;
  readonly hasProof: boolean;
};
type Route = { readonly method: string; readonly path: string; readonly access: RouteAccess };

const RANK = { person: 0, reader: 0, editor: 1, operator: 2 } as const;
/** Names of all that belongs to customer 3. */
const OWN_NAME = 'Only for customer three';
/** Signs out whoever asks. */
const LEFT_OUT = 'DELETE /session';
/** A token has no password. */
const OF_PEOPLE = 'PUT /session/password';

const routes: Route[] = [];
let api: Awaited<ReturnType<typeof startWithCustomers>>;
let callers: readonly CallerCase[];

beforeAll(async () => {
  const away = { issuer: 'http://127.0.0.1:9', clientId: 'fossick', clientSecret: undefined, name: 'Away' };
  const changes = { identityProvider: createIdentityProvider(away), log: silentLog };
  api = await startWithCustomers(changes, (route, access = 'operator') => {
    const [method = '', path = ''] = route.split(' ');
    if (route !== LEFT_OUT) routes.push({ method, path, access });
  });
  await api.patch('/customers/3', { name: OWN_NAME });
  await api.patch('/engines/6', { name: OWN_NAME });
  await api.post('/crawlers', { id: 17, engine: 6, name: OWN_NAME, seeds: ['https://a.test/'] });
  callers = await makeCallers();
});
afterAll(() => api[Symbol.asyncDispose]());

async function makeCallers(): Promise<readonly CallerCase[]> {
  const proof = { 'sec-fetch-site': 'same-origin' };
  const cookieOf = async (name: string, rights: object) => {
    const { browser, id } = await join(api, `${name}@example.org`, rights);
    return { id, cookie: browser.cookie() ?? '' };
  };
  const operator = await cookieOf('operator', { role: 'operator' });
  const editor = await cookieOf('editor', { role: 'editor', customers: [3] });
  const other = await cookieOf('other', { role: 'editor', customers: [4] });
  const reader = await cookieOf('reader', { role: 'reader', customers: [3] });
  const disabled = await cookieOf('disabled', { role: 'operator' });
  await api.patch(`/people/${disabled.id}`, { disabled: true });
  const now = Date.now();
  const session = { sha256: digestOf('expired'), at: now - 2, usedAfter: 0, expiresAt: now - 1 };
  await api.deps.store.openSession({ ...session, personId: operator.id, method: 'password' });
  const person = (cookie: string) => ({ headers: { cookie, ...proof }, hasProof: true });
  return [
    { name: 'nobody', headers: {}, role: undefined, isOwn: false, hasProof: false },
    {
      name: 'the operator token',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      role: 'operator',
      isOwn: true,
      hasProof: true,
    },
    { name: 'an operator', ...person(operator.cookie), role: 'operator', isOwn: true },
    { name: 'an editor of the customer', ...person(editor.cookie), role: 'editor', isOwn: true },
    { name: 'an editor of another customer', ...person(other.cookie), role: 'editor', isOwn: false },
    { name: 'a reader of the customer', ...person(reader.cookie), role: 'reader', isOwn: true },
    { name: 'somebody who is disabled', ...person(disabled.cookie), role: undefined, isOwn: false },
    { name: 'an expired session', ...person('fossick_session=expired'), role: undefined, isOwn: false },
    {
      name: 'an operator without proof of the page',
      headers: { cookie: operator.cookie },
      role: 'operator',
      isOwn: true,
      hasProof: false,
    },
  ];
}

/** Ids of records of customer 3, for who may only read them; for operators those of nothing, as they could remove all. */
function urlOf({ path }: Route, { role }: CallerCase): string {
  const own: Readonly<Record<string, number>> = { customerId: 3, engineId: 6, crawlerId: 17 };
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) => String(role === 'operator' ? 999 : (own[name] ?? 999)));
}

async function ask(route: Route, caller: CallerCase) {
  const answer = await fetch(`${api.origin}/admin/v1${urlOf(route, caller)}`, {
    method: route.method,
    redirect: 'manual',
    headers: { ...caller.headers, ...(hasBody(route) && { 'content-type': 'application/json' }) },
    // Nothing takes a list: whoever is let in is told so, and nothing changes.
    ...(hasBody(route) && { body: '[]' }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, text, message: isJson && answer.status >= 400 ? JSON.parse(text).message : '' };
}

function hasBody({ method }: Route): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(method);
}

const NAMED = /^There is no (?:customer 3|engine 6|crawler 17)$/;

/** What the declared access of the route alone says; undefined: let in. */
function expectedRefusal({ method, path, access }: Route, caller: CallerCase): number | undefined {
  if (access === 'open') return undefined;
  if (caller.role === undefined) return 401;
  if (!caller.hasProof && method !== 'GET') return 403;
  if (RANK[caller.role] < RANK[access]) return 403;
  if (caller.name === 'the operator token' && `${method} ${path}` === OF_PEOPLE) return 403;
  return !caller.isOwn && /:(?:customer|engine|crawler)Id/.test(path) ? 404 : undefined;
}

function refusalOf({ status, message }: Awaited<ReturnType<typeof ask>>): number | undefined {
  if (status === 401 || status === 403 || status === 500) return status;
  return status === 404 && NAMED.test(message) ? 404 : undefined;
}

test('what every route says to every caller follows from its access alone', async () => {
  const wrong: string[] = [];
  for (const route of routes) {
    const answers = await Promise.all(callers.map(async (caller) => ({ caller, ...(await ask(route, caller)) })));
    for (const { caller, ...answer } of answers) {
      const expected = expectedRefusal(route, caller) ?? 'let in';
      const actual = refusalOf(answer) ?? 'let in';
      const told = `${route.method} ${route.path} (${route.access}) · ${caller.name}`;
      if (actual !== expected) wrong.push(`${told}: ${actual}, not ${expected}: ${answer.message}`);
    }
  }

  expect(wrong).toEqual([]);
  expect(routes.length).toBeGreaterThan(80);
});

test('no list shows an editor what belongs to another customer', async () => {
  const lists = routes.filter(
    ({ method, path, access }) => method === 'GET' && !path.includes(':') && access !== 'open',
  );
  const shown = async (name: string) => {
    const caller = callers.find((each) => each.name === name) as CallerCase;
    const answers = await Promise.all(
      lists.map(async (route) => ({ path: route.path, ...(await ask(route, caller)) })),
    );
    return answers.filter(({ text }) => text.includes(OWN_NAME)).map(({ path }) => path);
  };

  expect(await shown('an editor of another customer')).toEqual([]);
  expect(await shown('an editor of the customer')).toEqual(
    expect.arrayContaining(['/customers', '/engines', '/crawlers']),
  );
});

test('a route that states no access is the operator’s, and one that shows records without asking whose shows none', async () => {
  const added =
    (deps: AccessDeps): FastifyPluginAsync =>
    async (app) => {
      await app.register(
        async (admin) => {
          guardAdminRoutes(admin, deps);
          admin.get('/unstated', async () => ({}));
          admin.get('/careless', { config: { access: 'reader' } }, async () => ({}));
          admin.get('/careful', { config: { access: 'reader' } }, async (request) => {
            visibleCustomers(request);
            return {};
          });
        },
        { prefix: '/added' },
      );
    };
  await using other = await startAdminApi((deps) => [added(deps)], undefined, { log: silentLog });
  await other.post('/customers', { id: 3, name: 'Three' });
  const operator = await join(other, 'operator@example.org');
  const reader = await join(other, 'reader@example.org', { role: 'reader', customers: [3] });
  const status = async (path: string, cookie: string | undefined) => {
    const answer = await fetch(`${other.origin}/added${path}`, { headers: { cookie: cookie ?? '' } });
    await answer.text();
    return answer.status;
  };
  const statuses = async (path: string) => [
    await status(path, reader.browser.cookie()),
    await status(path, operator.browser.cookie()),
  ];

  expect(await statuses('/unstated')).toEqual([403, 200]);
  expect(await statuses('/careless')).toEqual([500, 500]);
  expect(await statuses('/careful')).toEqual([200, 200]);
});
