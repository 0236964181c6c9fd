import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { OPEN_ACCESS } from '../../../src/fetch/fetcher.ts';
import { createCookieJar } from '../../../src/fetch/http/cookies.ts';
import { openFetcher, openTo, pageRequest } from '../../helpers/fetching.ts';
import { redirectTo, type SeenRequest, startSiteServer } from '../../helpers/site-server.ts';

const text = (body: unknown) => Buffer.from(body as Uint8Array).toString('utf8');

describe('credentials', () => {
  test('go to their own origin and to no other', async () => {
    await using other = await startSiteServer({ '/end': { body: 'end' } }, { address: '127.0.0.2' });
    await using site = await startSiteServer({ '/': redirectTo(`${other.origin}/end`) });
    await using fetcher = await openFetcher();
    const own = { authorization: 'Basic c2VjcmV0', 'x-key': 'k' };
    const access = {
      ...OPEN_ACCESS,
      allow: openTo([site.host, other.host]),
      credentials: {
        goTo: (origin: string) => origin === site.origin,
        headers: own,
        cookies: { session: '1' },
        jar: createCookieJar(systemClock),
      },
    };
    const headers = { 'accept-language': 'da', Authorization: 'Bearer x', Cookie: 'a=1', Referer: 'http://x/' };

    await fetcher.fetch(pageRequest(`${site.origin}/`, [], { access, headers }));

    expect(site.requests[0]?.headers).toMatchObject({ ...own, cookie: 'session=1', 'accept-language': 'da' });
    expect(other.requests[0]?.headers['accept-language']).toBe('da');
    for (const name of ['authorization', 'cookie', 'x-key', 'referer']) {
      expect(other.requests[0]?.headers[name]).toBeUndefined();
    }
  });

  test('a cookie that a host sets is not sent again without credentials for its origin', async () => {
    await using site = await startSiteServer({ '/': { headers: { 'set-cookie': ['a=1', 'b=2'] }, body: 'x' } });
    await using fetcher = await openFetcher();
    await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]));
    await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]));
    expect(site.requests[1]?.headers.cookie).toBeUndefined();
  });
});

describe('forms', () => {
  const form = [
    ['user', 'me & you'],
    ['pass', 'ö'],
  ] as const;
  const sentTo = ({ requests }: { readonly requests: readonly SeenRequest[] }) =>
    requests.map(({ method, path, headers }) => `${method} ${path} ${headers['content-length'] ?? 0}`);

  test.each([
    [303, ['POST /form 27', 'GET /end 0']],
    [302, ['POST /form 27', 'GET /end 0']],
    [307, ['POST /form 27', 'POST /end 27']],
    [308, ['POST /form 27', 'POST /end 27']],
  ])('a form is posted, and after a %d at its origin it goes on as it should', async (status, expected) => {
    await using site = await startSiteServer({ '/form': redirectTo('/end', status), '/end': { body: 'in' } });
    await using fetcher = await openFetcher();
    const found = await fetcher.fetch(pageRequest(`${site.origin}/form`, [site.host], { purpose: 'login', form }));
    expect(text(found.body)).toBe('in');
    expect(sentTo(site)).toEqual(expected);
    expect(site.requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  test('what was typed goes to no other origin', async () => {
    await using other = await startSiteServer({ '/end': { body: 'end' } }, { address: '127.0.0.2' });
    await using site = await startSiteServer({ '/form': redirectTo(`${other.origin}/end`, 307) });
    await using fetcher = await openFetcher();
    await fetcher.fetch(pageRequest(`${site.origin}/form`, [site.host, other.host], { purpose: 'login', form }));
    expect(sentTo(other)).toEqual(['GET /end 0']);
  });

  test('the page of the form may be the one that the form leads back to', async () => {
    await using site = await startSiteServer({
      '/login': (request, response) =>
        request.method === 'POST'
          ? response.writeHead(303, { location: '/login' }).end()
          : response.writeHead(200, { 'content-type': 'text/html' }).end('welcome'),
    });
    await using fetcher = await openFetcher();
    const found = await fetcher.fetch(pageRequest(`${site.origin}/login`, [site.host], { purpose: 'login', form }));
    expect(text(found.body)).toBe('welcome');
  });
});

test('requests that differ in credentials or cookies share no connection, those of one crawler do', async () => {
  const ports: (number | undefined)[] = [];
  await using site = await startSiteServer({
    '/': (request, response) => {
      ports.push(request.socket.remotePort);
      response.end('x');
    },
  });
  await using fetcher = await openFetcher();
  const jars = [createCookieJar(systemClock), createCookieJar(systemClock)] as const;
  const portsOf = async (key: string, jar: (typeof jars)[number]) => {
    const credentials = { goTo: () => true, headers: { 'x-key': key }, cookies: {}, jar };
    const access = { ...OPEN_ACCESS, allow: openTo([site.host]), credentials };
    for (let round = 0; round < 6; round++) await fetcher.fetch(pageRequest(`${site.origin}/`, [], { access }));
    return [...new Set(ports.splice(0))];
  };

  const all = [await portsOf('a', jars[0]), await portsOf('b', jars[0]), await portsOf('b', jars[1])];

  expect(new Set(all.flat()).size).toBe(all.flat().length);
  // The pool may open a second one while the first is not yet marked as free.
  expect(all.flat().length).toBeLessThanOrEqual(6);
});
