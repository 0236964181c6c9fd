import type { Lease, LeaseStore, TakeLease } from '../../installation-store.ts';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { systemSql } from '../statement.ts';
import type { SystemConnection } from '../write-thread.ts';

/** Write operation: true when the holder has the lease afterwards. */
export function takeLease(db: SqliteDatabase, { name, holder, at, over }: TakeLease): boolean {
  const taken = systemSql
    .insertInto('leases')
    .values({ name, holder, beats: 1, renewed_at: at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((row) => ({ holder, beats: row('leases.beats', '+', 1), renewed_at: at }))
        .where((row) => {
          const isOwn = row('leases.holder', '=', holder);
          if (over === undefined) return isOwn;
          return row.or([
            isOwn,
            row.and([row('leases.holder', '=', over.holder), row('leases.beats', '=', over.beats)]),
          ]);
        }),
    );
  return db.run(taken.compile()).changes > 0;
}

/** Write operation. */
export function giveLease(db: SqliteDatabase, { name, holder }: { name: string; holder: string }): void {
  db.run(systemSql.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).compile());
}

export function leaseStore({ read, write }: SystemConnection): LeaseStore {
  return {
    takeLease: (input) => write('takeLease', input),
    giveLease: (name, holder) => write('giveLease', { name, holder }),
    findLease: async (name): Promise<Lease | undefined> => {
      const lease = systemSql
        .selectFrom('leases')
        .select(['holder', 'beats', 'renewed_at as renewedAt'])
        .where('name', '=', name);
      return read.first(lease.compile());
    },
  };
}
