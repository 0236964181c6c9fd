import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { basicOf, siteKeyOf } from './fixture.ts';
import { longDocuments } from './long-documents.ts';
import { startProcesses } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Customer = {
  readonly id: number;
  readonly key: string;
  readonly siteKey: string;
  readonly search: string;
  readonly documents: string;
};

function customer(id: number): Customer {
  return {
    id,
    key: basicOf(id, `key-of-customer-${id}`),
    siteKey: siteKeyOf(id, id),
    search: `/api/v4/${id}/${id}/search`,
    documents: `/api/v4/${id}/index/${id}/documents`,
  };
}

const CUSTOMERS = [customer(1), customer(2)] as const;
const PUSHED_AT_ONCE = 100;

/** The started product with two customers, each with an engine of the same number and `pages` of `chars` characters. */
export async function startTwoCustomers(
  pages: { readonly count: number; readonly chars: number }[],
  environment: Readonly<Record<string, string>> = {},
) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const file = join(folder.path, 'provision.json');
  const customers = CUSTOMERS.map(({ id }) => ({
    id,
    name: `Customer ${id}`,
    keys: [{ name: 'test', value: `key-of-customer-${id}` }],
    engines: [{ id, name: `Engine ${id}`, language: 'en' }],
    crawlers: [{ id, engine: id, name: 'Pushed', seeds: [], active: false }],
  }));
  await writeFile(file, JSON.stringify({ version: 1, customers }));
  const dataDir = join(folder.path, 'data');
  const settings = { CONFIG_FILE: file, RATE_MANAGEMENT_PER_SECOND: '0', ...environment };
  const product = stack.use(await startProcesses({ dataDir, environment: settings }));
  const push = (to: Customer, documents: readonly object[]) =>
    fetch(product.address + to.documents, {
      method: 'PUT',
      headers: { authorization: to.key, 'content-type': 'application/json' },
      body: JSON.stringify(documents),
    }).then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    });
  for (const [i, { count, chars }] of pages.entries()) {
    const to = CUSTOMERS[i];
    if (to === undefined) break;
    const documents = longDocuments(count, chars).map(({ id, fields }) => ({ id, fields: Object.fromEntries(fields) }));
    for (let from = 0; from < count; from += PUSHED_AT_ONCE) {
      await eventually(async () => (await push(to, documents.slice(from, from + PUSHED_AT_ONCE))) === 200, 60_000);
    }
    await eventually(async () => (await totalOf(product.address, to)) === count, 60_000);
  }
  const owned = stack.move();
  return { product, dataDir, customers: CUSTOMERS, push, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function totalOf(address: string, { search, key }: Customer): Promise<number> {
  const answer = await fetch(address + search, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '*', perPage: 1 }),
  });
  const { TotalDocument } = (await answer.json()) as { readonly TotalDocument: number };
  return TotalDocument;
}
