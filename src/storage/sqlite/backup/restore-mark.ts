import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';

/**
 * `restore.json` in a data folder says that a restore is under way, or was ended in its middle; nothing else may open
 * the stores then.
 */
export const RESTORE_MARK = 'restore.json';

const MARK = z.object({
  /** The archive. */
  file: z.string(),
  /** Folder below the data folder that takes what was there before; absent when nothing was. */
  keptIn: z.string().optional(),
  /**
   * `staging`: nothing is in its place yet. `setting-aside`: stores of before are being moved away. `placing`: what is
   * in its place is of the backup.
   */
  phase: z.enum(['staging', 'setting-aside', 'placing']),
});

export type RestoreMark = z.infer<typeof MARK>;

export function readRestoreMark(dataDir: string): RestoreMark | undefined {
  try {
    return MARK.parse(JSON.parse(readFileSync(join(dataDir, RESTORE_MARK), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new AppError('internal', `${RESTORE_MARK} in the data folder cannot be read`, { cause: error });
  }
}

/** @throws AppError `request.invalid` that says how to go on when a restore was ended in its middle */
export function requireFinishedRestore(dataDir: string): void {
  const mark = readRestoreMark(dataDir);
  if (mark === undefined) return;
  const message = `A restore of this data folder is under way or was broken off: run it to its end with fossick restore ${mark.file}`;
  throw new AppError('request.invalid', message);
}
