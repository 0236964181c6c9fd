import type { ChildProcess } from 'node:child_process';
import { createSemaphore } from '../../core/concurrency.ts';
import type { ExtractionStatus, ParseFile } from '../extraction.ts';
import type { RecognizePicture } from './ocr/recognize-picture.ts';
import { residentBytes, startParserProcess } from './parser-process.ts';
import { type Attempt, type ReadingTime, readInChild } from './read-in-child.ts';
import { READERS } from './readers.ts';

export type ParserPoolOptions = {
  /** Children at most (`PARSER_PROCESSES`, 2). */
  readonly processes: number;
  /** CPU time of one file with both of its tries, from where a reader begins (`PARSER_TIMEOUT_MS`, 20,000). */
  readonly timeoutMs: number;
  /** Resident memory of a child while it reads a file (`PARSER_MEMORY_MB`, 512). */
  readonly memoryMb: number;
  /** Reads pages that are pictures, as many of a file as `pages`; undefined = they stay pictures. */
  readonly ocr?: { readonly recognize: RecognizePicture; readonly pages: number } | undefined;
};

export type ParserPool = AsyncDisposable & {
  readonly parseFile: ParseFile;
  /** Children that were killed over a limit or died, by status; a file may cost two. */
  readonly kills: ReadonlyMap<ExtractionStatus, number>;
};

const NO_OCR: NonNullable<ParserPoolOptions['ocr']> = { recognize: () => Promise.resolve(undefined), pages: 0 };

/** Of the time of a file, for a first reader that brings no page, where there is another one. */
const FIRST_TRY_SHARE = 0.6;
/** Wall time for each CPU time: a child that sleeps, or gets no processor, ends too. */
const WALL_FACTOR = 10;

/**
 * Reads files in children, one file at a time each, killed over a limit; the pages that were read until then are kept.
 * A file whose reader was killed or died is read on by the other reader of its format, if there is one, in what is left
 * of its time: from its beginning where the first one brought no page. `parseFile` rejects by its signal only. Dispose
 * it to end the children.
 */
export function createParserPool({ processes, timeoutMs, memoryMb, ocr = NO_OCR }: ParserPoolOptions): ParserPool {
  const semaphore = createSemaphore(processes);
  const children = createParserChildren();
  const kills = new Map<ExtractionStatus, number>();

  const attempt = async (work: Attempt) => {
    const taken = await children.take();
    try {
      const result = await readInChild(taken.child, work);
      const { killed } = result;
      if (killed === undefined) await children.giveBack(taken);
      else kills.set(killed, (kills.get(killed) ?? 0) + 1);
      return result;
    } finally {
      children.letGo(taken);
    }
  };

  return {
    kills,
    async parseFile(bytes, kind, signal) {
      using _permit = await semaphore.acquire(signal);
      const work = { bytes, kind, signal, memoryMb, picturePages: ocr.pages, recognize: ocr.recognize };
      const hasFallback = READERS[kind].fallback !== undefined;
      const limitOf = (hasPages: boolean) => share(timeoutMs, hasFallback && !hasPages ? FIRST_TRY_SHARE : 1);
      const first = await attempt({ ...work, reader: 'first', limitOf, before: [] });
      const left = leftOf(timeoutMs, first.taken);
      if (!hasFallback || first.killed === undefined || left === undefined) return first.file;
      const second = await attempt({ ...work, reader: 'fallback', limitOf: () => left, before: first.parts });
      return { ...second.file, notes: [...second.file.notes, `first reader: ${first.killed}`] };
    },
    [Symbol.asyncDispose]: () => children[Symbol.asyncDispose](),
  };
}

function share(timeoutMs: number, ratio: number): ReadingTime {
  return { cpuMs: timeoutMs * ratio, wallMs: timeoutMs * ratio * WALL_FACTOR };
}

/** Undefined when a first reader has taken all of the time. */
function leftOf(timeoutMs: number, taken: ReadingTime): ReadingTime | undefined {
  const whole = share(timeoutMs, 1);
  const left = { cpuMs: whole.cpuMs - taken.cpuMs, wallMs: whole.wallMs - taken.wallMs };
  return left.cpuMs > 0 && left.wallMs > 0 ? left : undefined;
}

const IDLE_MS = 60_000;
const FILES_PER_CHILD = 200;
const LEFT_OVER_BYTES = 256 * 1024 * 1024;

/** A child in use. `files` it has read so far. */
export type TakenChild = { readonly child: ChildProcess; readonly files: number };

export type ParserChildren = AsyncDisposable & {
  /** One that waits for work, else a new one. Caller gives it back, or lets it go when it has ended. */
  readonly take: () => Promise<TakenChild>;
  readonly giveBack: (taken: TakenChild) => Promise<void>;
  readonly letGo: (taken: TakenChild) => void;
};

/**
 * Children that read files: started on first use, ended after 60 s without work, replaced after 200 files or when a
 * file left more than 256 MiB resident. Dispose it to end all of them.
 */
function createParserChildren(): ParserChildren {
  const idle: (TakenChild & { readonly timer: NodeJS.Timeout })[] = [];
  const taken = new Set<ChildProcess>();

  const takeIdle = () => {
    for (let held = idle.pop(); held !== undefined; held = idle.pop()) {
      clearTimeout(held.timer);
      if (held.child.connected) return { child: held.child, files: held.files };
    }
    return undefined;
  };
  const keep = ({ child, files }: TakenChild) => {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((held) => held.child === child),
        1,
      );
      child.kill('SIGKILL');
    }, IDLE_MS);
    timer.unref();
    child.unref();
    idle.push({ child, files, timer });
  };
  return {
    async take() {
      const held = takeIdle() ?? { child: await startParserProcess(), files: 0 };
      taken.add(held.child);
      return held;
    },
    async giveBack({ child, files }) {
      const isWorn = files + 1 >= FILES_PER_CHILD || (await residentBytes(child.pid)) > LEFT_OVER_BYTES;
      taken.delete(child);
      if (isWorn) child.kill('SIGKILL');
      else keep({ child, files: files + 1 });
    },
    letGo({ child }) {
      taken.delete(child);
    },
    async [Symbol.asyncDispose]() {
      const children = [...taken, ...idle.map(({ child }) => child)];
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all(children.map(endChild));
    },
  };
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
