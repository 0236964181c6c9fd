import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTE_TABLE } from '../../src/api/route-table.ts';
import { startAdminApi } from '../helpers/admin-api.ts';
import { OPENAPI, operationOf, requestFault, requireDescribed } from '../helpers/described-answers.ts';
import { type Product, startProduct } from '../helpers/product.ts';

const ROOT = join(import.meta.dirname, '../..');
const OPENAPI_SCHEMA = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/openapi/openapi-3.1.json'), 'utf8'));
const PAGE = readFileSync(join(ROOT, 'docs/http-api.md'), 'utf8');
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** Pages, their assets, the client as a file, and the sample site. */
const PAGES = /^\w+ \/(?:|demo|robots\.txt|client\.js|client\/:version\/client\.js|(?:assets|sample)\/\*)$/;

const operations = Object.entries(OPENAPI.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
type Schema = Readonly<Record<string, unknown>>;
const routes: string[] = [];

let product: Product;
beforeAll(async () => {
  product = await startProduct({ onRoute: (route) => routes.push(route) });
  await using _ = await startAdminApi(undefined, (route) => routes.push(route.replace(' ', ' /admin/v1')));
});
afterAll(() => product[Symbol.asyncDispose]());

/** Members of a value at any depth that have this name. */
function named(name: string, value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(key === name ? [inner] : []), ...named(name, inner)]);
}

test('the document is one of OpenAPI 3.1', () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(OPENAPI_SCHEMA);

  expect(validate(OPENAPI) ? [] : validate.errors).toEqual([]);
});

test('every schema of the document is one of JSON Schema, and leads somewhere', () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, validateFormats: false });
  ajv.addKeyword('components');
  const schemas = [...Object.values(OPENAPI.components.schemas), ...named('schema', OPENAPI)] as object[];
  // As one schema, of which what others refer to is compiled once.
  ajv.addSchema({ $id: 'all', components: OPENAPI.components, $defs: { ...schemas } });

  for (const index of schemas.keys()) {
    expect(() => ajv.compile({ $ref: `all#/$defs/${index}` })).not.toThrow();
  }
  expect(schemas.length).toBeGreaterThan(200);
});

test('it describes every route of the running api, and no other', () => {
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const served = routes
    .filter((route) => !route.startsWith('HEAD ') && !PAGES.test(route))
    .map((route) => route.replace(/:([A-Za-z]+)/g, '{$1}'));

  expect(described.sort()).toEqual([...new Set(served)].sort());
  expect(described.length).toBeGreaterThan(ROUTE_TABLE.length + 60);
});

test('names of operations are unique, and each has a section, credentials and an answer', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  const sections = new Set(OPENAPI.tags.map(({ name }) => name));

  expect(new Set(ids).size).toBe(ids.length);
  expect(operations.filter(({ method }) => !METHODS.includes(method))).toEqual([]);
  expect(operations.filter(({ operation }) => !operation.tags.every((tag) => sections.has(tag)))).toEqual([]);
  expect(
    operations.filter(({ operation }) =>
      Object.keys(operation.responses).every((status) => !/^(?:20|302)/.test(status)),
    ),
  ).toEqual([]);
  expect(operations.filter(({ operation }) => !Array.isArray(operation.security))).toEqual([]);
});

/** The schema that a reference leads to. */
function resolved(schema: Schema): Schema {
  const { $ref } = schema;
  const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined;
  return name === undefined ? schema : (OPENAPI.components.schemas[name] as Schema);
}

/** Whether a schema tells the members of every object that it allows; a union does when each of its forms does. */
function tellsMembers(schema: Schema): boolean {
  const { anyOf, items, properties, type } = resolved(schema);
  if (Array.isArray(anyOf)) return anyOf.every(tellsMembers);
  if (type === 'array') return items !== undefined && tellsMembers(items as Schema);
  if (type !== 'object') return type !== undefined;
  const { items: records } = (properties ?? {}) as { readonly items?: Schema };
  return properties !== undefined && (records === undefined || tellsMembers(records));
}

test('every answer in JSON is described by its members, and so is each record of a list', () => {
  const elsewhere = ['openApi'];
  const bare = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const content = response['content'] as Readonly<Record<string, { readonly schema: Schema }>> | undefined;
      const schema = content?.['application/json']?.schema;
      if (!status.startsWith('2') || schema === undefined || elsewhere.includes(operation.operationId)) return [];
      return tellsMembers(schema) ? [] : [operation.operationId];
    }),
  );

  expect(bare).toEqual([]);
});

test('the requests of docs/http-api.md are allowed by the document', () => {
  const shells = [...PAGE.matchAll(/-d '([^']*)'[\s\S]*?"\$BASE([^"]+)"/g)];
  const faults = shells.map(([, body = '', path = '']) => requestFault({ method: 'POST', path }, JSON.parse(body)));

  expect(faults.length).toBeGreaterThan(2);
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});

test.each([
  ['POST', '/api/banners', { name: 'b', htmlcode: 'b', websiteid: 6, bannerterms: ['solar', { name: 'wind' }] }],
  ['POST', '/api/quicklinks', { url: '/q', websiteid: 6, terms: ['reach us', 'con?act'] }],
  ['DELETE', '/api/synonymsgroup', { groupIds: [15, 16] }],
  ['DELETE', '/api/synonymsgroup', [15, 16]],
  ['POST', '/api/v4/3/6/search', { query: '*', traits: { plan: 'gold' }, facets: ['Category'], sort: { _score: 1 } }],
  ['POST', '/api/v4/3/6/search', { query: '*', traits: ['vip'], facets: { Category: ['News'] } }],
])('%s %s: each form of a member is described: %j', (method, path, body) => {
  expect(requestFault({ method, path }, body)).toBeUndefined();
});

test('the document is served as it is generated, and asked for by its tag', async () => {
  const first = await product.send({ path: '/openapi.json' });
  const again = await product.send({ path: '/openapi.json', headers: { 'if-none-match': `W/${first.headers.etag}` } });

  expect(first).toMatchObject({ status: 200, body: OPENAPI, headers: { 'cache-control': 'no-cache' } });
  expect(again).toMatchObject({ status: 304, body: '' });
});

test('the page of the description has no script, and a policy that allows nothing but its own style', async () => {
  const first = await product.send({ path: '/docs' });
  const again = await product.send({ path: '/docs', headers: { 'if-none-match': first.headers.etag } });
  const policy = String(first.headers['content-security-policy']);

  expect(first).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none';/);
  expect(policy).not.toContain('unsafe');
  expect(first.body).not.toMatch(/<script|\son\w+=|\sstyle=|(?:src|href)="https?:/);
  expect(again.status).toBe(304);
});

test('an answer that is not described is told', async () => {
  const asked = { method: 'POST', path: '/api/v4/3/6/search' };
  const answer = await product.send({
    ...asked,
    body: { query: 'solar' },
    headers: { authorization: product.siteKey },
  });

  expect(operationOf(asked)?.operation.operationId).toBe('search');
  expect(() => requireDescribed(asked, answer)).not.toThrow();
  expect(() => requireDescribed(asked, { ...answer, body: { ...answer.body, New: 1 } })).toThrow(
    'additional properties',
  );
  expect(() => requireDescribed(asked, { ...answer, body: {} })).toThrow('required property');
  expect(() => requireDescribed(asked, { ...answer, status: 202 })).toThrow('not described');
});
