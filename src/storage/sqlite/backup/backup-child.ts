import { type SentError, toSentError } from '../write-messages.ts';
import { type BackupInput, type BackupProgress, type WrittenBackup, writeBackup } from './write-backup.ts';

/** Entry of the process that writes one backup: a large copy takes no time and no memory from what serves visitors. */

/** To the child, once. */
export type BackupRequest = Pick<BackupInput, 'dataDir' | 'file' | 'product' | 'withSecrets'>;

/** From the child. */
export type BackupReply =
  | { readonly type: 'progress'; readonly progress: BackupProgress }
  | { readonly type: 'done'; readonly written: WrittenBackup }
  | { readonly type: 'failed'; readonly error: SentError };

const ending = new AbortController();
const end = () => ending.abort();
// Ctrl-C at a terminal reaches this process, too.
process.on('SIGINT', end);
process.on('SIGTERM', end);
// Nobody waits for the archive any more.
process.on('disconnect', end);

process.once('message', async (request: BackupRequest) => {
  process.umask(0o077);
  const reply = await write(request).catch(
    (error: unknown): BackupReply => ({ type: 'failed', error: toSentError(error) }),
  );
  if (process.connected) process.send?.(reply, () => process.disconnect());
});

async function write(request: BackupRequest): Promise<BackupReply> {
  const written = await writeBackup({
    ...request,
    now: Date.now,
    signal: ending.signal,
    onProgress: (progress) => tell({ type: 'progress', progress }),
  });
  return { type: 'done', written };
}

function tell(reply: BackupReply): void {
  if (process.connected) process.send?.(reply);
}
