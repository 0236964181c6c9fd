import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { inject } from 'vitest';
import { type StoreTarget, storePath } from '../../src/storage/sqlite/write-messages.ts';
import { closedInstallation } from './backups.ts';
import { type Random, seededRandom } from './random.ts';

/** An empty database on the server of this run. */
export async function newDatabase(): Promise<string> {
  const name = `move_${randomBytes(8).toString('hex')}`;
  await askDatabase(inject('postgresUrl'), `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = name;
  return url.href;
}

/** Rows of the last statement. */
export async function askDatabase(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return [await client.query(text)].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

export const SYSTEM: StoreTarget = { kind: 'system' };
export const engineTarget = (engineId: number): StoreTarget => ({ kind: 'engine', engineId });

/** An installation whose every table has random rows. */
export async function randomInstallation(
  dataDir: string,
  { engineIds, rows, seed }: { readonly engineIds: readonly number[]; readonly rows: number; readonly seed: number },
): Promise<void> {
  await closedInstallation(dataDir, engineIds);
  const random = seededRandom(seed);
  for (const target of [SYSTEM, ...engineIds.map(engineTarget)]) {
    using db = new DatabaseSync(storePath(dataDir, target));
    db.exec('BEGIN');
    for (const table of tablesOf(db)) fillTable(db, table, { random, rows });
    db.exec('COMMIT');
  }
}

export function tablesOf(db: DatabaseSync): readonly string[] {
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'").all();
  return found.map(({ name }) => String(name)).sort();
}

/** Rows and the numbers that are given next, as SQLite tells them. */
export function dumpStore(dataDir: string, target: StoreTarget): Readonly<Record<string, readonly unknown[]>> {
  using db = new DatabaseSync(storePath(dataDir, target), { readOnly: true });
  const all = (text: string) => {
    const statement = db.prepare(text);
    statement.setReadBigInts(true);
    return statement.all().map((row) => JSON.stringify(row, plain));
  };
  const tables = tablesOf(db).map((table) => {
    const isNumbered = ['query_events', 'click_events', 'exchanges'].includes(table);
    return [table, all(`SELECT ${isNumbered ? 'rowid AS number, ' : ''}* FROM "${table}"`).sort()] as const;
  });
  const sequences = all('SELECT name, seq FROM sqlite_sequence WHERE seq > 0').sort();
  return { ...Object.fromEntries(tables), sequences };
}

function plain(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

type Filling = { readonly random: Random; readonly rows: number };

function fillTable(db: DatabaseSync, table: string, { random, rows }: Filling): void {
  const columns = db.prepare('SELECT name, type, "notnull" AS needed, pk FROM pragma_table_info(?)').all(table);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const insert = db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
  for (let row = 0; row < rows; row++) {
    const values = columns.map(({ type, needed, pk }) =>
      needed === 0 && pk === 0 && random.chance(0.3) ? null : randomValue(String(type), random),
    );
    insert.run(...values);
  }
}

const PIECES = [
  'a',
  'Ä',
  '\0',
  '\uFDD0',
  '\uFDD1',
  '😀',
  '{"a": "\\u0000"}',
  '\\',
  '"',
  "'",
  ',',
  '}',
  'NULL',
  '\n',
  '漢',
];
const LONG_BLOB_BYTES = 300_000;

function randomValue(type: string, random: Random): SQLInputValue {
  if (type === 'INTEGER') return wholeNumber(random);
  if (type === 'BLOB')
    return Buffer.alloc(random.chance(0.05) ? LONG_BLOB_BYTES : random.whole(0, 40), random.whole(0, 255));
  // What makes it unique comes last: keys are compared as a whole.
  return random.list(0, 12, () => random.pick(PIECES)).join('') + random.whole(0, 2 ** 31);
}

/** No key twice, and room above the largest for the next number of a table. */
function wholeNumber(random: Random): bigint {
  const value = (BigInt(random.whole(0, 2 ** 30)) << 31n) | BigInt(random.whole(0, 2 ** 31 - 1));
  if (random.chance(0.2)) return -value;
  return random.chance(0.3) ? value >> 30n : value;
}
