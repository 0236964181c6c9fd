import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { syncFolder } from '../sync-folder.ts';

/** `move.json` in a data folder says that an installation is being moved there; nothing else may open the stores then. */
const MOVE_MARK = 'move.json';

const MARK = z.object({
  /** The `store_id` of the system store that is moved. */
  installation: z.string(),
  /** Digests of the stores that are whole, by name. */
  moved: z.record(z.string(), z.string()),
});

export type MoveMark = z.infer<typeof MARK>;

export function readMoveMark(dataDir: string): MoveMark | undefined {
  try {
    return MARK.parse(JSON.parse(readFileSync(join(dataDir, MOVE_MARK), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new AppError('internal', `${MOVE_MARK} in the data folder cannot be read`, { cause: error });
  }
}

/** Durable when it resolves. */
export async function setMoveMark(dataDir: string, mark: MoveMark): Promise<void> {
  const path = join(dataDir, MOVE_MARK);
  await writeFile(`${path}.tmp`, `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.tmp`, path);
  await syncFolder(dataDir);
}

export async function dropMoveMark(dataDir: string): Promise<void> {
  await rm(join(dataDir, MOVE_MARK));
  await syncFolder(dataDir);
}

/** @throws AppError `request.invalid` that says how to go on when a move to the folder was ended in its middle */
export function requireFinishedMove(dataDir: string): void {
  if (readMoveMark(dataDir) === undefined) return;
  const message = `An installation is being moved to this data folder, or that was broken off: run it to its end with fossick move --to files, or remove ${MOVE_MARK}, system.db and engines/*/store.db`;
  throw new AppError('request.invalid', message);
}
