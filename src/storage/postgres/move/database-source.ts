import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../observability/logger.ts';
import type { MovedStore, MoveSource } from '../../move/store-tables.ts';
import { openConnections, type Session } from '../connections.ts';
import { engineSchema, requirePresentSchema, requireServer, SYSTEM_STORE, schemaOf } from '../schemas.ts';
import { inTransaction } from '../transactions.ts';
import { requireFinishedMove } from './move-mark.ts';
import { postgresTables } from './postgres-tables.ts';

/** A store as of one instant, however long that takes; nothing can be written. */
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout TO 0;
  SET LOCAL idle_in_transaction_session_timeout TO 0; SET LOCAL jit TO off`;

/**
 * The stores of a database on which nothing runs; the user needs the right to read them, and none to write.
 *
 * @throws AppError `record.not-found` when there is no installation, `record.conflict` when something runs on it,
 *   `storage.version-mismatch` when a store is not of this program's version, and as `openConnections`
 */
export async function openDatabaseSource({
  url,
  log,
}: {
  readonly url: string;
  readonly log: Log;
}): Promise<MoveSource> {
  await using stack = new AsyncDisposableStack();
  const connections = stack.use(await openConnections({ url, max: 1, log }));
  await requireServer(connections);
  const changesBefore = await connections.use(async (session) => {
    await requireFinishedMove(session);
    await requireNobody(session);
    if ((await listSchemas(session)).includes(SYSTEM_STORE)) return await readChanges(session);
    throw new AppError('record.not-found', 'The database (DATABASE_URL) holds no installation: name the one that does');
  });
  const owned = stack.move();
  return {
    listStores: async () => {
      const names = await connections.use(listSchemas);
      const ids = names.flatMap((name) => /^fossick_engine_(\d+)$/.exec(name)?.slice(1).map(Number) ?? []);
      const engines = ids.sort((a, b) => a - b).map((engineId): MovedStore => ({ kind: 'engine', engineId }));
      return [{ kind: 'system' }, ...engines];
    },
    read: (store, work) =>
      connections.use(async (session) => {
        const schema = store.kind === 'system' ? SYSTEM_STORE : engineSchema(store.engineId);
        const { result } = await inTransaction(session, { begin: BEGIN, end: () => 'COMMIT' }, async () => {
          await requirePresentSchema(session, schema, schemaOf(store.kind));
          return await work(postgresTables(session, schema));
        });
        return result;
      }),
    sizeBytes: async () => {
      const [found] = await connections.use((session) =>
        session.script(
          `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes
             FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname ~ '^fossick_' AND c.relkind = 'r'`,
        ),
      );
      return Number(found?.rows[0]?.bytes);
    },
    requireUnchanged: async () => {
      if ((await connections.use(readChanges)) === changesBefore) return;
      const message =
        'Something wrote to the database (DATABASE_URL) during the move: stop what runs on it, on every machine, and run the move again';
      throw new AppError('record.conflict', message);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function listSchemas(session: Session): Promise<readonly string[]> {
  const [found] = await session.script(
    "SELECT schemaname FROM pg_tables WHERE tablename = 'meta' AND schemaname ~ '^fossick_(system|engine_[0-9]+)$'",
  );
  return found?.rows.map(({ schemaname }) => String(schemaname)) ?? [];
}

/** What grows with every write to a store. */
async function readChanges(session: Session): Promise<string> {
  const [found] = await session.script(
    "SELECT string_agg(name || ' ' || changes, ',' ORDER BY name) AS all FROM fossick.stores",
  );
  return String(found?.rows[0]?.all);
}

/** Every process of the product has a connection, on whatever machine it runs. @throws AppError `record.conflict` */
async function requireNobody(session: Session): Promise<void> {
  const [found] = await session.script(
    `SELECT count(*) AS n FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'fossick' AND pid <> pg_backend_pid()`,
  );
  const count = Number(found?.rows[0]?.n);
  if (count === 0) return;
  const message = `Fossick runs on the database (DATABASE_URL), with ${count} connections: stop it on every machine before a move`;
  throw new AppError('record.conflict', message);
}
