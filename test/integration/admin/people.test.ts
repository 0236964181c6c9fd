import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from '../../../src/accounts/manage-keys.ts';
import { createBrowser } from '../../helpers/admin-browser.ts';
import { join, PASSWORD, startWithCustomers, tokenOf } from '../../helpers/people.ts';

type Api = Awaited<ReturnType<typeof startWithCustomers>>;

describe('people', () => {
  let api: Api;
  beforeAll(async () => {
    api = await startWithCustomers();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  test('somebody who is invited sets a password, is signed in and signs in again', async () => {
    const invited = await api.post('/people', { email: ' Anna@Example.org', role: 'editor', customers: [4, 3, 3] });
    expect(invited.body).toMatchObject({
      person: { email: 'anna@example.org', state: 'invited', customers: [3, 4], sessions: 0 },
      link: { path: expect.stringMatching(/^\/admin\/invitation#[\w-]{43}$/), url: null },
    });
    const token = tokenOf(invited);
    const browser = createBrowser(api.origin);
    expect((await browser.post('/invitation', { token })).body).toMatchObject({
      kind: 'invitation',
      email: 'anna@example.org',
      name: null,
    });

    const accepted = await browser.post('/invitation/accept', { token, name: 'Anna', password: PASSWORD });

    const session = { role: 'editor', customers: [3, 4], person: { email: 'anna@example.org', name: 'Anna' } };
    expect(accepted).toMatchObject({ status: 200, body: session });
    expect(accepted.cookie).toMatch(
      /^fossick_session=[\w-]{43}; Path=\/admin; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect((await browser.get('/session')).body).toMatchObject(session);
    expect(await browser.delete('/session')).toMatchObject({ status: 204 });
    expect(await browser.get('/session')).toMatchObject({ status: 401 });
    const again = await browser.post('/session', { email: 'ANNA@example.org ', password: PASSWORD });
    expect(again).toMatchObject({ status: 200, body: session });
    const [person] = (await api.get('/people')).body.items;
    expect(person).toMatchObject({ name: 'Anna', state: 'active', sessions: 1, linkExpiresAt: null });
  });

  test('a link opens once, and no longer once another one is made', async () => {
    const { token, id } = await join(api, 'once@example.org');
    const browser = createBrowser(api.origin);
    const take = (link: string) => browser.post('/invitation/accept', { token: link, password: PASSWORD });
    expect(await take(token)).toMatchObject({ status: 404, body: { errorCode: 'record.not-found' } });

    const first = tokenOf(await api.post(`/people/${id}/link`));
    const second = tokenOf(await api.post(`/people/${id}/link`));

    expect(await browser.post('/invitation', { token: first })).toMatchObject({ status: 404 });
    expect(await browser.post('/invitation', { token: second })).toMatchObject({ body: { kind: 'password' } });
    expect([(await take(first)).status, (await take(second)).status]).toEqual([404, 200]);
  });

  test.each([
    ['short', 'too short', 'at least 10 characters'],
    ['one character', 'aaaaaaaaaaaa', '5 different characters'],
    ['known to everybody', 'Password123', 'tried first'],
    ['the address', 'weak.person@example.org', 'mail address'],
    ['the name of the address', 'weak.person1', 'mail address'],
    ['a megabyte', 'x'.repeat(10_000), 'at most 200 characters'],
  ])('a password that is %s is refused with the member that is wrong', async (_name, password, reason) => {
    const invited = await api.post('/people', {
      email: 'weak.person@example.org',
      role: 'reader',
      customers: [3],
    });
    const token = tokenOf(
      invited.status === 201 ? invited : await api.post(`/people/${await idOf('weak.person@example.org')}/link`),
    );

    const answer = await createBrowser(api.origin).post('/invitation/accept', { token, name: 'W', password });

    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'password', message: expect.stringContaining(reason) }] },
    });
  });

  const idOf = async (email: string) =>
    (await api.get('/people')).body.items.find((each: { email: string }) => each.email === email)?.id;

  test('a wrong password, an unknown address and a person without a password are answered alike', async () => {
    await join(api, 'known@example.org');
    await api.post('/people', { email: 'never@example.org', role: 'operator' });
    const browser = createBrowser(api.origin);
    const answers = await Promise.all(
      ['known@example.org', 'unknown@example.org', 'never@example.org', 'no address\n'].map((email) =>
        browser.post('/session', { email, password: 'wrong password' }),
      ),
    );

    expect(answers.map(({ status, body, cookie }) => [status, body.message, cookie])).toEqual(
      Array(4).fill([401, 'The mail address or the password is wrong', undefined]),
    );
  });

  test('the own password is changed by who knows the present one, and ends the other sessions', async () => {
    const { browser } = await join(api, 'own@example.org');
    const other = createBrowser(api.origin);
    await other.post('/session', { email: 'own@example.org', password: PASSWORD });
    const set = (current: string, password: string) => browser.put('/session/password', { current, password });

    expect(await set('wrong', 'another long walk')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'current' }] },
    });
    expect(await set(PASSWORD, 'own@example.org')).toMatchObject({ body: { errors: [{ path: 'password' }] } });
    expect((await other.get('/session')).status).toBe(200);
    expect((await set(PASSWORD, 'another long walk')).status).toBe(204);

    expect([(await browser.get('/session')).status, (await other.get('/session')).status]).toEqual([200, 401]);
    const signIn = (password: string) => other.post('/session', { email: 'own@example.org', password });
    expect([(await signIn(PASSWORD)).status, (await signIn('another long walk')).status]).toEqual([401, 200]);
    expect(await api.call('PUT', '/session/password', { current: 'x', password: PASSWORD })).toMatchObject({
      status: 403,
    });
  });

  test.each([
    ['another role', { role: 'reader', customers: [3] }],
    ['other customers', { customers: [4] }],
    ['no access any more', { disabled: true }],
  ])('somebody who gets %s is signed out at once', async (name, change) => {
    const { browser, id } = await join(api, `${name.replaceAll(' ', '-')}@example.org`, {
      role: 'editor',
      customers: [3],
    });
    expect((await browser.get('/engines/6')).status).toBe(200);

    const changed = await api.patch(`/people/${id}`, change);

    expect(changed.status).toBe(200);
    expect((await browser.get('/engines/6')).status).toBe(401);
  });

  test('somebody who is disabled cannot sign in or get a link, and can when enabled again', async () => {
    const { browser, id } = await join(api, 'off@example.org');
    const signIn = async () =>
      (await browser.post('/session', { email: 'off@example.org', password: PASSWORD })).status;
    await api.patch(`/people/${id}`, { disabled: true });

    expect([await signIn(), (await api.post(`/people/${id}/link`)).status]).toEqual([401, 409]);
    await api.patch(`/people/${id}`, { disabled: false });

    expect(await signIn()).toBe(200);
  });

  test('an operator ends the sessions of somebody, and removes them', async () => {
    const { browser, id } = await join(api, 'leaver@example.org');

    expect((await api.delete(`/people/${id}/sessions`)).body).toEqual({ ended: 1 });
    expect((await browser.get('/session')).status).toBe(401);
    expect(await api.delete(`/people/${id}`)).toMatchObject({ status: 204 });
    expect(await api.get(`/people/${id}`)).toMatchObject({ status: 404 });
    expect(await browser.post('/session', { email: 'leaver@example.org', password: PASSWORD })).toMatchObject({
      status: 401,
    });
  });

  test.each([
    ['no mail address', { email: 'anna', role: 'operator' }, 'email'],
    ['an address of two lines', { email: 'a@b.example\nBcc: c@d.example', role: 'operator' }, 'email'],
    ['a huge address', { email: `${'a'.repeat(5_000)}@b.example`, role: 'operator' }, 'email'],
    ['an unknown role', { email: 'a@b.example', role: 'admin' }, 'role'],
    ['a huge name', { email: 'a@b.example', role: 'operator', name: 'x'.repeat(201) }, 'name'],
    ['an editor of nothing', { email: 'a@b.example', role: 'editor' }, 'customers'],
    ['an unknown customer', { email: 'a@b.example', role: 'editor', customers: [3, 99] }, 'customers[1]'],
    ['an operator of one customer', { email: 'a@b.example', role: 'operator', customers: [3] }, 'customers'],
    ['an unknown member', { email: 'a@b.example', role: 'operator', password: 'x' }, 'password'],
  ])('%s is refused with its member, and nobody is made', async (_name, body, path) => {
    expect(await api.post('/people', body)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect(await idOf('a@b.example')).toBeUndefined();
  });

  test('an address is one person, and the second of two editors at once sees the first change', async () => {
    const { id } = await join(api, 'twice@example.org');
    expect(await api.post('/people', { email: 'Twice@example.org', role: 'operator' })).toMatchObject({ status: 409 });
    const shown = await fetchWithTag(`/people/${id}`);

    const change = (name: string) =>
      fetch(`${api.origin}/admin/v1/people/${id}`, {
        method: 'PATCH',
        headers: { ...AUTHORIZED, 'if-match': shown },
        body: JSON.stringify({ name }),
      });

    expect([(await change('First')).status, (await change('Second')).status]).toEqual([200, 412]);
    expect((await api.get(`/people/${id}`)).body).toMatchObject({ name: 'First' });
  });

  const AUTHORIZED = { authorization: 'Bearer operator-token-of-the-tests', 'content-type': 'application/json' };
  const fetchWithTag = async (path: string) => {
    const answer = await fetch(`${api.origin}/admin/v1${path}`, { headers: AUTHORIZED });
    await answer.text();
    return answer.headers.get('etag') ?? '';
  };

  test('what a person does is in the audit log with the person', async () => {
    const { browser, id } = await join(api, 'doer@example.org');
    await browser.patch('/engines/6', { perPage: 33 });
    await browser.delete('/session');

    const { items } = (await api.get('/audit?limit=5')).body;

    const actor = `person:${id} doer@example.org`;
    expect(items.map((each: Record<string, unknown>) => [each['actor'], each['action'], each['target']])).toEqual([
      [actor, 'sign-out', `person:${id}`],
      [actor, 'put-engine', 'engine:6'],
      [actor, 'accept-invitation', `person:${id}`],
      ['operator', 'make-link', `person:${id}`],
      ['operator', 'put-person', `person:${id}`],
    ]);
  });

  test('nothing that opens anything is stored or told', async () => {
    const { token, browser } = await join(api, 'secret@example.org');
    const session = browser.cookie()?.split('=')[1] ?? '';

    const told = JSON.stringify([
      await api.get('/people'),
      await api.get('/audit?limit=1000'),
      await api.get('/configuration'),
    ]);

    expect(session).toHaveLength(43);
    for (const secret of [token, session, PASSWORD, digestOf(session), '$scrypt$']) expect(told).not.toContain(secret);
  });
});
