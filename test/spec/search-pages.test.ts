import { describe, expect, test } from 'vitest';
import { HOSTED_PAGE } from '../../src/accounts/hosted-page.ts';
import { startProduct } from '../helpers/product.ts';
import { webFolders } from '../helpers/web-folders.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The product with search pages; `pages` are those of engines 6, 7 (customer 3) and 8 (customer 4). */
async function startWith(pages: Readonly<Record<number, object>> = {}, settings = {}) {
  await using stack = new AsyncDisposableStack();
  const folders = stack.use(await webFolders());
  const product = stack.use(await startProduct({ ...folders, settings }));
  for (const [id, page] of Object.entries(pages)) {
    await product.changeSettings(Number(id), { page: HOSTED_PAGE.parse({ published: true, ...page }) });
  }
  const owned = stack.move();
  return { ...product, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What the page was told: the id of its engine and all else. */
function settingsIn(body: unknown) {
  const [, content = ''] = /name="fossick-page" content="([^"]*)"/.exec(String(body)) ?? [];
  return JSON.parse(content.replace(/&(#?\w+);/g, (_found, name: string) => ENTITIES[name] ?? ''));
}

describe('a page that is published', () => {
  test('is at its path and, being the first, at the root, filled and locked down', async () => {
    await using product = await startWith();

    const { status, headers, body } = await product.send({ path: '/s/engine-6' });

    expect(status).toBe(200);
    expect(body).toContain('<html lang="en" dir="ltr">');
    expect(body).toContain('<title>Engine 6</title>');
    expect(body).toContain('<link vite-ignore rel="canonical" href="/s/engine-6" />');
    expect(settingsIn(body)).toEqual({
      siteKey: 'Mzo2OlNlYXJjaEtleQ==',
      customerId: 3,
      engineId: 6,
      name: 'Engine 6',
      language: 'en',
      direction: 'ltr',
      visitorLanguage: false,
      texts: { title: null, placeholder: null, hint: null },
      theme: { logo: null, scheme: 'auto', properties: {} },
      features: { answers: true, summaries: true, instantSuggestions: true, recentSearches: false },
    });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
        "img-src 'self' data: https:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
    });
    for (const path of ['/', '/demo', '/s/engine-6/']) expect((await product.send({ path })).body).toBe(body);
  });

  test('has the texts of its engine as text, and its logo as icon', async () => {
    const logo = "/brand/$&-'a'.svg?x=\"><script>";
    await using product = await startWith({
      6: { path: 'help', title: '</title><script>alert(1)</script>', hint: '"quoted" %TITLE%', theme: { logo } },
    });

    const { body } = await product.send({ path: '/s/help' });

    expect(body).toContain('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>');
    expect(body).toContain('<meta name="description" content="&quot;quoted&quot; %TITLE%" />');
    expect(body).toContain('<link rel="icon" href="/brand/$&amp;-&#39;a&#39;.svg?x=&quot;&gt;&lt;script&gt;" />');
    expect(String(body).match(/<script/g)).toHaveLength(1);
    expect(settingsIn(body).theme.logo).toBe(logo);
    expect((await product.send({ path: '/s/engine-6' })).status).toBe(404);
  });

  test.each([
    ['en', true, 'de;q=0.9, en-GB, *;q=0.1', 'en-GB'],
    ['en', true, 'en;q=0, x, not a language', 'en'],
    ['en', false, 'en-GB', 'en'],
  ])(
    'of the language %s, visitor first: %s, is sent to «%s» in %s',
    async (language, visitorLanguage, sent, expected) => {
      await using product = await startWith({ 6: { language, visitorLanguage } });

      const { body, headers } = await product.send({ path: '/', headers: { 'accept-language': sent } });

      expect(body).toContain(`<html lang="${expected}" dir="ltr">`);
      expect(headers['vary']).toBe('Accept-Language');
    },
  );
});

describe('a page that is not published', () => {
  test.each([
    '/s/engine-7',
    '/s/engine-8',
    '/s/none',
    '/s/',
    '/s',
    '/?engine=7',
    '/?engine=8',
    '/?engine=99',
    '/?engine=x',
  ])('is not found at %s', async (path) => {
    await using product = await startWith();

    expect(await product.send({ path })).toMatchObject({ status: 404, body: { errorCode: 'route.not-found' } });
  });

  test('has no style sheet', async () => {
    await using product = await startWith({ 7: { published: false, path: 'draft' } });

    expect((await product.send({ path: '/s/draft' })).status).toBe(404);
    expect((await product.send({ path: '/s/draft/theme.css' })).status).toBe(404);
  });

  test('is not found at the root when there is no other', async () => {
    await using product = await startWith({ 6: { published: false } });

    for (const path of ['/', '/demo']) expect((await product.send({ path })).status).toBe(404);
  });
});

test('no page is served when they are switched off', async () => {
  await using product = await startWith({}, { searchPage: false });

  for (const path of ['/', '/demo', '/s/engine-6', '/s/engine-6/theme.css', '/assets/page.js'])
    expect((await product.send({ path })).status).toBe(404);
  expect((await product.send({ path: '/sample/' })).status).toBe(200);
});

test('the former address of an engine leads to its page', async () => {
  await using product = await startWith({ 8: { path: 'other' } });

  const moved = await product.send({ path: '/?engine=8&q=solar&f.Category=a&f.Category=b' });

  expect(moved).toMatchObject({ status: 302, headers: { location: '/s/other?q=solar&f.Category=a&f.Category=b' } });
  expect(await product.send({ path: '/?engine=6' })).toMatchObject({ headers: { location: '/s/engine-6' } });
});

describe('a host name of an engine', () => {
  const start = () => startWith({ 8: { hosts: ['search.b.example', 'other.b.example'] } });

  test.each(['search.b.example', 'SEARCH.b.Example:8443', 'other.b.example.', 'other.b.example:'])(
    'shows its page at the root of %s',
    async (host) => {
      await using product = await start();

      const { status, body } = await product.send({ path: '/?q=x', headers: { host } });

      expect(status).toBe(200);
      expect(settingsIn(body).engineId).toBe(8);
      expect(body).toContain('<link vite-ignore rel="canonical" href="//search.b.example/" />');
    },
  );

  test('shows the page of no other engine', async () => {
    await using product = await start();
    const statusOf = async (path: string) => {
      const { status } = await product.send({ path, headers: { host: 'search.b.example' } });
      return status;
    };

    expect(await Promise.all(['/s/engine-8', '/s/engine-8/theme.css', '/?engine=8'].map(statusOf))).toEqual([
      200, 200, 302,
    ]);
    expect(await Promise.all(['/s/engine-6', '/s/engine-6/theme.css', '/?engine=6'].map(statusOf))).toEqual([
      404, 404, 404,
    ]);
  });

  test.each(['search.c.example', 'b.example', 'x.search.b.example', '[::1]:8080', '@search.b.example'])(
    'is not taken for %s, which shows the first page',
    async (host) => {
      await using product = await start();

      expect(settingsIn((await product.send({ path: '/', headers: { host } })).body).engineId).toBe(6);
    },
  );

  test('counts only while its page is published', async () => {
    await using product = await startWith({ 8: { published: false, hosts: ['search.b.example'] } });

    const { body } = await product.send({ path: '/', headers: { host: 'search.b.example' } });
    expect(settingsIn(body).engineId).toBe(6);
  });
});

describe('the style sheet of a theme', () => {
  const theme = { light: { accent: '#a0c' }, font: ['Brand Sans', 'Arial'], radius: 'none', scheme: 'light' };

  test('holds its custom properties, and is kept for good under its version', async () => {
    await using product = await startWith({ 6: { theme } });
    const { body: page } = await product.send({ path: '/' });
    const [, address = ''] = /rel="stylesheet" href="([^"]*)"/.exec(String(page)) ?? [];

    const { headers, body } = await product.send({ path: address });

    expect(address).toMatch(/^\/s\/engine-6\/theme\.css\?v=[\w-]{16}$/);
    expect(headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(body).toMatch(
      /^html:root \{ color-scheme: light; \}\nhtml:root, html \.paper \{\n( {2}--[\w-]+: [^;{}]+;\n)+\}\n$/,
    );
    expect(body).toContain('  --accent: light-dark(#aa00cc, #aa00cc);\n');
    expect(body).toContain('  --font: "Brand Sans", "Arial", system-ui,');
    expect(body).toContain('  --radius: 0;\n');
    const again = await product.send({ path: address, headers: { 'if-none-match': String(headers['etag']) } });
    expect(again).toMatchObject({ status: 304, body: '' });
  });

  test('is asked for again under any other version', async () => {
    await using product = await startWith({ 6: { theme } });

    for (const path of ['/s/engine-6/theme.css', '/s/engine-6/theme.css?v=old'])
      expect((await product.send({ path })).headers['cache-control']).toBe('no-cache');
  });

  test('says nothing but the colour scheme when nothing is set', async () => {
    await using product = await startWith();

    expect((await product.send({ path: '/s/engine-6/theme.css' })).body).toBe(
      'html:root { color-scheme: light dark; }\n',
    );
  });
});

test('the settings of a page are told to whoever has the site key, published or not', async () => {
  await using product = await startWith({ 6: { published: false, title: 'Help', theme: { radius: 'none' } } });
  const ask = (headers: object) =>
    product.send({ path: '/api/v4/3/6/page-settings', headers: { authorization: product.siteKey, ...headers } });

  const { status, headers, body } = await ask({});

  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('public, max-age=60');
  expect(body).toMatchObject({
    name: 'Engine 6',
    texts: { title: 'Help', placeholder: null },
    theme: { properties: { '--radius': '0' } },
  });
  expect(body).not.toHaveProperty('siteKey');
  expect((await ask({ 'if-none-match': headers['etag'] })).status).toBe(304);
  expect((await ask({ authorization: product.basic })).status).toBe(401);
});
