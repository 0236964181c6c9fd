import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGINE_SETTINGS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import { digestOf } from '../../src/accounts/manage-keys.ts';
import { type AuthClass, ROUTE_TABLE, type RouteRow } from '../../src/api/route-table.ts';
import type { ApiSettings } from '../../src/api/settings.ts';
import type { RecordChange } from '../../src/storage/system/accounts.ts';
import { BASIC, BASIC_4, basicOf, SITE_KEY, siteKeyOf } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 1.6. Every row of the route table × every row of the matrix. `ok` = the guard lets the request on: with
// the bodies sent here the answer is then a success, 400 or 422.
type Expected = 'ok' | 401 | 403 | 404;
type PathIds = { customerId?: number; engineId?: number; crawlerId?: number; id?: number };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.changeRecords(
    { kind: 'put-engine', id: 9, customerId: 3, name: 'AI', language: 'en', settings: AI_ONLY, publicSettings: PLAIN },
    { kind: 'add-key', customerId: 3, name: 'old', sha256: digestOf('expired'), last4: '', expiresAt: 1 },
    { kind: 'add-key', customerId: 3, name: 'gone', sha256: digestOf('revoked'), last4: '' },
    ...FAR_RECORDS,
  );
  const revoked = (await product.listApiKeys(3)).find(({ name }) => name === 'gone');
  await product.changeRecords({ kind: 'revoke-key', customerId: 3, id: revoked?.id ?? 0 });
});
afterAll(() => product[Symbol.asyncDispose]());

const PLAIN = { ...PUBLIC_DEFAULTS, subscriptionFeatures: [] };
const AI_ONLY = ENGINE_SETTINGS.parse({ aiEnabled: true });
const AI = ENGINE_SETTINGS.parse({ aiEnabled: true, features: ['AiChat'], page: { published: true } });
/** A customer of the US region. */
const FAR_RECORDS: readonly RecordChange[] = [
  { kind: 'put-customer', id: 10_000_001, name: 'Far' },
  { kind: 'add-key', customerId: 10_000_001, name: 'main', sha256: digestOf('far'), last4: '' },
  {
    kind: 'put-engine',
    id: 11,
    customerId: 10_000_001,
    name: 'Far',
    language: 'en',
    settings: AI,
    publicSettings: PLAIN,
  },
  { kind: 'put-crawler', id: 21, engineId: 11, name: 'Far', config: {} },
];
const rowsOf = (...classes: AuthClass[]) => ROUTE_TABLE.filter(({ auth }) => classes.includes(auth));
const encode = (text: string) => Buffer.from(text).toString('base64');
const RECORD_BODIES: Readonly<Record<string, object>> = {
  banners: { name: 'b', htmlcode: '<p>b</p>', websiteid: 6 },
  rankings: { name: 'r', WebsiteId: 6 },
  quicklinks: { url: '/q', websiteid: 6 },
};

/** Sends a request that the guard decides on: every body lacks what its route requires. */
async function statusOf(row: RouteRow, authorization: string | undefined, ids: PathIds = {}, on = product) {
  const kind = row.path.split('/')[2] ?? '';
  const id = ids.id ?? (row.path.endsWith('/:id') && row.auth === 'B' ? await createRecord(kind, on) : 1);
  const all: Record<string, string | number> = {
    customerId: 3,
    engineId: 6,
    crawlerId: 17,
    identifier: 'en',
    ...ids,
    id,
  };
  const path = row.path.replace(/:(\w+)/g, (_found, name: string) => String(all[name]));
  const body = row.body === 'none' ? undefined : {};
  return (await on.send({ method: row.method, path, headers: { authorization }, body })).status;
}

async function createRecord(kind: string, on: Product): Promise<number> {
  const { status, body } = await on.post(`/api/${kind}`, RECORD_BODIES[kind]);
  if (status !== 200) throw new Error(`no ${kind}: ${JSON.stringify(body)}`);
  return body.id;
}

function expectOutcome(row: RouteRow, status: number, expected: Expected): void {
  const outcome = [200, 204, 400, 422].includes(status) ? 'ok' : status;
  expect({ route: `${row.method} ${row.path}`, outcome }).toEqual({
    route: `${row.method} ${row.path}`,
    outcome: expected,
  });
}

type Matrix = Readonly<Record<AuthClass, Expected>>;
const UNAUTHORIZED: Matrix = { S: 401, K: 401, B: 401, N: 'ok', P: 401, E: 401 };
/** The search page of engine 6 is published. */
const NOTHING: Matrix = { ...UNAUTHORIZED, P: 'ok' };

