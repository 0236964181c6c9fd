import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationObject } from '../../src/api/openapi/document.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../helpers/admin-api.ts';
import { OPENAPI, requestFault } from '../helpers/described-answers.ts';
import { allowedValue, brokenValue } from '../helpers/described-values.ts';
import { type Answer, createAgent, sendTo } from '../helpers/http-client.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { isLongForm } from '../helpers/scorecard.ts';

const RUNS = isLongForm ? 100 : 12;
const IDS: Readonly<Record<string, string>> = { customerId: '3', engineId: '6', crawlerId: '17', identifier: 'en' };
/** It lasts as long as its run. */
const ENDLESS = ['watchRun'];
/** Rules between members, and those of dates and numbers written as text, which no schema can tell. */
const BEYOND_SCHEMAS = [
  /cannot be used together with/,
  /^"page" times "perPage" may be at most/,
  /^The member (?:clurl|cloi) is required$/,
  /must have an id or a field/,
  /^The member rating is required/,
  /must (?:have|be absent|be empty).* with (?:Eq|In|Ne|Lt|Lte|Gt|Gte|Exists|NotExists|Prefix|Contains)$/,
  /must have exactly one value for|must be an array of 1 to 1000 values/,
  /must not be after "to"/,
  /must have at least one word/,
];

type Schema = Readonly<Record<string, unknown>>;
type Described = { readonly method: string; readonly path: string; readonly operation: OperationObject };
type Client = (
  sent: { method: string; path: string; body?: unknown },
  operation: OperationObject,
) => Promise<Pick<Answer, 'status' | 'body'>>;

const all = Object.entries(OPENAPI.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): Described => ({ method: method.toUpperCase(), path, operation })),
);
const jsonSchemaIn = (part: Schema | undefined) =>
  (part?.['content'] as Record<string, { schema: Schema }> | undefined)?.['application/json']?.schema;
const bodyOf = ({ requestBody }: OperationObject) => jsonSchemaIn(requestBody);
const parametersOf = ({ parameters }: OperationObject) => parameters.filter((each) => each['in'] === 'query');

const isOfAdmin = ({ path }: Described) => path.startsWith('/admin/v1/');
const ofPublic = all.filter((each) => each.path.startsWith('/api/'));
/** What removes the records that others need comes last. */
const ofAdmin = all
  .filter((each) => isOfAdmin(each) && !ENDLESS.includes(each.operation.operationId))
  .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
const cases = (described: readonly Described[]) => described.map((each) => [each.operation.operationId, each] as const);

const path = (template: string, id: fc.Arbitrary<string>) =>
  fc
    .tuple(
      ...[...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
        fc.oneof({ weight: 4, arbitrary: fc.constant(IDS[name] ?? '1') }, { weight: 1, arbitrary: id }),
      ),
    )
    .map((ids) => {
      let at = 0;
      return template.replace(/\{\w+\}/g, () => encodeURIComponent(ids[at++] ?? ''));
    });
const hostileId = fc.constantFrom('0', '-1', '2147483648', '9'.repeat(40), 'x', '💥', '1.0', 'de-AT');

/** Parameters of a query string, each as text; some are missing and some are wrong. */
function query(operation: OperationObject): fc.Arbitrary<string> {
  const values = parametersOf(operation).map((parameter) => {
    const schema = (parameter['schema'] ?? jsonSchemaIn(parameter)) as Schema;
    const value = fc.oneof(allowedValue(schema), fc.constantFrom('', 'x', '-1', '1e9', '{', '💥', '2026-13'));
    return value.map((sent) => [String(parameter['name']), typeof sent === 'string' ? sent : JSON.stringify(sent)]);
  });
  return fc
    .tuple(...values)
    .chain((pairs) => fc.subarray(pairs))
    .map((pairs) =>
      pairs.length === 0
        ? ''
        : `?${pairs.map(([name, value = '']) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`,
    );
}

