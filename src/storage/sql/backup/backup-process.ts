import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { AppError } from '../../../core/errors.ts';
import { fromSentError } from '../write-messages.ts';
import type { BackupReply, BackupRequest } from './backup-child.ts';
import { type BackupProgress, unfinishedFiles, type WrittenBackup } from './write-backup.ts';

/** Below what serves visitors. */
const LOW_PRIORITY = 10;

/**
 * Writes a backup in a process of its own, which has a lower priority and ends with this one.
 * @throws as `writeBackup`, and AppError `internal` when that process was killed
 */
export async function backupInProcess(
  request: BackupRequest,
  onProgress: (progress: BackupProgress) => void,
  signal: AbortSignal,
): Promise<WrittenBackup> {
  signal.throwIfAborted();
  const child = fork(new URL('./backup-child.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  let reply: Exclude<BackupReply, { type: 'progress' }> | undefined;
  child.on('message', (message: BackupReply) => {
    if (message.type === 'progress') onProgress(message.progress);
    else reply = message;
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, killedBy) => resolve(String(killedBy ?? code)));
  });
  lowerPriority(child.pid);
  child.send(request);
  const how = await ended;
  signal.removeEventListener('abort', stop);
  if (reply?.type === 'done') return reply.written;
  if (child.pid !== undefined) {
    for (const path of unfinishedFiles(request.file, child.pid)) await rm(path, { force: true });
  }
  if (reply !== undefined) throw fromSentError(reply.error);
  throw new AppError('internal', `The process that wrote the backup ended (${how}): start it again`);
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended already, or the system forbids it: then it takes its share of the processor like everybody else.
  }
}
