import type { LeaseStore } from '../lease-store.ts';
import type { SystemConnection } from './connection.ts';
import { systemSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

type TakeLease = { readonly name: string; readonly holder: string; readonly now: number; readonly until: number };

/** Write operation: true when the holder has the lease afterwards. */
export function takeLease(db: SqliteDatabase, { name, holder, now, until }: TakeLease): boolean {
  const taken = systemSql
    .insertInto('leases')
    .values({ name, holder, until })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, until })
        .where((row) => row.or([row('leases.holder', '=', holder), row('leases.until', '<=', now)])),
    );
  return db.run(taken.compile()).changes > 0;
}

/** Write operation. */
export function giveLease(db: SqliteDatabase, { name, holder }: { name: string; holder: string }): void {
  db.run(systemSql.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).compile());
}

export function leaseStore({ read, write }: SystemConnection): LeaseStore {
  return {
    takeLease: (name, holder, now, until) => write('takeLease', { name, holder, now, until }),
    giveLease: (name, holder) => write('giveLease', { name, holder }),
    leaseHolder: async (name, now) => {
      const lease = systemSql.selectFrom('leases').select('holder').where('name', '=', name).where('until', '>', now);
      return read.first(lease.compile())?.holder;
    },
  };
}