/** Sends generated requests of an operation; none is a fault of the server, and invalid JSON is always refused. */
async function attack({ method, path: template, operation }: Described, client: Client): Promise<void> {
  const schema = bodyOf(operation);
  const body = schema === undefined ? fc.constant(undefined) : brokenValue(allowedValue(schema));
  await fc.assert(
    fc.asyncProperty(path(template, hostileId), query(operation), body, async (at, parameters, sent) => {
      const { status } = await client(
        { method, path: `${at}${parameters}`, ...(sent !== undefined && { body: JSON.stringify(sent) }) },
        operation,
      );
      expect(status).toBeLessThan(500);
    }),
    { numRuns: RUNS },
  );
  if (schema === undefined) return;
  for (const text of ['{', '[1,]', '{"a":1', 'nul', '"\u0001"', '{"a":NaN}', `${'['.repeat(65)}${']'.repeat(65)}`]) {
    const known = template.replace(/\{(\w+)\}/g, (_found, name: string) => IDS[name] ?? '1');
    const { status } = await client({ method, path: known, body: text }, operation);
    expect(status, text).toBe(400);
  }
}

describe('the public API', () => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct();
    const { body: banner } = await product.post('/api/banners', { name: 'b', htmlcode: 'b', websiteid: 6 });
    expect(banner.id).toBe(1);
    await product.post('/api/rankings', { name: 'r', WebsiteId: 6 });
    await product.post('/api/quicklinks', { url: '/q', websiteid: 6 });
  });
  afterAll(() => product[Symbol.asyncDispose]());

  const client: Client = (sent, { security }) => {
    const takes = security.flatMap((scheme) => Object.keys(scheme));
    const isForPages = takes.includes('SiteKey') && !takes.includes('Basic');
    return product.send({ ...sent, headers: { authorization: isForPages ? product.siteKey : product.basic } });
  };

  test.each(cases(ofPublic))(
    '%s answers every request without a fault of its own',
    { timeout: 120_000 },
    async (_id, each) => {
      await attack(each, client);
    },
  );

  test.each(cases(ofPublic.filter(({ operation }) => bodyOf(operation) !== undefined)))(
    '%s accepts what the document allows',
    { timeout: 120_000 },
    async (_id, { method, path: template, operation }) => {
      const known = template.replace(/\{(\w+)\}/g, (_found, name: string) => IDS[name] ?? '1');
      await fc.assert(
        fc.asyncProperty(allowedValue(bodyOf(operation) ?? {}), async (body) => {
          expect(requestFault({ method, path: known }, body)).toBeUndefined();
          const answer = await client({ method, path: known, body: JSON.stringify(body) }, operation);
          const faults = answer.status === 400 ? (answer.body.errors as { message: string }[]) : [];
          expect(faults.filter(({ message }) => !BEYOND_SCHEMAS.some((rule) => rule.test(message)))).toEqual([]);
        }),
        { numRuns: RUNS },
      );
    },
  );
});

describe('the admin API', () => {
  const agent = createAgent();
  let api: Awaited<ReturnType<typeof startAdminApi>>;
  beforeAll(async () => {
    api = await startAdminApi();
    await api.post('/customers', { id: 3, name: 'Three' });
    await api.post('/engines', { id: 6, customer: 3, name: 'Site' });
    await api.post('/crawlers', { id: 17, engine: 6, name: 'Site', seeds: ['http://127.0.0.1:1/'] });
  });
  afterAll(async () => {
    agent.destroy();
    await api[Symbol.asyncDispose]();
  });

  const client: Client = (sent) => {
    const port = Number(new URL(api.origin).port);
    return sendTo(port, agent, { ...sent, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  };

  test.each(cases(ofAdmin))(
    '%s answers every request without a fault of its own',
    { timeout: 120_000 },
    async (_id, each) => {
      await attack(each, client);
    },
  );
});
