import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASIC, BASIC_4 } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const PATH = '/api/synonymsgroup';
const call = (method: string, path = '', body?: unknown, auth = BASIC) =>
  product.send({ method, path: `${PATH}${path}`, body, headers: { authorization: auth } });

async function create(words: readonly string[], language = 'en'): Promise<number> {
  const { status, body } = await call('POST', '', { words, language });
  expect(status).toBe(200);
  return body.groupId;
}

test('81: a group is stored with its id; words are trimmed, repeated and blank ones dropped', async () => {
  const { status, body } = await call('POST', '', {
    groupId: 5_000,
    words: [' power ', 'electricity', 'Power', ''],
    language: 'en',
  });

  expect(status).toBe(200);
  expect(body).toEqual({ groupId: expect.any(Number), words: ['power', 'electricity'], language: 'en' });
  expect(body.groupId).toBeLessThan(5_000);
});

test('82: groups are found by language in any case, or by number', async () => {
  const groupId = await create(['gas', 'petrol'], 'nb-NO');
  const group = { groupId, words: ['gas', 'petrol'], language: 'nb-NO' };

  expect((await call('GET', '/nb-NO')).body).toEqual([group]);
  expect((await call('GET', '/NB-no')).body).toEqual([group]);
  expect((await call('GET', `/${groupId}`)).body).toEqual(group);
});

test.each([
  ['/da', 200, []],
  ['/999999', 404, undefined],
  ['/99999999999', 404, undefined],
  ['/0', 404, undefined],
  ['/!!', 400, undefined],
  ['/english', 400, undefined],
  ['/e', 400, undefined],
])('82: GET %s answers %d', async (path, status, body) => {
  const answer = await call('GET', path);

  expect(answer.status).toBe(status);
  if (body !== undefined) expect(answer.body).toEqual(body);
});

test('groups of another customer do not exist', async () => {
  const groupId = await create(['private'], 'sv');

  expect((await call('GET', `/${groupId}`, undefined, BASIC_4)).status).toBe(404);
  expect((await call('GET', '/sv', undefined, BASIC_4)).body).toEqual([]);
  expect((await call('PUT', '', { groupId, words: ['x'], language: 'sv' }, BASIC_4)).status).toBe(404);
  const removal = await call('DELETE', `?groupIds=${groupId}`, undefined, BASIC_4);
  expect(removal.body).toEqual({ deleted: [], notFound: [groupId] });
  expect((await call('GET', `/${groupId}`)).status).toBe(200);
});

describe('PUT', () => {
  test('replaces words and language of the group that the body names', async () => {
    const groupId = await create(['a', 'b']);

    const { status, body } = await call('PUT', '', { groupId, words: ['c'], language: 'fi' });

    expect(status).toBe(200);
    expect(body).toEqual({ groupId, words: ['c'], language: 'fi' });
    expect((await call('GET', `/${groupId}`)).body).toEqual(body);
  });

  test.each([
    ['without groupId', { words: ['a'], language: 'en' }, 400],
    ['with a groupId that is no number', { groupId: 'x', words: ['a'], language: 'en' }, 400],
    ['of an unknown group', { groupId: 999_999, words: ['a'], language: 'en' }, 404],
    ['of group 0', { groupId: 0, words: ['a'], language: 'en' }, 404],
  ])('%s', async (_what, body, status) => {
    expect((await call('PUT', '', body)).status).toBe(status);
  });
});

test.each([
  ['without words', { language: 'en' }],
  ['with no word', { words: [], language: 'en' }],
  ['with blank words only', { words: [' ', ''], language: 'en' }],
  ['with a word that is no text', { words: ['a', 5], language: 'en' }],
  ['with a word that is null', { words: [null], language: 'en' }],
  ['with words that are no list', { words: 'a,b', language: 'en' }],
  ['without language', { words: ['a'] }],
  ['with a language in capitals', { words: ['a'], language: 'EN' }],
  ['with a language of one letter', { words: ['a'], language: 'e' }],
  ['with a language name', { words: ['a'], language: 'english' }],
])('POST %s is 400', async (_what, body) => {
  expect((await call('POST', '', body)).status).toBe(400);
});

