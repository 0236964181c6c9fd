import type { SystemStore } from '../system-store.ts';
import { accountStore } from './accounts.ts';
import { backupStore } from './backups.ts';
import { clockStore } from './clock-jumps.ts';
import type { SystemConnection } from './connection.ts';
import { contentGapStore } from './content-gaps.ts';
import { conversationStore } from './conversations.ts';
import { goldenQuestionStore } from './golden-questions.ts';
import { hostHoldStore } from './host-holds.ts';
import { readIdentity } from './identity.ts';
import { leaseStore } from './leases.ts';
import { readMeta } from './meta.ts';
import { openStoreFile } from './open-store.ts';
import { popularQueryStore } from './popular-queries.ts';
import { statisticsStore } from './statistics.ts';
import { toolStore } from './tools.ts';
import { trackingStore } from './tracking.ts';
import type { WriteThread } from './write-thread.ts';

/** Opens `system.db`, made and migrated when needed. Closing it leaves the write thread open: the caller owns that. */
export async function openSystemStore(options: {
  readonly dataDir: string;
  readonly writeThread: WriteThread;
}): Promise<SystemStore> {
  const read = await openStoreFile(options, { kind: 'system' });
  const connection: SystemConnection = { read, write: options.writeThread.system };
  return {
    ...accountStore(connection),
    ...leaseStore(connection),
    ...backupStore(connection),
    ...clockStore(connection),
    ...toolStore(connection),
    ...trackingStore(connection),
    ...popularQueryStore(connection),
    ...statisticsStore(connection),
    ...conversationStore(connection),
    ...contentGapStore(connection),
    ...goldenQuestionStore(connection),
    ...hostHoldStore(connection),
    identity: async () => readIdentity(read),
    startEpoch: () => connection.write('startEpoch', undefined),
    // The write thread has a connection of its own, so `data_version` counts its commits like those of other processes.
    changeToken: () => read.dataVersion(),
    rememberOnce: async (name, make) =>
      readMeta(read, name) ?? connection.write('rememberOnce', { name, value: make() }),
    [Symbol.asyncDispose]: async () => read.close(),
  };
}
