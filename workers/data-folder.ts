import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockInstallation } from '../src/compose/process-lock.ts';
import type { Log } from '../src/observability/logger.ts';

/** A start writes less than this before it can serve: shared memory of the stores, locks, the list of processes. */
const PROBE_BYTES = 256 * 1024;

export type DataFolder = Disposable & {
  readonly path: string;
  /** Why nothing can be stored, in a sentence with what to do; searches of what is there can be served. */
  readonly problem: string | undefined;
};

/**
 * Makes the data folder and takes the right to run everything on it, until it is disposed. A folder of an installation
 * that is full or read-only is taken as it is.
 * @throws Error that says what to do when there is nothing to serve either, or another product runs on it
 */
export function openDataFolder(configured: string, log: Log): DataFolder {
  const path = resolve(configured);
  const hasStores = existsSync(join(path, 'system.db'));
  const fault = tryToWrite(path);
  if (fault !== undefined && (!hasStores || !isReadable(path))) throw unusable(path, fault);
  const problem = fault === undefined ? undefined : sentenceOf(path, fault);
  if (problem !== undefined) log.error({ err: fault, folder: path }, 'nothing can be stored, searches are served');
  const lock = problem === undefined ? lockInstallation(path) : lockIfPossible(path, log);
  return { path, problem, [Symbol.dispose]: () => lock?.[Symbol.dispose]() };
}

function tryToWrite(path: string): NodeJS.ErrnoException | undefined {
  const probe = join(path, `.probe-${process.pid}`);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    writeFileSync(probe, new Uint8Array(PROBE_BYTES));
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    remove(probe);
  }
}

function remove(probe: string): void {
  try {
    rmSync(probe, { force: true });
  } catch {
    // Where it cannot be removed it could not be made.
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function unusable(path: string, cause: NodeJS.ErrnoException): Error {
  const advice = isFull(cause) ? 'make room on its disk' : 'set DATA_DIR to a folder that you may write';
  return new Error(`${path} cannot be used (${cause.code}): ${advice}`, { cause });
}

function isFull({ code }: NodeJS.ErrnoException): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code ?? '');
}

function sentenceOf(path: string, fault: NodeJS.ErrnoException): string {
  const how = isFull(fault)
    ? `the disk of ${path} is full: make room (du -xh --max-depth=2 ${path})`
    : `${path} cannot be written (${fault.code}): mount it for writing, or give this user the right`;
  return `${how}. Searches are answered; nothing is stored, crawled or indexed until then, and no restart is needed`;
}

/** On a read-only disk there may be no lock to take, and two who only read do each other no harm. */
function lockIfPossible(path: string, log: Log): Disposable | undefined {
  try {
    return lockInstallation(path);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'storage.full') throw err;
    log.warn({ err }, 'the data folder cannot be locked');
    return undefined;
  }
}