test.each<[string, string | undefined, Matrix]>([
  ['1 valid SiteKey', SITE_KEY, { S: 'ok', K: 'ok', B: 403, N: 'ok', P: 'ok', E: 'ok' }],
  ['2 valid Basic', BASIC, { S: 'ok', K: 401, B: 'ok', N: 'ok', P: 'ok', E: 401 }],
  ['3 no header', undefined, NOTHING],
  ['3 an empty header', '', NOTHING],
  ['4 Bearer', 'Bearer abc', UNAUTHORIZED],
  ['4 Digest', 'Digest username="a"', UNAUTHORIZED],
  ['4 a raw key', 'key-3-example', UNAUTHORIZED],
  ['5 a scheme without token', 'Basic', UNAUTHORIZED],
  ['5 bad base64', 'Basic %%%', UNAUTHORIZED],
  ['5 invalid UTF-8', `Basic ${Buffer.from([0x33, 0x3a, 0xff]).toString('base64')}`, UNAUTHORIZED],
  ['5 extra text', `${BASIC} x`, UNAUTHORIZED],
  ['5 a second token', `${BASIC}, ${BASIC}`, UNAUTHORIZED],
  ['6 two parts', 'SiteKey Mzo2', UNAUTHORIZED],
  ['6 a leading zero', `SiteKey ${encode('03:6:SearchKey')}`, UNAUTHORIZED],
  ['6 the literal in lower case', 'SiteKey Mzo2OnNlYXJjaGtleQ==', UNAUTHORIZED],
  ['7 a SiteKey token as Basic', 'Basic Mzo2OlNlYXJjaEtleQ==', UNAUTHORIZED],
  ['7 a Basic token as SiteKey', 'SiteKey MzprZXktMy1leGFtcGxl', UNAUTHORIZED],
  ['8 a wrong key', basicOf(3, 'key-3-exampl'), UNAUTHORIZED],
  ['8 a revoked key', basicOf(3, 'revoked'), UNAUTHORIZED],
  ['8 an expired key', basicOf(3, 'expired'), UNAUTHORIZED],
  ['8 an unknown customer', basicOf(999, 'key-3-example'), UNAUTHORIZED],
  ['10 the SiteKey of another engine', siteKeyOf(3, 7), { S: 401, K: 401, B: 403, N: 'ok', P: 401, E: 'ok' }],
])('1.6 row %s', async (_case, authorization, expected) => {
  for (const row of ROUTE_TABLE) expectOutcome(row, await statusOf(row, authorization), expected[row.auth]);
});

test.each([
  ['a SiteKey of an unknown customer', 999, siteKeyOf(999, 6)],
  ['Basic of another customer', 3, BASIC_4],
  ['a SiteKey of another customer', 3, siteKeyOf(4, 8)],
  ['a SiteKey of another customer for this engine', 3, siteKeyOf(4, 6)],
])('1.6 rows 8 and 9: %s', async (_case, customerId, authorization) => {
  const rows = rowsOf('S', 'K', 'B', 'P').filter(({ path }) => path.includes(':customerId'));
  for (const row of rows) expectOutcome(row, await statusOf(row, authorization, { customerId }), 401);
});

test.each([
  ['Basic', basicOf(10_000_001, 'far')],
  ['SiteKey', siteKeyOf(10_000_001, 11)],
])('1.6 row 11: %s of the other region', async (_case, authorization) => {
  const ids = { customerId: 10_000_001, engineId: 11, crawlerId: 21 };
  await using european = await startProduct({ settings: { region: 'eu' } });
  await european.changeRecords(...FAR_RECORDS);
  for (const row of rowsOf('S', 'K', 'B', 'P', 'E')) {
    expectOutcome(row, await statusOf(row, authorization, { ...ids, id: 1 }, european), 401);
  }
  for (const row of rowsOf('N')) expectOutcome(row, await statusOf(row, authorization, ids), 'ok');
});

test('1.6 row 11: a search page of the other region is none', async () => {
  const ids = { customerId: 10_000_001, engineId: 11 };
  await using european = await startProduct({ settings: { region: 'eu' } });
  await european.changeRecords(...FAR_RECORDS);
  for (const row of rowsOf('P')) {
    expectOutcome(row, await statusOf(row, undefined, ids, european), 401);
    expectOutcome(row, await statusOf(row, undefined, {}, european), 'ok');
  }
});

test('1.6 row 11: a region accepts its own customers', async () => {
  await using european = await startProduct({ settings: { region: 'eu' } });
  for (const row of rowsOf('S', 'B')) expectOutcome(row, await statusOf(row, BASIC, {}, european), 'ok');
});

test.each([[999], [8], [99_999_999_999]])('1.6 row 12: Basic for engine %i', async (engineId) => {
  const rows = [...rowsOf('S', 'P'), ...rowsOf('B').filter(({ path }) => path.includes(':engineId'))];
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) expectOutcome(row, await statusOf(row, BASIC, { engineId }), 403);
});

