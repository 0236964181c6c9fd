import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** A place for data that can be made to take no writes while processes run on it. */
export type FullDisk = AsyncDisposable & {
  readonly path: string;
  /** Goes before the command of a process that is started while the disk is full. */
  readonly wrapper: readonly string[];
  fill(pids: Iterable<number>): void;
  makeRoom(pids: Iterable<number>): void;
};

/**
 * Processes that may enlarge no file, for any user. The system calls it EFBIG instead of a full disk, and also takes
 * no write inside of a file.
 */
export async function limitedFiles(): Promise<FullDisk> {
  const folder = await temporaryFolder();
  const limit = (bytes: string) => (pids: Iterable<number>) => {
    for (const pid of pids) run('prlimit', '--pid', String(pid), `--fsize=${bytes}:`);
  };
  return {
    path: folder.path,
    wrapper: ['sh', '-c', 'ulimit -S -f 0; exec "$@"', 'sh'],
    fill: limit('0'),
    makeRoom: limit('unlimited'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** A file system of 256 MB, filled to the last byte. Needs the right to mount: root, or `unshare -rm`. */
export async function smallFileSystem(): Promise<FullDisk> {
  const { path, unmount } = await mounted();
  const ballast = join(path, 'ballast');
  return {
    path,
    wrapper: [],
    fill: () => fillUp(ballast),
    makeRoom: () => rmSync(ballast, { force: true }),
    [Symbol.asyncDispose]: unmount,
  };
}

/** Read-only while it is "full". */
export async function readOnlyFileSystem(): Promise<FullDisk> {
  const { path, unmount } = await mounted();
  return {
    path,
    wrapper: [],
    fill: () => run('mount', '-o', 'remount,ro', path),
    makeRoom: () => run('mount', '-o', 'remount,rw', path),
    [Symbol.asyncDispose]: unmount,
  };
}

async function mounted() {
  const disk = await emptyDisk(256);
  return { path: disk.path, unmount: () => disk[Symbol.asyncDispose]() };
}

/** A file system of its own with so much room. Needs the right to mount. */
export async function emptyDisk(megabytes: number): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await temporaryFolder();
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder.path);
  return {
    path: folder.path,
    [Symbol.asyncDispose]: async () => {
      run('umount', '--lazy', folder.path);
      await folder[Symbol.asyncDispose]();
    },
  };
}

function fillUp(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (let bytes = 2 ** 20; bytes >= 1; ) if (!append(file, bytes)) bytes /= 2;
  } finally {
    closeSync(file);
  }
}

function append(file: number, bytes: number): boolean {
  try {
    return writeSync(file, new Uint8Array(bytes)) > 0;
  } catch {
    return false;
  }
}

function run(program: string, ...words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, words);
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`);
}

/** The process and its children. */
export function familyOf(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid)];
}

/** The child that runs the file of a role, as its command line tells; the list of processes needs a disk. */
export function childRunning(pid: number, file: string): number | undefined {
  return childrenOf(pid).find((child) => readProc(child, 'cmdline').includes(file));
}

function childrenOf(pid: number): readonly number[] {
  return readProc(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Empty for a process that has ended. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
