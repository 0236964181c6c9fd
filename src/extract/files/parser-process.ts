import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FileExtraction } from '../extraction.ts';
import type { FileKind } from '../formats.ts';
import type { Picture } from './ocr/recognize-picture.ts';
import type { FilePart, FileReaders } from './readers.ts';

/** V8's heap; the limit of the whole process is the pool's, which asks the kernel. */
const HEAP_MB = 384;
const PAGE_BYTES = 4_096;
const UNSHARE = '/usr/bin/unshare';

/**
 * Starts a parser child: no environment, no writes, processes, workers or addons, reads of program files only, no
 * network modules, and a network namespace of its own where the kernel gives one. Resolves when it is ready.
 */
export async function startParserProcess(): Promise<ChildProcess> {
  const args = [...(await isolationArguments()), fileURLToPath(new URL('./parser-child.ts', import.meta.url))];
  const command = await isolated({ path: process.execPath, args });
  const child = spawn(command.path, command.args, {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', (message: ChildMessage) => {
      if (message.type === 'ready') resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('A parser child ended before it was ready')));
  });
  return child;
}

type Command = { readonly path: string; readonly args: readonly string[] };

/** A command in a network namespace of its own, where the kernel gives one. */
export async function isolated({ path, args }: Command): Promise<Command> {
  if (!(await canUnshare())) return { path, args };
  return { path: UNSHARE, args: ['--user', '--map-root-user', '--net', path, ...args] };
}

/** Resident memory of a process in bytes; 0 where the kernel does not tell, or when it is gone. */
export async function residentBytes(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform !== 'linux') return 0;
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) * PAGE_BYTES;
}

/** A tick of the CPU times in `/proc` (proc(5), USER_HZ), which the kernel rounds down to. */
const TICK_MS = 10;
/** Of `utime` and `stime` in `/proc/<pid>/stat`, behind the name of the program, which may hold anything. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** CPU time of a process with all of its threads; undefined where the kernel does not tell, or when it is gone. */
export async function cpuMsOf(pid: number | undefined): Promise<number | undefined> {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MS;
}

/** Node's arguments that close files, processes, addons and network to what runs under them. */
export async function isolationArguments(): Promise<readonly string[]> {
  const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const folders = await Promise.all([file('../..'), packageFolder()].map((path) => realpath(path)));
  // The packages also by the path that resolution asks for, which may be a link.
  const readable = [
    ...folders.map((path) => `${path}/*`),
    file('../../../node_modules/*'),
    file('../../../package.json'),
  ];
  return [
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--disable-warning=ExperimentalWarning',
    `--max-old-space-size=${HEAP_MB}`,
    '--import',
    file('./no-network.ts'),
  ];
}

/** The folder that holds the parsers' packages, links resolved. */
function packageFolder(): string {
  const path = fileURLToPath(import.meta.resolve('pdf-parse'));
  const mark = '/node_modules/';
  return path.slice(0, path.lastIndexOf(mark) + mark.length - 1);
}

let unshares: Promise<boolean> | undefined;

function canUnshare(): Promise<boolean> {
  unshares ??= new Promise((resolve) => {
    execFile(UNSHARE, ['--user', '--map-root-user', '--net', process.execPath, '--version'], (error) =>
      resolve(error === null),
    );
  });
  return unshares;
}

/** Messages between the pool and a child; a child of another version is a fault of the installation. */
export const PARSER_PROTOCOL = 5;

export type ParseMessage = {
  readonly version: number;
  readonly type: 'parse';
  readonly kind: FileKind;
  readonly reader: keyof FileReaders;
  readonly bytes: Uint8Array;
  /** Pages that another reader has read: this one begins behind them. */
  readonly pagesBefore: number;
  /** Pages that may be sent as pictures, to be read. */
  readonly picturePages: number;
};
/** The answer to a picture; lines are undefined when it could not be read. */
export type RecognizedMessage = {
  readonly version: number;
  readonly type: 'recognized';
  readonly lines: readonly string[] | undefined;
};
export type ChildMessage =
  | { readonly version: number; readonly type: 'ready' }
  /** The reader is there, and begins; the child has taken so much CPU time before. */
  | { readonly version: number; readonly type: 'loaded'; readonly cpuMs: number }
  /** Pages that were read; the result has them again, put together with all others. */
  | { readonly version: number; readonly type: 'part'; readonly part: FilePart }
  /** A page without text, to be read; the child waits. */
  | { readonly version: number; readonly type: 'picture'; readonly picture: Picture }
  | { readonly version: number; readonly type: 'result'; readonly result: FileExtraction };
