import type { Hold, HostProbe } from '../host-content-store.ts';
import { engineSql } from './dialects.ts';
import { suspendHost } from './hosts.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

export const probeStatements = {
  note: statement<{ id: number; probe: string; at: number }>((p) =>
    engineSql
      .updateTable('hosts')
      .set({ probe: p.probe })
      .where('id', '=', p.id)
      .where((row) => row.or([row('believed_until', 'is', null), row('believed_until', '<=', p.at)])),
  ),
};

type NotedProbe = { readonly hostId: number; readonly probe: HostProbe; readonly hold: Hold | undefined };

/** Write operation. */
export function noteProbe(db: SqliteDatabase, { hostId, probe, hold }: NotedProbe): boolean {
  const values = { id: hostId, probe: JSON.stringify(probe), at: probe.at };
  if (db.runOf(probeStatements.note, values).changes === 0) return false;
  if (hold !== undefined) suspendHost(db, hostId, hold);
  return true;
}
