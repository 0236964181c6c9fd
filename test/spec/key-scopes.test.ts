import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf } from '../../src/accounts/manage-keys.ts';
import { ROUTE_TABLE, type RouteRow } from '../../src/api/route-table.ts';
import { KEY_SCOPES, type KeyScope } from '../../src/core/records.ts';
import { eventually } from '../helpers/eventually.ts';
import { basicOf } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ settings: { publicSettingsAllowBasic: true } });
  await product.changeRecords(
    ...KEY_SCOPES.map(
      (scope) =>
        ({
          kind: 'add-key',
          customerId: 3,
          name: scope,
          sha256: digestOf(`key-${scope}`),
          last4: '',
          scopes: [scope],
        }) as const,
    ),
  );
});
afterAll(() => product[Symbol.asyncDispose]());

/** What a key must open for the route; undefined: routes that refuse no key, and those that take none. */
function scopeOf({ path, auth }: RouteRow): KeyScope | undefined {
  if (auth === 'S' || auth === 'K' || auth === 'P') return 'search';
  if (auth !== 'B') return undefined;
  if (path.endsWith('/paths') || path.endsWith('/pushurls')) return 'urls';
  return path.includes(':crawlerId') ? 'documents' : 'tools';
}

async function send(row: RouteRow, scope: KeyScope) {
  const ids: Readonly<Record<string, string>> = { customerId: '3', engineId: '6', crawlerId: '17', identifier: 'en' };
  const path = row.path.replace(/:(\w+)/g, (_found, name: string) => ids[name] ?? '999');
  const body = row.body === 'none' ? undefined : {};
  const headers = { authorization: basicOf(3, `key-${scope}`) };
  return product.send({ method: row.method, path, headers, body });
}

test.each(KEY_SCOPES)(
  'a key with the scope %s opens what is of the scope, and is told what it lacks elsewhere',
  async (scope) => {
    const wrong: string[] = [];
    for (const row of ROUTE_TABLE) {
      const needed = scopeOf(row);
      if (needed === undefined) continue;
      const { status, body } = await send(row, scope);
      const isRefused = status === 403 && body.message === `This API key has no scope ${needed}: it has ${scope}`;
      if (isRefused !== (needed !== scope)) wrong.push(`${row.method} ${row.path}: ${status} ${body?.message}`);
    }

    expect(wrong).toEqual([]);
  },
);

test('the day on which a key opened something is remembered, once', async () => {
  const today = Math.floor(Date.now() / 86_400_000);
  const of = async (name: string) => (await product.listApiKeys(3)).find((key) => key.name === name)?.lastUsedDay;
  await product.get('/api/rankings', basicOf(3, 'key-tools'));

  expect(await eventually(() => of('tools'))).toBe(today);
});
