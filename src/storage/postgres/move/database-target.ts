import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../observability/logger.ts';
import { type MovedStore, type MoveTarget, nameOfStore } from '../../move/store-tables.ts';
import { openConnections, type Session } from '../connections.ts';
import { dropSchema, engineSchema, makeSchema, OWN_SCHEMA, requireServer, SYSTEM_STORE, schemaOf } from '../schemas.ts';
import { inTransaction, lockOf } from '../transactions.ts';
import { isMoveUnfinished, MOVE_TABLE } from './move-mark.ts';
import { newPostgresStore } from './postgres-tables.ts';

const INSTALLATION = 'installation';
/** One transaction a store, as long as that takes. */
const SETTINGS = `SET LOCAL statement_timeout TO 0; SET LOCAL idle_in_transaction_session_timeout TO 0;
  SET LOCAL jit TO off`;

/**
 * A database that takes the stores of an installation, each in one transaction: a store is there whole, or not at all.
 * The table `fossick.move` keeps programs off until all are.
 *
 * @throws AppError `storage.unavailable` when the server cannot be reached or refuses, `storage.version-mismatch` when it
 *   is too old
 */
export async function openDatabaseTarget({
  url,
  log,
}: {
  readonly url: string;
  readonly log: Log;
}): Promise<MoveTarget> {
  await using stack = new AsyncDisposableStack();
  const connections = stack.use(await openConnections({ url, max: 1, log }));
  await requireServer(connections);
  const owned = stack.move();
  return {
    begin: async (installation) =>
      connections.use(async (session) => {
        const begin = `BEGIN; SELECT pg_advisory_xact_lock(${lockOf('fossick')})`;
        const { result } = await inTransaction(session, { begin, end: () => 'COMMIT' }, async () => {
          if (!(await isMoveUnfinished(session))) await takeDatabase(session, installation);
          return await readMoved(session, installation);
        });
        return result;
      }),
    // The server's disk is not seen from here; one that is full ends the transaction of a store.
    requireRoom: async () => undefined,
    fill: (store, work) =>
      connections.use(async (session) => {
        const schema = schemaNameOf(store);
        const begin = `BEGIN; ${SETTINGS}; SELECT pg_advisory_xact_lock(${lockOf(schema)})`;
        await inTransaction(session, { begin, end: () => 'COMMIT' }, async () => {
          await session.script(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
          await makeSchema(session, schema, schemaOf(store.kind));
          await session.script(`DELETE FROM "${schema}".meta WHERE name <> 'schema_version'`);
          const digests = await work(newPostgresStore(session, schema));
          await session.ask(
            `INSERT INTO ${MOVE_TABLE} (name, value) VALUES ($1, $2)
               ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
            [nameOfStore(store), digests],
          );
        });
      }),
    finish: async (stores) => {
      const kept = new Set(stores.map(nameOfStore));
      const moved = await connections.use(readNames);
      for (const name of moved) {
        const engineId = Number(/^engine (\d+)$/.exec(name)?.[1]);
        if (engineId > 0 && !kept.has(name)) await dropSchema(connections, engineSchema(engineId));
      }
      await connections.use((session) => session.script(`DROP TABLE ${MOVE_TABLE}`));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function schemaNameOf(store: MovedStore): string {
  return store.kind === 'system' ? SYSTEM_STORE : engineSchema(store.engineId);
}

/** Marks the database. @throws AppError `record.conflict` when it holds an installation */
async function takeDatabase(session: Session, installation: string): Promise<void> {
  const [found] = await session.script("SELECT count(*) AS n FROM pg_tables WHERE schemaname ~ '^fossick_'");
  if (Number(found?.rows[0]?.n) > 0) {
    const message = 'The database holds an installation already, which a move does not replace: name an empty one';
    throw new AppError('record.conflict', message);
  }
  await session.script(`${OWN_SCHEMA}; CREATE TABLE ${MOVE_TABLE} (name text PRIMARY KEY, value text NOT NULL)`);
  await session.ask(`INSERT INTO ${MOVE_TABLE} (name, value) VALUES ($1, $2)`, [INSTALLATION, installation]);
}

/** @throws AppError `record.conflict` when another installation is being moved to the database */
async function readMoved(session: Session, installation: string): Promise<ReadonlyMap<string, string>> {
  const [found] = await session.script(`SELECT name, value FROM ${MOVE_TABLE}`);
  const moved = new Map(found?.rows.map(({ name, value }) => [String(name), String(value)]));
  if (moved.get(INSTALLATION) !== installation) {
    const message =
      'A move of another installation to this database was broken off: finish it, or name an empty database';
    throw new AppError('record.conflict', message);
  }
  moved.delete(INSTALLATION);
  return moved;
}

async function readNames(session: Session): Promise<readonly string[]> {
  const [found] = await session.script(`SELECT name FROM ${MOVE_TABLE}`);
  return found?.rows.map(({ name }) => String(name)) ?? [];
}
