import { AppError } from '../../core/errors.ts';
import type { Connections, Session } from './connections.ts';
import { ENGINE_SCHEMA } from './engine-schema.ts';
import { requireFinishedMove } from './move/move-mark.ts';
import { migrationsAfter, type PostgresSchema, targetVersion } from './schema-text.ts';
import { SYSTEM_SCHEMA } from './system-schema.ts';
import { inTransaction, lockOf } from './transactions.ts';

/** The oldest server whose answers the tests have seen: `server_version_num`. */
const LEAST_SERVER = 150_000;

/** Indexes of large tables take their time, and so does waiting for another process that makes them. */
const MIGRATION_MS = 24 * 3_600_000;

/**
 * Of all stores of a database together; each store has a schema of its own beside it. Texts are compared byte for byte,
 * and times are the server's.
 */
export const OWN_SCHEMA = `CREATE SCHEMA IF NOT EXISTS fossick;
  CREATE TABLE IF NOT EXISTS fossick.stores (name text PRIMARY KEY, changes bigint NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS fossick.processes (holder text COLLATE "C" PRIMARY KEY, name text NOT NULL,
    machine text NOT NULL, host text NOT NULL, projection text, life text NOT NULL, misses text NOT NULL,
    has_own_redis boolean NOT NULL DEFAULT false,
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp(), has_ended boolean NOT NULL DEFAULT false);
  CREATE TABLE IF NOT EXISTS fossick.projections (name text COLLATE "C", store text COLLATE "C",
    generation bigint NOT NULL DEFAULT 0, passed_seq bigint, work text, PRIMARY KEY (store, name))`;
const NEWEST_TABLE = 'projections';

/** Two at once would make `fossick` twice, so there is one lock for all stores. */
const BEGIN_MIGRATION = `BEGIN; SELECT pg_advisory_xact_lock(${lockOf('fossick')})`;

export const SYSTEM_STORE = 'fossick_system';

/** What a kind of store is made of. */
export function schemaOf(kind: 'system' | 'engine'): PostgresSchema {
  return kind === 'system' ? SYSTEM_SCHEMA : ENGINE_SCHEMA;
}

/** Ids are whole numbers: a name needs no quotes but those that it has everywhere. */
export function engineSchema(engineId: number): string {
  return `fossick_engine_${engineId}`;
}

/** @throws AppError `storage.version-mismatch` for a server that is too old, in words that say the least version */
export async function requireServer(connections: Connections): Promise<string> {
  return connections.use(async (session) => {
    const [number] = await session.script('SHOW server_version_num');
    const [version] = await session.script('SHOW server_version');
    const name = String(version?.rows[0]?.server_version);
    if (Number(number?.rows[0]?.server_version_num) >= LEAST_SERVER) return name;
    const least = LEAST_SERVER / 10_000;
    const message = `PostgreSQL ${name} (DATABASE_URL) is too old: Fossick needs ${least} or newer`;
    throw new AppError('storage.version-mismatch', message);
  });
}

/** Makes what the stores of a database have together, when it is not there. */
export async function openOwnSchema(connections: Connections): Promise<void> {
  await connections.use(async (session) => {
    if (await isThere(session, { schema: 'fossick', table: NEWEST_TABLE })) return;
    await inTransaction(session, { begin: BEGIN_MIGRATION, end: () => 'COMMIT', withinMs: MIGRATION_MS }, async () => {
      await session.script(OWN_SCHEMA, MIGRATION_MS);
    });
  });
}

/**
 * Makes a store when it is not there, and brings it to the present version. Of processes that start together one does,
 * the others wait for it.
 *
 * @throws AppError `storage.version-mismatch` when a newer program wrote the store: nothing was changed
 */