describe('DELETE', () => {
  test.each([
    ['a comma list', (a: number, b: number) => [`?groupIds=${a},${b}`, undefined]],
    ['a comma list with blanks', (a: number, b: number) => [`?groupIds=${a},%20${b}`, undefined]],
    ['repeated parameters', (a: number, b: number) => [`?groupIds=${a}&GROUPIDS=${b}`, undefined]],
    ['both', (a: number, b: number) => [`?groupIds=${a},999999&groupIds=${b}`, undefined]],
    ['a body with a list', (a: number, b: number) => ['', { groupIds: [a, b] }]],
    ['a body with a comma list', (a: number, b: number) => ['', { GroupIds: `${a},${b}` }]],
    ['a body that is a comma list', (a: number, b: number) => ['', JSON.stringify(`${a},${b}`)]],
    ['a body that is a list', (a: number, b: number) => ['', [a, `${b}`]]],
  ] as const)('takes the ids from %s', async (_what, requestOf) => {
    const a = await create(['a']);
    const b = await create(['b']);
    const [query, body] = requestOf(a, b);

    const answer = await call('DELETE', query as string, body);

    expect(answer.status).toBe(200);
    expect(answer.body.deleted).toEqual([a, b]);
    expect((await call('GET', `/${a}`)).status).toBe(404);
  });

  test('names each id once, in the order asked', async () => {
    const a = await create(['a']);
    const b = await create(['b']);

    const { body } = await call('DELETE', `?groupIds=${b},888888,${a},${b},-1`);

    expect(body).toEqual({ deleted: [b, a], notFound: [888_888, -1] });
  });

  test.each([
    ['no ids', '', undefined],
    ['an empty list', '?groupIds=', undefined],
    ['an empty body', '', {}],
    ['an empty list in the body', '', { groupIds: [] }],
    ['a name', '?groupIds=ID,abc', undefined],
    ['a gap', '?groupIds=ID,', undefined],
    ['a fraction in the body', '', { groupIds: [1.5] }],
    ['null in the body', '', { groupIds: [null] }],
  ])('with %s is 400 and deletes nothing', async (_what, query, body) => {
    const id = await create(['kept']);

    const answer = await call('DELETE', query.replace('ID', String(id)), body);

    expect(answer.status).toBe(400);
    expect((await call('GET', `/${id}`)).status).toBe(200);
  });
});

test('changes by a key are in the audit log with the key, and what a file manages is refused', async () => {
  const groupId = await create(['hours', 'times']);
  await call('PUT', '', { groupId, words: ['hours', 'opening'], language: 'en' });
  await call('DELETE', `?groupIds=${groupId}`);
  const rows = (await product.systemStore.listAudit({ limit: 3 })).entries.map(({ actor, action, target }) => [
    actor,
    action,
    target,
  ]);
  const managed = { actor: 'provision:site.yaml', at: 1, managedBy: 'site.yaml' };
  const group = { customerId: 3, language: 'en', words: ['fee', 'price'] };
  const { id } = await product.systemStore.addSynonymGroup(group, managed);
  const other = await create(['cost', 'charge']);

  expect(rows).toEqual(
    ['remove', 'change', 'add'].map((verb) => [
      expect.stringMatching(/^key:\d+ /),
      `${verb}-synonym-group`,
      `customer:3/synonym-group:${groupId}`,
    ]),
  );
  expect((await call('PUT', '', { groupId: id, words: ['x'], language: 'en' })).status).toBe(403);
  expect((await call('DELETE', `?groupIds=${other},${id}`)).status).toBe(403);
  expect((await call('GET', `/${other}`)).body).toMatchObject({ words: ['cost', 'charge'] });
});
