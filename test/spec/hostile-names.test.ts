import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2.3 to 2.6. Names and values of fields are data, whatever they are called.
const STORED = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then', '0', '-1', 'a.b[0]', 'sp ace', '*'],
  ...['a\u0000b', 'tab\t', 'line\n', '\u{1f600}', '<b>', '"', '\\', 'x'.repeat(256), 'Fields', 'kategorie\u0301'],
];
/** Names that no document can have. */
const UNSTORED = ['', 'x'.repeat(10_000), '\u{1f600}'.repeat(300)];

/** Members of a map as JSON text, where `__proto__` is a name like others. */
function map(names: readonly string[], value: unknown): string {
  return `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
}

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const body = `[{"id":"hostile","fields":${map(STORED, 'needle one')}}]`;
  const { status } = await product.send({
    method: 'PUT',
    path: '/api/v4/3/index/17/documents?refresh=wait',
    body,
    headers: { authorization: product.basic, 'content-type': 'application/json' },
  });
  expect(status).toBe(200);
});
afterAll(() => product[Symbol.asyncDispose]());

async function search(members: string, query = '', path = '/api/v4/3/6/search') {
  const body = `{"query":${JSON.stringify(query)},${members}}`;
  const headers = { authorization: SITE_KEY, 'content-type': 'application/json' };
  const answer = await product.send({ method: 'POST', path, body, headers });
  expect({ status: answer.status, message: answer.body.message }).toEqual({ status: 200, message: undefined });
  return answer.body;
}

const idsOf = ({ TypedDocuments }: { TypedDocuments: readonly { Id: string }[] }) => TypedDocuments.map(({ Id }) => Id);
const json = JSON.stringify;

test('all of them are fields of the hit, with their values', async () => {
  const [hit] = (await search('"highlight":true', 'needle')).TypedDocuments;

  expect(hit.FieldNames).toEqual(expect.arrayContaining(STORED));
  for (const name of STORED) {
    const field = Object.entries(hit.Fields).find(([key]) => key === name)?.[1];
    expect(field).toMatchObject({ Field: name, Value: 'needle one', Values: ['needle one'] });
  }
  expect(Object.keys(hit.Highlight)).toEqual(expect.arrayContaining(STORED));
});

describe.each(STORED.map((name) => [name]))('the field %j', (name) => {
  test('filters, narrows, boosts, sorts and is returned alone', async () => {
    const only = map([name], ['needle one']);

    expect(idsOf(await search(`"filters":${only}`))).toEqual(['hostile']);
    expect(idsOf(await search(`"postFilters":${only}`))).toEqual(['hostile']);
    expect(idsOf(await search(`"facets":${only}`))).toEqual(['hostile']);
    expect((await search(`"notFilters":${only}`)).TotalDocument).toBe(6);
    expect(idsOf(await search(`"valueBoost":${only}`))[0]).toBe('hostile');
    expect(idsOf(await search(`"sort":${map([name], 'asc')}`))[0]).toBe('hostile');
    expect(idsOf(await search(`"advancedPostFilter":{"field":${json(name)},"values":["needle one"]}`))).toEqual([
      'hostile',
    ]);
    const [hit] = (await search(`"fields":${json([name])}`, 'needle')).TypedDocuments;
    expect([...hit.FieldNames].sort()).toEqual(['Id', 'Url', name].sort());
  });

  test('is counted under its name', async () => {
    const ranges = `{${json(name)}:{"fieldName":"Price_number","ranges":[{"from":20}]}}`;
    const top = `[{"field":${json(name)}}]`;

    const answer = await search(`"facets":${json([name])},"rangeFacets":${ranges},"topHitsFields":${top}`);

    expect(Object.entries(answer.Facets)).toEqual([[name, expect.objectContaining({ FieldName: name, AllCount: 1 })]]);
    expect(Object.entries(answer.RangeFacets)).toEqual([[name, [5]]]);
    expect(answer.TopHits).toMatchObject([{ Field: name, Values: [{ Value: 'needle one', AllCount: 1 }] }]);
  });
});

test('camel case leaves them as they are', async () => {
  const answer = await search(`"facets":${json(STORED)}`, 'needle', '/api/v4/3/6/search?casing=camel');

  expect(Object.keys(answer.facets).sort()).toEqual([...STORED].sort());
  expect(Object.keys(answer.typedDocuments[0].fields)).toEqual(expect.arrayContaining(STORED));
});

test.each(UNSTORED.map((name) => [name.slice(0, 20), name]))(
  'a name like %j is one that no document has',
  async (_short, name) => {
    expect(idsOf(await search(`"filters":${map([name], ['x'])}`))).toEqual([]);
    expect((await search(`"notFilters":${map([name], ['x'])},"sort":${map([name], 'desc')}`)).TotalDocument).toBe(7);
    expect((await search(`"facets":${map([name], [])}`)).TotalDocument).toBe(7);
  },
);

test.each([['__proto__'], ['constructor'], ['x\u0000y'], ['x'.repeat(10_000)]])(
  'the value %j is a value',
  async (value) => {
    const short = value.slice(0, 20);
    await product.put('/api/v4/3/index/17/documents?refresh=wait', [
      { id: 'valued', fields: { Odd: [value, `${short} b`] } },
    ]);

    const answer = await search(
      `"filters":${`{"Odd":[${json(value)}]}`},"facets":["Odd"],"topHitsFields":[{"field":"Odd"}]`,
    );

    expect(idsOf(answer)).toEqual(['valued']);
    expect(answer.Facets.Odd.Items.map(({ Key }: { Key: string }) => Key).sort()).toEqual([value, `${short} b`].sort());
    expect(answer.TopHits[0].Values.map(({ Value }: { Value: string }) => Value)).toContain(value);
    await product.delete('/api/v4/3/index/17/documents?documentId=valued');
  },
);
