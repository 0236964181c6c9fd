import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOSTED_PAGE } from '../../src/accounts/hosted-page.ts';
import { UNLIMITED } from '../helpers/api-settings.ts';
import { D1, D6 } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const NOTHING = { errorCode: 'route.not-found' };
const MARKDOWN = '/api/v4/3/6/documents/markdown';

describe('a document as Markdown', () => {
  test('needs no key where the search page is published', async () => {
    const { status, headers, body } = await product.send({ path: `${MARKDOWN}?id=${encodeURIComponent(D1)}` });

    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/markdown; charset=utf-8' });
    expect(body).toBe(
      '---\ntitle: "Solar panels guide"\nurl: "https://example.com/solar"\ndate: "2026-01-10"\nlanguage: "en"\n---\n\n' +
        '# Solar panels guide\n\nSolar panels turn sunlight into power. A panel lasts 25 years.\n',
    );
  });

  test('is found by its URL, too', async () => {
    const byUrl = await product.send({ path: `${MARKDOWN}?id=${encodeURIComponent('https://example.com/battery')}` });
    const byId = await product.send({ path: `${MARKDOWN}?id=${D6}` });

    expect(byUrl).toMatchObject({ status: 200, body: byId.body });
  });

  test.each([
    ['', 400, 'request.invalid'],
    ['?id=', 400, 'request.invalid'],
    ['?id=%ff', 400, 'request.invalid'],
    ['?id=nowhere', 404, 'record.not-found'],
  ])('%j is %i', async (query, status, errorCode) => {
    expect(await product.send({ path: `${MARKDOWN}${query}` })).toMatchObject({ status, body: { errorCode } });
  });

  test('counts as a search of its caller', async () => {
    const rates = { ...UNLIMITED, search: { perSecond: 0.001, burst: 1 } };
    await using limited = await startProduct({ settings: { rates } });
    const path = `${MARKDOWN}?id=${D6}`;

    expect(await limited.send({ path })).toMatchObject({ status: 200 });
    expect(await limited.send({ path })).toMatchObject({ status: 429 });
  });
});

describe('llms.txt', () => {
  test('lists the pages of the first engine that is published, the shortest paths first', async () => {
    const { status, headers, body } = await product.send({ path: '/llms.txt' });
    const lines = String(body).split('\n');

    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/markdown; charset=utf-8' });
    expect(lines[0]).toBe('# Engine 6');
    expect(lines[2]).toMatch(/^> /);
    expect(body).toContain('`Authorization: Bearer Mzo2OlNlYXJjaEtleQ==`');
    expect(lines.filter((line) => line.startsWith('## '))).toEqual(['## Pages']);
    expect(lines.filter((line) => line.startsWith('- ')).map((line) => /\[(.*?)\]/.exec(line)?.[1])).toEqual([
      'Solar panels guide',
      'Wind turbines guide',
      'Battery',
      'Solar park opens',
      'Heat pump grants',
      'Inverter manual',
    ]);
  });

  test('its links lead to Markdown', async () => {
    const { body } = await product.send({ path: '/llms.txt' });
    const links = [...String(body).matchAll(/\]\((\S+)\)/g)].map(([, link = '']) => link);

    expect(links).toHaveLength(6);
    for (const path of links) {
      expect(await product.send({ path })).toMatchObject({ status: 200, body: expect.stringMatching(/^---\ntitle: /) });
    }
  });

  test('is bounded; what an agent with little room may leave out stands under Optional', async () => {
    const documents = Array.from({ length: 210 }, (_, i) => ({
      id: `(page) ${i}`,
      fields: { Title: `Page\n[${i}]`, Description: 'x '.repeat(300) },
    }));
    await product.changeSettings(7, { page: HOSTED_PAGE.parse({ published: true, title: 'Long list' }) });
    await product.put('/api/v4/3/index/18/documents?refresh=wait', documents);

    const { body } = await product.send({ path: '/llms.txt?engine=7' });
    expect(body).toMatch(/^# Long list\n/);
    const [, pages = '', optional = ''] = String(body).split(/^## .*\n/m);
    const links = (text: string) => text.split('\n').filter((line) => line.startsWith('- '));

    expect([links(pages).length, links(optional).length]).toEqual([50, 150]);
    expect(String(body).match(/^## .*/gm)).toEqual(['## Pages', '## Optional']);
    expect(links(pages)[0]).toMatch(
      /^- \[Page \\\[0\\\]\]\(\/api\/v4\/3\/7\/documents\/markdown\?id=%28page%29%200\): (?:x )+x?…$/,
    );
    expect(links(pages)[0]?.length).toBeLessThan(300);
    expect(await product.send({ path: '/api/v4/3/7/documents/markdown?id=%28page%29%200' })).toMatchObject({
      status: 200,
    });
  });

  test.each(['?engine=8', '?engine=999', '?engine=x'])(
    '%s is nothing, as no search page is published',
    async (query) => {
      expect(await product.send({ path: `/llms.txt${query}` })).toMatchObject({ status: 404, body: NOTHING });
    },
  );

  test('is that of the engine whose host name is asked', async () => {
    await using hosted = await startProduct();
    await hosted.changeSettings(7, { page: HOSTED_PAGE.parse({ published: true, hosts: ['help.test'] }) });
    const headers = { host: 'help.test' };

    expect((await hosted.send({ path: '/llms.txt', headers })).body).toMatch(/^# Engine 7\n/);
    expect(await hosted.send({ path: '/llms.txt?engine=6', headers })).toMatchObject({ status: 404, body: NOTHING });
  });

  test('is nothing where search pages are off', async () => {
    await using hidden = await startProduct({ settings: { searchPage: false } });

    expect(await hidden.send({ path: '/llms.txt' })).toMatchObject({ status: 404, body: NOTHING });
  });
});