test.each([[999], [8]])('1.6 row 13: a SiteKey of the customer for engine %i', async (engineId) => {
  for (const row of rowsOf('S', 'K', 'B', 'P', 'E')) {
    expectOutcome(row, await statusOf(row, siteKeyOf(3, engineId), { engineId }), 403);
  }
});

test('1.6 row 14: AI calls need the feature, feedback on them does not', async () => {
  for (const row of ROUTE_TABLE.filter(({ feature }) => feature !== undefined)) {
    expectOutcome(row, await statusOf(row, BASIC, { engineId: 7 }), 403);
    expectOutcome(row, await statusOf(row, BASIC, { engineId: 9 }), row.feature === 'ai-chat' ? 403 : 'ok');
  }
  for (const row of rowsOf('N')) expectOutcome(row, await statusOf(row, BASIC, { engineId: 7 }), 'ok');
});

test.each([[999], [19], [99_999_999_999]])('1.6 row 15: Basic for crawler %i', async (crawlerId) => {
  const rows = rowsOf('B').filter(({ path }) => path.includes(':crawlerId'));
  expect(rows).toHaveLength(8);
  for (const row of rows) expectOutcome(row, await statusOf(row, BASIC, { crawlerId }), 404);
});

test('1.6 row 16: records that do not exist or belong to somebody else', async () => {
  const rows = rowsOf('B').filter(({ path }) => path.endsWith('/:id'));
  expect(rows.map(({ path }) => path.split('/')[2])).toHaveLength(9);
  for (const row of rows) {
    expectOutcome(row, await statusOf(row, BASIC, { id: 999 }), 404);
    expectOutcome(row, await statusOf(row, BASIC, { id: 99_999_999_999 }), 404);
    expectOutcome(row, await statusOf(row, BASIC_4), 404);
  }
});

test.each([
  ['another customer’s engine', { customerId: 3, engineId: 8 }],
  ['an unknown engine', { customerId: 3, engineId: 999 }],
  ['an unknown customer', { customerId: 999, engineId: 6 }],
])('1.6 row 17: %s without credentials', async (_case, ids) => {
  for (const row of rowsOf('N').filter(({ path }) => path.includes(':engineId'))) {
    // Tracking is told by its query id: see cases 58 to 62.
    expectOutcome(row, await statusOf(row, undefined, ids), row.path.includes('/pushstat/') ? 'ok' : 403);
  }
});

test('documents as Markdown need a key where no search page is published', async () => {
  await using hidden = await startProduct({ settings: { searchPage: false } });
  for (const row of rowsOf('P')) {
    expectOutcome(row, await statusOf(row, undefined, { engineId: 7 }), 401);
    expectOutcome(row, await statusOf(row, undefined, { customerId: 4 }), 401);
    expectOutcome(row, await statusOf(row, undefined, {}, hidden), 401);
    expectOutcome(row, await statusOf(row, SITE_KEY, {}, hidden), 'ok');
  }
});

test('a key of the tools of agents may come as Bearer', async () => {
  for (const row of rowsOf('E')) {
    expectOutcome(row, await statusOf(row, SITE_KEY.replace('SiteKey', 'bearer')), 'ok');
    expectOutcome(row, await statusOf(row, siteKeyOf(999, 6).replace('SiteKey', 'Bearer')), 401);
    expectOutcome(row, await statusOf(row, BASIC.replace('Basic', 'Bearer')), 401);
  }
});

test('1.6 row 18: public settings of an engine without instant suggestions', async () => {
  for (const row of rowsOf('K')) expectOutcome(row, await statusOf(row, siteKeyOf(3, 9), { engineId: 9 }), 'ok');
});

test.each<[string, Partial<ApiSettings>, string | undefined]>([
  ['Basic', { publicSettingsAllowBasic: true }, BASIC],
  ['nothing', { publicSettingsAllowAnonymous: true }, undefined],
])('1.6 rows 2 and 3: public settings allow %s when configured', async (_case, settings, authorization) => {
  await using open = await startProduct({ settings });
  for (const row of rowsOf('K')) {
    expectOutcome(row, await statusOf(row, authorization, {}, open), 'ok');
    expectOutcome(row, await statusOf(row, 'Bearer x', {}, open), 401);
    expectOutcome(row, await statusOf(row, authorization, { engineId: 8 }, open), 403);
  }
});

test('refusals do not tell what does not exist from what belongs to somebody else', async () => {
  const answers = await Promise.all(
    ['999', '8'].map((engineId) =>
      product.send({
        method: 'POST',
        path: `/api/v4/3/${engineId}/search`,
        headers: { authorization: BASIC },
        body: {},
      }),
    ),
  );
  const [missing, foreign] = answers.map(({ status, body }) => ({ status, message: body.message, code: body.code }));

  expect(missing).toEqual(foreign);
});
