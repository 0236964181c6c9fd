import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { EngineTables, SystemTables } from './tables.ts';

/** Builds statements only: they run synchronously on a `SqliteDatabase`, on the thread that owns the connection. */
function sqlBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

export const systemSql = sqlBuilder<SystemTables>();
export const engineSql = sqlBuilder<EngineTables>();
