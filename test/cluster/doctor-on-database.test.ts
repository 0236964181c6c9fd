import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStores } from '../../src/compose/stores.ts';
import { runCli } from '../helpers/cli.ts';
import { askDatabase, newDatabase } from '../helpers/moved-installations.ts';
import { freePort } from '../helpers/processes.ts';
import { silentLog } from '../helpers/silent-log.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Found = { readonly name: string; readonly subject: string; readonly sentence: string; readonly command: string };

/** What `fossick doctor` finds on a machine of its own, of what machines of one database have in common. */
async function examine(environment: Readonly<Record<string, string>>) {
  await using folder = await temporaryFolder();
  const own = { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder.path, 'data'), PORT: String(await freePort()) };
  const { out } = await runCli(['doctor', '--json'], { environment: { ...own, ...environment }, folder: folder.path });
  const { findings } = JSON.parse(out) as { findings: readonly Found[] };
  const ofMachines = new Set(['database-down', 'secrets-key', 'redis-unshared', 'host-unknown', 'check-failed']);
  return findings.filter(({ name }) => ofMachines.has(name));
}

const KEY = { SECRETS_KEY: randomBytes(32).toString('base64url') };
const CRAWLER = { seeds: ['http://no-such-name.invalid/'] };

/** Another machine that lives, with a Redis of its own, and a crawler in the stores. */
async function openOther(url: string, folder: string) {
  await using stack = new AsyncDisposableStack();
  const stores = stack.use(await openStores({ DATA_DIR: folder, DATABASE_URL: url, ...KEY }, silentLog));
  const empty = { settings: {} as never, publicSettings: {} as never };
  await stores.systemStore.changeRecords(
    'test',
    [
      { kind: 'put-customer', id: 1, name: 'One' },
      { kind: 'put-engine', id: 1, customerId: 1, name: 'One', language: 'en', ...empty },
      { kind: 'put-crawler', id: 2, engineId: 1, name: 'Site', config: CRAWLER },
      { kind: 'set-crawler-active', id: 2, active: true },
    ],
    0,
  );
  stack.use(await stores.processes.enter({ name: 'upkeep', hasOwnRedis: true }));
  const owned = stack.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('a database without stores has nothing wrong, and holds none afterwards', async () => {
  const url = await newDatabase();

  expect(await examine({ DATABASE_URL: url })).toEqual([]);
  expect(await askDatabase(url, "SELECT 1 FROM pg_namespace WHERE nspname LIKE 'fossick%'")).toEqual([]);
});

test('what a start beside another machine refuses is found before it, and names of seeds are read from the database', async () => {
  await using folder = await temporaryFolder();
  const url = await newDatabase();
  await using _other = await openOther(url, folder.path);

  const found = await examine({ DATABASE_URL: url });

  expect(found).toMatchObject([
    { name: 'secrets-key', command: expect.stringContaining('copy the file secrets-key') },
    { name: 'redis-unshared', sentence: expect.stringContaining('with a Redis of its own') },
    { name: 'host-unknown', subject: 'crawler 2 http://no-such-name.invalid/' },
  ]);
});

test('a machine with the key and the Redis of the others has neither finding', async () => {
  await using folder = await temporaryFolder();
  const url = await newDatabase();
  {
    await using _other = await openOther(url, folder.path);
  }

  const found = await examine({ DATABASE_URL: url, ...KEY });

  expect(found.map(({ name }) => name)).toEqual(['host-unknown']);
});
