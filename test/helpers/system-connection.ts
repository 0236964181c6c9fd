import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SystemConnection } from '../../src/storage/sql/connection.ts';
import { openForReading } from '../../src/storage/sql/sqlite-database.ts';
import { storePath } from '../../src/storage/sql/store-path.ts';
import { startWriteThread } from '../../src/storage/sql/write-thread.ts';

/** An empty `system.db` in a folder of its own, with its write thread; both go when it is disposed. */
export async function openSystemConnection(): Promise<SystemConnection & AsyncDisposable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fossick-system-'));
  const thread = startWriteThread(dataDir);
  await thread.open({ kind: 'system' });
  const read = openForReading(storePath(dataDir, { kind: 'system' }));
  return {
    read,
    write: thread.system,
    [Symbol.asyncDispose]: async () => {
      read.close();
      await thread[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}
