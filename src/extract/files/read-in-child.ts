import type { ChildProcess } from 'node:child_process';
import type { ExtractionStatus, FileExtraction } from '../extraction.ts';
import { unreadFile, withinTextLimit } from './file-status.ts';
import type { Picture, RecognizePicture } from './ocr/recognize-picture.ts';
import {
  type ChildMessage,
  cpuMsOf,
  PARSER_PROTOCOL,
  type ParseMessage,
  type RecognizedMessage,
  residentBytes,
} from './parser-process.ts';
import type { FilePart } from './readers.ts';

/** What a reader takes, from where it begins; wall time where the kernel tells no CPU time. */
export type ReadingTime = { readonly cpuMs: number; readonly wallMs: number };

export type Attempt = Omit<ParseMessage, 'version' | 'type' | 'pagesBefore'> & {
  readonly signal: AbortSignal;
  /** What the reader may take: by whether it has brought pages. */
  readonly limitOf: (hasPages: boolean) => ReadingTime;
  readonly memoryMb: number;
  /** Reads pages that are pictures, beyond the time of the reader. */
  readonly recognize: RecognizePicture;
  /** What another reader has read: this one begins behind it. */
  readonly before: readonly FilePart[];
};

export type ReadInChild = {
  readonly file: FileExtraction;
  /** Why its child is gone; undefined when it has ended by itself. */
  readonly killed: KillStatus | undefined;
  /** Of this reader and the one before it, when it was killed. */
  readonly parts: readonly FilePart[];
  readonly taken: ReadingTime;
};

/** An inflating bomb grows 0.9 MB per ms: asked every 50 ms it ends at 540 to 600 MB, every 250 ms at 680. */
const POLL_MS = 50;

/** A reader is loaded in less than a second, on a machine that has time. */
const LOADING_MS = 60_000;

const SENTENCES: Readonly<Record<KillStatus, string>> = {
  'timed-out': 'The file took too long to read',
  'out-of-memory': 'The file needs too much memory',
  crashed: 'The file broke its reader',
};
type KillStatus = Extract<ExtractionStatus, 'timed-out' | 'out-of-memory' | 'crashed'>;

/**
 * One file in a child. A child over a limit, dead or aborted is killed, and the pages that it has sent are the file;
 * the caller gives back every other. Rejects by the signal only.
 */
export async function readInChild(child: ChildProcess, attempt: Attempt): Promise<ReadInChild> {
  const { signal, limitOf, memoryMb, recognize, before, ...work } = attempt;
  const outcome = Promise.withResolvers<FileExtraction | KillStatus>();
  const parts = [...before];
  const clock = readingClock(child.pid);
  const stop = (status: KillStatus) => {
    outcome.resolve(status);
    child.kill('SIGKILL');
  };
  const onMessage = (message: ChildMessage) => {
    if (message.version !== PARSER_PROTOCOL) return;
    if (message.type === 'result') outcome.resolve(message.result);
    if (message.type === 'part') parts.push(message.part);
    if (message.type === 'loaded') clock.begin(message.cpuMs);
    if (message.type === 'picture') void answerPicture(message.picture);
  };
  const answerPicture = async (picture: Picture) => {
    clock.pause();
    const lines = await recognize(picture, signal);
    clock.goOn();
    tell(child, { version: PARSER_PROTOCOL, type: 'recognized', lines }, stop);
  };
  const onExit = () => stop('crashed');
  const onAbort = () => {
    outcome.reject(signal.reason);
    child.kill('SIGKILL');
  };
  const watch = setInterval(async () => {
    if ((await residentBytes(child.pid)) > memoryMb * 1024 * 1024) stop('out-of-memory');
    if (await clock.isOver(limitOf(parts.length > before.length))) stop('timed-out');
  }, POLL_MS);
  child.on('message', onMessage).once('exit', onExit).once('error', onExit);
  signal.addEventListener('abort', onAbort);
  try {
    child.ref();
    if (signal.aborted) onAbort();
    else {
      const message = {
        version: PARSER_PROTOCOL,
        type: 'parse',
        ...work,
        pagesBefore: before.at(-1)?.page ?? 0,
      } as const;
      tell(child, message, stop);
    }
    const ended = await outcome.promise;
    const taken = clock.taken();
    if (typeof ended !== 'string') return { file: continued(before, ended), killed: undefined, parts: before, taken };
    return { file: truncated(parts, unreadFile(ended, SENTENCES[ended])), killed: ended, parts, taken };
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
    child.off('message', onMessage).off('exit', onExit).off('error', onExit);
  }
}

function tell(
  child: ChildProcess,
  message: ParseMessage | RecognizedMessage,
  stop: (status: KillStatus) => void,
): void {
  child.send(message, (error) => {
    if (error !== null) stop('crashed');
  });
}

/** The time of a reader from where it is loaded: until then nothing of the file is read. It stands while the reader waits. */
function readingClock(pid: number | undefined) {
  const startedAt = performance.now();
  let beganAt: number | undefined;
  let cpuMsBefore = 0;
  let cpuMs = 0;
  let pausedAt: number | undefined;
  let pausedMs = 0;
  const taken = (): ReadingTime => {
    const now = pausedAt ?? performance.now();
    return { cpuMs, wallMs: now - (beganAt ?? now) - pausedMs };
  };
  return {
    taken,
    begin(cpuMsOfChild: number) {
      beganAt ??= performance.now();
      cpuMsBefore = cpuMsOfChild;
    },
    pause() {
      pausedAt = performance.now();
    },
    goOn() {
      pausedMs += performance.now() - (pausedAt ?? performance.now());
      pausedAt = undefined;
    },
    async isOver(limit: ReadingTime): Promise<boolean> {
      if (beganAt === undefined) return performance.now() - startedAt > LOADING_MS;
      const total = process.platform === 'linux' ? await cpuMsOf(pid) : cpuMsBefore + taken().wallMs;
      // A child that is gone tells no time any more.
      if (total !== undefined) cpuMs = Math.max(0, total - cpuMsBefore);
      return cpuMs > limit.cpuMs || taken().wallMs > limit.wallMs;
    },
  };
}

/** The pages that were read, with where they end and why; `unread` without any. */
function truncated(parts: readonly FilePart[], unread: FileExtraction): FileExtraction {
  const { blocks, links, properties, pageCount } = joinParts(parts);
  if (blocks.length === 0) return unread;
  const pages = pageCount === undefined ? '' : ` of ${pageCount}`;
  const cut = `truncated at page ${parts.at(-1)?.page}${pages} (${unread.status})`;
  return withinTextLimit({ ...unreadFile('ok', ''), blocks, links, properties, pageCount, cuts: [cut] });
}

const READ: ReadonlySet<ExtractionStatus> = new Set(['ok', 'empty', 'over-limit']);

/** A file whose first pages another reader has read. */
function continued(before: readonly FilePart[], rest: FileExtraction): FileExtraction {
  const first = joinParts(before);
  if (first.blocks.length === 0) return rest;
  if (!READ.has(rest.status)) return truncated(before, rest);
  const status = rest.status === 'empty' ? ({ status: 'ok', reason: '' } as const) : {};
  const blocks = [...first.blocks, ...rest.blocks];
  const properties = { ...rest.properties, ...first.properties };
  return withinTextLimit({ ...rest, ...status, properties, blocks, links: [...first.links, ...rest.links] });
}

function joinParts(parts: readonly FilePart[]) {
  const { properties = {}, pageCount } = parts[0] ?? {};
  const blocks = parts.flatMap((part) => part.blocks);
  return { blocks, links: parts.flatMap(({ links }) => links), properties, pageCount };
}
