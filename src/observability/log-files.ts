import { hash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Of one file; the one before it is kept beside it. */
const MOST_BYTES = 1024 * 1024;
/** Containers have a name of their own at each start. */
const MOST_FILES = 40;
const FILE = '.log';
const OLD_FILE = '.log.old';

/** Below the data folder. */
export function logFolder(dataDir: string): string {
  return join(dataDir, 'logs');
}

export type LogFile = { write(line: string): void };

/**
 * The lines of one process below the data folder, for who looks at the log without the terminal or the journal: two
 * megabytes at most. Nothing depends on it: a line that cannot be written is lost, and no folder is made that the data
 * folder is not there for.
 */
export function openLogFile(folder: string, name: string): LogFile {
  // Without the pid that some names end in: a role goes on in the file of its start before.
  const path = join(folder, `${name.replace(/\.\d+$/, '').replaceAll(/[^\w.-]/g, '_')}${FILE}`);
  let file: { readonly descriptor: number; bytes: number } | undefined;
  return {
    write: (line) => {
      try {
        file ??= openFor(path);
        file.bytes += writeSync(file.descriptor, line);
        if (file.bytes < MOST_BYTES) return;
        closeSync(file.descriptor);
        file = undefined;
        renameSync(path, path.replace(/\.log$/, OLD_FILE));
      } catch {
        file = undefined;
      }
    },
  };
}

function openFor(path: string) {
  const folder = dirname(path);
  mkdirSync(folder, { mode: 0o700, recursive: statSync(dirname(folder)).isDirectory() });
  dropOldest(folder);
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, bytes: fstatSync(descriptor).size };
}

function dropOldest(folder: string): void {
  const files = readdirSync(folder).map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  const dropped = files.toSorted((a, b) => b.at - a.at).slice(MOST_FILES);
  for (const { name } of dropped) rmSync(join(folder, name), { force: true });
}

/** From the least to the most serious, with the number that a line has for it. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 } as const;
export const SHOWN_LEVELS = Object.keys(LEVELS) as readonly (keyof typeof LEVELS)[];
export type ShownLevel = keyof typeof LEVELS;

export type LogLine = {
  /** Grows with the time. */
  readonly id: string;
  readonly at: number;
  readonly level: ShownLevel;
  /** `api`, `crawl-1` */
  readonly process: string;
  readonly message: string;
  /** Its other members. */
  readonly detail: Readonly<Record<string, unknown>>;
};

export type LogQuery = {
  /** The least serious. */
  readonly level: ShownLevel;
  /** Beginning of the name of the process. */
  readonly process: string | undefined;
  /** Part of the line, whatever its case. */
  readonly text: string | undefined;
  /** The id behind which it goes on; undefined: the newest lines. */
  readonly after: string | undefined;
  readonly limit: number;
};

/** Of each file. */
const TAIL_BYTES = 256 * 1024;

/** The last lines of all processes, oldest first. Reads 256 KiB of each file at most. */
export async function readLogTail(folder: string, query: LogQuery): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(FILE) && !name.endsWith(OLD_FILE)) continue;
    for (const text of (await readTail(join(folder, name))).split('\n')) {
      const line = lineOf(text);
      if (line !== undefined && isWanted(line, text, query)) lines.push(line);
    }
    await yieldToEventLoop();
  }
  lines.sort((a, b) => (a.id < b.id ? -1 : 1));
  return query.after === undefined ? lines.slice(-query.limit) : lines.slice(0, query.limit);
}

/** The end of a file from its first whole line on; `''` when it cannot be read. */
async function readTail(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
    const text = buffer.toString('utf8', 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } catch {
    return '';
  }
}

const TIME_DIGITS = 15;
const DIGEST_CHARS = 8;

/** Undefined for what is no line of ours. */
function lineOf(text: string): LogLine | undefined {
  try {
    const { level, time, process, msg, pid: _, ...detail } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const name = SHOWN_LEVELS.findLast((shown) => LEVELS[shown] <= Number(level));
    if (name === undefined || typeof time !== 'number') return undefined;
    const id = `${String(time).padStart(TIME_DIGITS, '0')}-${hash('sha256', text).slice(0, DIGEST_CHARS)}`;
    return { id, at: time, level: name, process: String(process), message: String(msg ?? ''), detail };
  } catch {
    return undefined;
  }
}

function isWanted(line: LogLine, text: string, { level, process, text: part, after }: LogQuery): boolean {
  return (
    LEVELS[line.level] >= LEVELS[level] &&
    (process === undefined || line.process.startsWith(process)) &&
    (part === undefined || text.toLowerCase().includes(part.toLowerCase())) &&
    (after === undefined || line.id > after)
  );
}
