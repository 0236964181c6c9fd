import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import * as summary from '../../src/api/public/answers.ts';
import { answerRequest } from '../../src/api/public/answers.ts';
import { AUTOCOMPLETE_REQUESTS } from '../../src/api/public/autocomplete.ts';
import * as documents from '../../src/api/public/documents.ts';
import * as feedback from '../../src/api/public/feedback.ts';
import * as searchTools from '../../src/api/public/search-tools.ts';
import * as synonyms from '../../src/api/public/synonyms.ts';
import * as search from '../../src/api/search/schemas.ts';
import { METRES_PER_UNIT } from '../../src/core/field-values.ts';
import { codeBlocks, curlRequest } from '../helpers/documented-code.ts';
import { type Product, startProduct } from '../helpers/product.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/http-api.md'), 'utf8');
const blocks = codeBlocks('docs/http-api.md');
const ID = /Id$/;
const SEARCH = '/api/v4/3/6/search';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

test('the requests of the page are answered as it shows', async () => {
  const shells = blocks.filter(({ language }) => language === 'sh');
  const ids = new Map<string, string>();
  const { body: found } = await product.post(SEARCH, { query: 'solar' }, product.siteKey);
  ids.set('<QueryId>', found.QueryId);

  for (const { code, shown } of shells) {
    const { method, path, body } = curlRequest([...ids].reduce((text, [of, id]) => text.replaceAll(of, id), code));
    const answer = await product.send({
      method,
      path,
      headers: { authorization: product.siteKey },
      ...(body !== undefined && { body: JSON.parse(body) }),
    });
    expect(answer.status, code).toBe(200);
    if (shown === undefined) continue;
    const { value } = JSON.parse(shown);
    expect(withoutIds(answer.body), code).toEqual(withoutIds({ value }));
    for (const [name, id] of Object.entries<string>(value)) if (ID.test(name)) ids.set(id, answer.body.value[name]);
  }

  expect(shells.length).toBeGreaterThan(3);
});

test('the search request of the page is one, and has no member that is not known', async () => {
  const [request = ''] = blocks.filter(({ language }) => language === 'jsonc').map(({ code }) => code);
  // Beside a tree of conditions there are no post-filters.
  const { advancedPostFilter, ...body } = JSON.parse(withoutComments(request));

  const answer = await product.post(`${SEARCH}?strict=true`, body, product.siteKey);

  expect(answer).toMatchObject({ status: 200 });
  expect(advancedPostFilter).toEqual({});
});

test('the search answer of the page has the members of an answer', async () => {
  const [, answer = ''] = blocks.filter(({ language }) => language === 'jsonc').map(({ code }) => code);
  const shown = JSON.parse(withoutComments(answer).replaceAll('…', ''));
  const { body } = await product.post(SEARCH, { query: 'solar', sections: 3 }, product.siteKey);

  expect(Object.keys(shown).sort()).toEqual(Object.keys(body).sort());
  expect(Object.keys(shown.TypedDocuments[0]).sort()).toEqual(Object.keys(body.TypedDocuments[0]).sort());
  expect(Object.keys(shown.Facets.Category).sort()).toEqual(Object.keys(body.Facets.Category).sort());
});

test.each(['2026', '2026-01', '2026-01-31', '2026-01-31T12:00:00Z'])('%s is a date', async (from) => {
  const body = { query: '*', filters: { date: ['Published_date', from, ''] } };

  expect((await product.post(SEARCH, body, product.siteKey)).status).toBe(200);
});

test('every unit of distances stands in the page', () => {
  expect([...METRES_PER_UNIT.keys()].filter((unit) => !PAGE.toLowerCase().includes(`\`${unit}\``))).toEqual([]);
});

test('every member of every request stands in the page', () => {
  const schemas = [search, summary, documents, feedback, searchTools, synonyms, AUTOCOMPLETE_REQUESTS]
    .flatMap((module) => Object.values<unknown>(module as Record<string, unknown>))
    .concat(answerRequest(1), Object.values(search.SEARCH_REQUEST))
    .filter((value) => value instanceof z.ZodType);
  const names = new Set(schemas.flatMap((schema) => membersOf(schema)));
  const isShown = (name: string) => new RegExp(`[\`"?]${name}[\`"=]`).test(PAGE);

  expect(names.size).toBeGreaterThan(60);
  expect([...names].filter((name) => !isShown(name))).toEqual([]);
});

/** Names of members of a schema and of all that it is made of. */
function membersOf(schema: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  if (!(schema instanceof z.ZodType)) return [];
  const def = schema.def as unknown as Readonly<Record<string, unknown>>;
  const shape = schema instanceof z.ZodObject ? (schema.shape as Readonly<Record<string, unknown>>) : {};
  const parts = [def['in'], def['out'], def['innerType'], def['element'], ...Object.values(shape)];
  return [...Object.keys(shape), ...parts.flatMap((part) => membersOf(part, seen))];
}

function withoutComments(code: string): string {
  return code.replace(/\s\/\/ .*$/gm, '').replace(/\s{4,}\/\/.*$/gm, '');
}

/** An answer without what differs between two of them. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, ID.test(name) ? 'id' : withoutIds(inner)]);
  return Object.fromEntries(entries);
}
