import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { apiSettings } from '../../src/compose/api-settings.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { startAdminApi } from '../helpers/admin-api.ts';
import { UNLIMITED } from '../helpers/api-settings.ts';
import { codeBlocks, curlRequest } from '../helpers/documented-code.ts';
import { eventually } from '../helpers/eventually.ts';
import { siteKeyOf } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { runScript } from '../helpers/run-script.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const blockOf = (path: string, language: string, mark = '') => {
  const found = codeBlocks(path).find((block) => block.language === language && block.code.includes(mark));
  if (found === undefined) throw new Error(`${path} has no such block`);
  return found;
};

describe('docs/moving.md', () => {
  const PAGE = 'docs/moving.md';
  const CURL = { SITE_KEY: siteKeyOf(3, 6).replace('SiteKey ', '') };
  let product: Product;
  beforeAll(async () => {
    const [, name = '', value = ''] = /^(\w+)=(\w+) npm start/.exec(blockOf(PAGE, 'sh').code) ?? [];
    await using folder = await temporaryFolder();
    const { config } = await readConfig({ environment: { [name]: value }, folder: folder.path });
    product = await startProduct({ settings: { ...apiSettings(config), rates: UNLIMITED } });
    // The most that links of answers may differ from addresses of documents.
    await product.changeSettings(6, { citationFragments: true });
  });
  afterAll(() => product[Symbol.asyncDispose]());

  const send = (mark: string) => {
    const { authorization, ...sent } = curlRequest(blockOf(PAGE, 'sh', mark).code, CURL);
    return product.send({ ...sent, headers: { authorization } });
  };

  test('public settings are shown without credentials', async () => {
    const { status, body } = await send('publicsettings');

    expect(status).toBe(200);
    expect(body.Engines).toEqual([6]);
  });

  test('pages of other origins may read the ids of streams', async () => {
    const { headers } = await product.send({
      path: '/api/v3/3/6/websites/publicsettings',
      headers: { origin: 'https://shop.example' },
    });

    expect(headers['access-control-expose-headers']).toMatch(/\bAcme-Exchange-Id\b.*\bAcme-Summary-Id\b/s);
  });

  test('results as HTML have the attributes of both prefixes', async () => {
    const { status, body } = await send('JsonHtml');

    expect(status).toBe(200);
    expect(body.SearchResult).toMatch(/data-search-result=/);
    expect(body.SearchResult).toMatch(/data-acme-result=/);
  });

  test('the check of the page prints what it shows', async () => {
    const { code, shown } = blockOf(PAGE, 'js');

    expect(await runScript(code, { BASE: product.origin })).toBe(shown);
  });

  test('its provision file is one', async () => {
    await using api = await startAdminApi();
    const content = parse(blockOf(PAGE, 'yaml').code);

    const { status, body } = await api.post('/configuration/plan', { name: 'moving.yaml', content });

    expect({ status, body }).toMatchObject({ status: 200, body: { changes: expect.any(Array) } });
    expect(body.changes.map(({ record }: { record: string }) => record)).toContain('engine 6 (Website)');
  });
});

describe('docs/migrating.md', () => {
  const PAGE = 'docs/migrating.md';
  const RECORDS = [
    {
      objectID: 'p-1',
      title: 'Linen dress',
      categories: ['Summer', 'Dresses'],
      price: 49.5,
      _geoloc: { lat: 55.6, lng: 12.5 },
    },
    { id: 'p-2', name: 'Wool coat', category: 'Winter', price: 120, created_at: 1_767_225_600, _highlightResult: {} },
  ];
  let product: Product;
  beforeAll(async () => {
    product = await startProduct();
  });
  afterAll(() => product[Symbol.asyncDispose]());

  test.each([
    ['a line each', RECORDS.map((record) => JSON.stringify(record)).join('\n')],
    ['a list', JSON.stringify(RECORDS)],
    ['results of a page', JSON.stringify({ results: RECORDS, total: 2 })],
  ])('its script pushes exported documents: %s', async (_name, text) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'export.json');
    await writeFile(file, text);

    const output = await runScript(blockOf(PAGE, 'js').code, {
      FOSSICK_URL: product.origin,
      CUSTOMER: '3',
      CRAWLER: '17',
      FOSSICK_API_KEY: 'key-3-example',
      EXPORT: file,
    });
    const near = { geo_distance: ['Location_geo_point', 55.6, 12.5, 10, 'Kilometers'] };
    const found = await eventually(async () => {
      const { body } = await product.post('/api/v4/3/6/search', { query: 'dress', filters: near }, siteKeyOf(3, 6));
      return body.TotalDocument === 1 ? body.TypedDocuments[0] : undefined;
    });

    expect(output).toBe('2 documents are pushed\n');
    expect(found).toMatchObject({
      Id: 'p-1',
      Fields: {
        Title: { Value: 'Linen dress' },
        Category: { Values: ['Summer', 'Dresses'] },
        Price_number: { Value: '49.5' },
      },
    });
    const coat = await product.post(
      '/api/v4/3/6/search',
      { query: 'coat', filters: { date: ['Created_date', '2026', '2026'] } },
      siteKeyOf(3, 6),
    );
    expect(coat.body.TypedDocuments).toMatchObject([{ Id: 'p-2' }]);
  });
});

