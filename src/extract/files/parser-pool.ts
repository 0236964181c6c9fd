import { createSemaphore } from '../../core/semaphore.ts';
import type { ExtractionStatus, ParseFile } from '../extraction.ts';
import { createParserChildren } from './parser-children.ts';
import { type Attempt, isKilled, readInChild } from './read-in-child.ts';
import { READERS } from './readers.ts';

export type ParserPoolOptions = {
  /** Children at most (`PARSER_PROCESSES`, 2). */
  readonly processes: number;
  /** Of one file with both of its tries, from where a reader begins (`PARSER_TIMEOUT_MS`, 20,000). */
  readonly timeoutMs: number;
  /** Resident memory of a child while it reads a file (`PARSER_MEMORY_MB`, 512). */
  readonly memoryMb: number;
};

export type ParserPool = AsyncDisposable & {
  readonly parseFile: ParseFile;
  /** Children that were killed over a limit or died, by status; a file may cost two. */
  readonly kills: ReadonlyMap<ExtractionStatus, number>;
};

/** Of the time of a file, for its readers: the rest is for the end of a child that is killed. */
const READING_SHARE = 0.95;
/** Of that, for its first reader where there is another one: what is left must do for that. */
const FIRST_TRY_SHARE = 0.6;

/**
 * Reads files in children, one file at a time each, killed over a limit. A file whose reader was killed or died is
 * tried once more with the other reader of its format, if there is one, in what is left of its time. `parseFile`
 * rejects by its signal only. Dispose it to end the children.
 */
export function createParserPool({ processes, timeoutMs, memoryMb }: ParserPoolOptions): ParserPool {
  const semaphore = createSemaphore(processes);
  const children = createParserChildren();
  const kills = new Map<ExtractionStatus, number>();

  const attempt = async (work: Attempt) => {
    const taken = await children.take();
    try {
      const result = await readInChild(taken.child, work);
      const { status } = result.file;
      if (!isKilled(result.file)) await children.giveBack(taken);
      else kills.set(status, (kills.get(status) ?? 0) + 1);
      return result;
    } finally {
      children.letGo(taken);
    }
  };

  return {
    kills,
    async parseFile(bytes, kind, signal) {
      using _permit = await semaphore.acquire(signal);
      const work = { bytes, kind, signal, memoryMb };
      const hasFallback = READERS[kind].fallback !== undefined;
      const readingMs = timeoutMs * READING_SHARE;
      const firstMs = hasFallback ? readingMs * FIRST_TRY_SHARE : readingMs;
      const first = await attempt({ ...work, reader: 'first', leftMs: () => firstMs });
      if (!hasFallback || !isKilled(first.file)) return first.file;
      // The start of another child counts too.
      const leftMs = () => Math.max(0, first.beganAt + readingMs - performance.now());
      const { file } = await attempt({ ...work, reader: 'fallback', leftMs });
      return { ...file, notes: [...file.notes, `first reader: ${first.file.status}`] };
    },
    [Symbol.asyncDispose]: () => children[Symbol.asyncDispose](),
  };
}