export async function openSchema(connections: Connections, name: string, schema: PostgresSchema): Promise<void> {
  await connections.use(async (session) => {
    const before = await presentVersion(session, name);
    // Behind the look at the store: a move marks the database before it makes one.
    if (name === SYSTEM_STORE) await requireFinishedMove(session);
    if (before === requireKnown(before, name, schema)) return;
    await inTransaction(session, { begin: BEGIN_MIGRATION, end: () => 'COMMIT', withinMs: MIGRATION_MS }, async () => {
      const version = await presentVersion(session, name, MIGRATION_MS);
      const target = requireKnown(version, name, schema);
      if (version === target) return;
      await migrateSchema(session, { name, schema, version });
    });
  });
}

/** Makes a store that is not there, in the transaction of the session. */
export async function makeSchema(session: Session, name: string, schema: PostgresSchema): Promise<void> {
  await migrateSchema(session, { name, schema, version: 0 });
}

async function migrateSchema(
  session: Session,
  { name, schema, version }: { readonly name: string; readonly schema: PostgresSchema; readonly version: number },
): Promise<void> {
  await session.script(`${OWN_SCHEMA}; CREATE SCHEMA IF NOT EXISTS "${name}"; SET LOCAL search_path TO "${name}"`);
  await session.script(migrationsAfter(version, schema), MIGRATION_MS);
  await session.script(
    `INSERT INTO meta (name, value) VALUES ('schema_version', '${targetVersion(schema)}')
       ON CONFLICT (name) DO UPDATE SET value = excluded.value;
     INSERT INTO fossick.stores (name) VALUES ('${name}') ON CONFLICT DO NOTHING`,
  );
}

/** @throws AppError `storage.version-mismatch` when a store is not of this program's version */
export async function requirePresentSchema(session: Session, name: string, schema: PostgresSchema): Promise<void> {
  const version = await presentVersion(session, name);
  const target = requireKnown(version, name, schema);
  if (version === target) return;
  const message = `${name} has version ${version}, this program has ${target}: start the product once, which moves it forward, and stop it`;
  throw new AppError('storage.version-mismatch', message);
}

/** Whether an installation has been made in the database. */
export async function holdsStores(session: Session): Promise<boolean> {
  return (await presentVersion(session, SYSTEM_STORE)) > 0;
}

/** Deletes a store with all that it holds. */
export async function dropSchema(connections: Connections, name: string): Promise<void> {
  await connections.use((session) =>
    inTransaction(
      session,
      { begin: `BEGIN; SELECT pg_advisory_xact_lock(${lockOf(name)})`, end: () => 'COMMIT' },
      async () => {
        await session.script(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
        if (await isThere(session, { schema: 'fossick', table: NEWEST_TABLE })) {
          await session.script(
            `DELETE FROM fossick.stores WHERE name = '${name}'; DELETE FROM fossick.projections WHERE store = '${name}'`,
          );
        }
      },
    ),
  );
}

/** 0: there is no such store. `withinMs`: the first statement behind a lock that may be waited for. */
async function presentVersion(session: Session, name: string, withinMs?: number): Promise<number> {
  if (!(await isThere(session, { schema: name, table: 'meta' }, withinMs))) return 0;
  const [version] = await session.script(`SELECT value FROM "${name}".meta WHERE name = 'schema_version'`);
  return Number(version?.rows[0]?.value ?? 0);
}

/** Read as rows are: the names that a connection remembers may be of before it waited for a lock. */
async function isThere(
  session: Session,
  { schema, table }: { readonly schema: string; readonly table: string },
  withinMs?: number,
): Promise<boolean> {
  const named = `SELECT 1 FROM pg_tables WHERE schemaname = '${schema}' AND tablename = '${table}'`;
  const [found] = await session.script(named, withinMs);
  return found?.rowCount === 1;
}

function requireKnown(version: number, name: string, schema: PostgresSchema): number {
  const target = targetVersion(schema);
  if (version <= target) return target;
  const kind = name === SYSTEM_STORE ? 'system' : 'engine';
  const message = `The ${kind} store has version ${version}, this program knows ${target}: start the newer program, or restore a backup`;
  throw new AppError('storage.version-mismatch', message);
}