describe('docs/cms-hooks.md', () => {
  const PAGE = 'docs/cms-hooks.md';
  const exported = blockOf(PAGE, 'sh', 'export').code.matchAll(/(FOSSICK_\w+)=(\S+)/g);
  const VARIABLES = Object.fromEntries([...exported].map(([, name = '', value = '']) => [name, value]));
  let product: Product;
  beforeAll(async () => {
    product = await startProduct();
  });
  afterAll(() => product[Symbol.asyncDispose]());

  test('curl queues the URLs of the page', async () => {
    const { FOSSICK_URL: _, ...variables } = VARIABLES;
    const { code, shown = '' } = blockOf(PAGE, 'sh', 'curl');
    const { authorization, ...sent } = curlRequest(code, variables);

    const answer = await product.send({ ...sent, headers: { authorization } });

    expect(answer).toMatchObject({ status: 200, body: JSON.parse(shown) });
    expect(product.hints).toContainEqual({ kind: 'queued-urls', engineId: 6, crawlerId: 17 });
  });

  test('JavaScript queues URLs and tells those that are none', async () => {
    const { code, shown } = blockOf(PAGE, 'js');

    expect(await runScript(code, { ...VARIABLES, FOSSICK_URL: product.origin })).toBe(shown);
  });

  test('JavaScript tries again what may pass, as soon as it may', async () => {
    const refusals = [{ status: 503 }, { status: 429, headers: { 'Retry-After': '7' } }];
    const server = createServer((_request, response) => {
      const { status, headers } = refusals.shift() ?? { status: 200 };
      response.writeHead(status, headers).end('[]');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    // Its own pauses alone: fetch sets timers, too.
    const clock = `const later = setTimeout;
      globalThis.setTimeout = (done, ms) =>
        ms === 1_000 || ms === 7_000 ? (console.log('waits', ms), done()) : later(done, ms);`;

    const output = await runScript(clock + blockOf(PAGE, 'js').code, {
      ...VARIABLES,
      FOSSICK_URL: `http://127.0.0.1:${port}`,
    });
    server.close();

    expect(output).toBe('waits 1000\nwaits 7000\n[]\n');
  });

  test('JavaScript does not try again what stays wrong', async () => {
    const { code } = blockOf(PAGE, 'js');
    const environment = { ...VARIABLES, FOSSICK_URL: product.origin, FOSSICK_API_KEY: 'another' };

    await expect(runScript(code, environment)).rejects.toThrow('401');
  });
});

describe('docs/answers-on-your-site.md', () => {
  test('the question that it asks by hand is answered with its page', async () => {
    await using product = await startProduct();
    const env = { SITE_KEY: siteKeyOf(3, 6).replace('SiteKey ', '') };
    const { authorization, ...sent } = curlRequest(blockOf('docs/answers-on-your-site.md', 'sh', 'curl').code, env);

    const { status, body } = await product.send({ ...sent, headers: { authorization } });

    expect(status).toBe(200);
    expect(body.value).toMatchObject({ couldAnswer: true, citations: [{ pageTitle: 'Solar panels guide' }] });
  });
});
