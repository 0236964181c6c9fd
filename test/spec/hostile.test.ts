import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MCP_PATH, ROUTE_TABLE, type RouteRow } from '../../src/api/route-table.ts';
import { BASIC, SITE_KEY } from '../helpers/fixture.ts';
import type { Sent } from '../helpers/http-client.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 11. Hostile input is refused, it never breaks anything.
const RUNS = 2_000;

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const IDS: Readonly<Record<string, string>> = {
  customerId: '3',
  engineId: '6',
  crawlerId: '17',
  id: '1',
  identifier: 'en',
};
const fill = (path: string) => path.replace(/:(\w+)/g, (_found, name: string) => IDS[name] ?? '1');

const row = fc.constantFrom<RouteRow>(...ROUTE_TABLE);
/** Mostly real paths, some with a broken segment or none of ours. */
const path = fc.oneof(
  { weight: 6, arbitrary: row.map((known) => fill(known.path)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        row,
        fc.nat(6),
        fc.constantFrom('%', '%00', '%ff', '..', '%2e', '-1', '9'.repeat(40), '💥', '//', '__proto__'),
      )
      .map(([known, at, broken]) => {
        const segments = fill(known.path).split('/');
        segments[at % segments.length] = encodeURI(broken).replace(/%25/g, '%');
        return `/${segments.join('/')}`.replace(/^\/\/+/, '/');
      }),
  },
  { weight: 1, arbitrary: fc.webPath().map((any) => `/${encodeURI(any)}`) },
);
const query = fc.oneof(
  fc.constant(''),
  fc.webQueryParameters().map((text) => `?${text}`),
  fc
    .tuple(
      fc.constantFrom('documentId', 'filters', 'query', 'searchword', 'groupIds', 'casing', 'refresh', 'qid'),
      fc.string(),
    )
    .map(([name, value]) => `?${name}=${encodeURIComponent(value.toWellFormed())}`),
);
/** Members that our endpoints know, with values of any kind. */
const knownObject = fc.dictionary(
  fc.constantFrom(
    ...['query', 'filters', 'notFilters', 'facets', 'rangeFacets', 'valueBoost', 'sort', 'page', 'perPage', 'fields'],
    ...[
      'advancedPostFilter',
      'postFilters',
      'highlight',
      'question',
      'sources',
      'rating',
      'qid',
      'sw',
      'name',
      'words',
    ],
    ...['id', 'type', 'groupIds', 'bannerterms', 'pages', 'websiteid', 'from', '__proto__', 'constructor', 'operator'],
  ),
  fc.jsonValue({ depthSize: 'small' }),
);
const body = fc.oneof(
  fc.constant(undefined),
  knownObject.map((value) => JSON.stringify(value)),
  fc.array(fc.oneof(knownObject, fc.jsonValue()), { maxLength: 5 }).map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string(),
  fc.uint8Array({ maxLength: 200 }),
  fc.integer({ min: 60, max: 5_000 }).map((depth) => '['.repeat(depth)),
);
const headers = fc.record(
  {
    authorization: fc.constantFrom(BASIC, SITE_KEY, 'Basic x', 'Bearer y', ''),
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      '*',
      ';',
      'a/b',
    ),
    'content-encoding': fc.constantFrom('identity', 'gzip', 'br', 'deflate', 'zstd', ','),
    origin: fc.constantFrom('null', 'https://shop.example', ''),
    'access-control-request-headers': fc.constantFrom('authorization', '*', ',,'),
    'x-request-id': fc.constantFrom('abc', '<script>', 'a'.repeat(100)),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', 'x', '::1'),
    accept: fc.constantFrom('text/html', '*/*'),
    range: fc.constantFrom('bytes=0-1', 'bytes=-'),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/'),
  },
  { requiredKeys: ['authorization'] },
);
const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND');

const hostile = fc
  .record({ row, path, query, body, headers, method, fits: fc.boolean() })
  .map(({ row: known, fits, ...free }): Sent => {
    // Half of the requests reach a handler: the right method on the right path.
    const target = fits ? { method: known.method, path: fill(known.path) } : { method: free.method, path: free.path };
    return { method: target.method, path: target.path + free.query, body: free.body, headers: free.headers };
  });

test(`${RUNS} hostile requests never cause a server fault`, { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (sent) => {
      const { status, headers: answered, body: answer } = await product.send(sent);

      if (status !== 501) expect(status).toBeLessThan(500);
      expect(answered['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
      if (status === 400 && answer.jsonrpc !== undefined) {
        // What is wrong with a message of this protocol is said in its own terms.
        expect(sent.path.startsWith(MCP_PATH)).toBe(true);
        expect(answer).toMatchObject({ id: null, error: { code: expect.any(Number), message: expect.any(String) } });
      } else if (status >= 400 && sent.method !== 'HEAD') {
        expect(answer).toMatchObject({
          code: status,
          message: expect.any(String),
          requestId: answered['x-request-id'],
        });
        expect(answer.message).not.toMatch(/\bat \/|node_modules|SELECT|sqlite/i);
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect((await product.post('/api/v4/3/6/search', { query: '*' })).status).toBe(200);
});

const withBody = ROUTE_TABLE.filter(
  (known) => known.path !== MCP_PATH && (known.body === 'json' || known.body === 'large-json'),
);

test('malformed JSON is always 400', async () => {
  const malformed = fc.string().filter((text) => !isJson(text) && !/^\s*$/.test(text));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...withBody), malformed, async (known, text) => {
      if (known.path.endsWith('/:id')) return;

      const { status, body: answer } = await product.send({
        method: known.method,
        path: fill(known.path),
        headers: { authorization: BASIC, 'content-type': 'application/json' },
        body: text,
      });

      expect({ status, code: answer.code }).toEqual({ status: 400, code: 400 });
    }),
    { numRuns: 300 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
