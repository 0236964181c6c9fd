import type { FetchLimits, FetchPurpose, SpoolFile } from '../fetcher.ts';
import type { Deadline } from './deadline.ts';
import { tooLarge, unavailable } from './failure.ts';
import { isFileBody, SNIFF_BYTES } from './file-body.ts';
import { inflate } from './inflate.ts';
import { spoolBody } from './spool.ts';

/** Slowest accepted transfer (reliability: limits on what is fetched). */
const RATE_WINDOW_MS = 10_000;
const RATE_WINDOW_BYTES = 10 * 1024;

export type BodySource = {
  readonly wire: AsyncIterable<Uint8Array>;
  readonly contentEncoding: string;
  /** On the wire; undefined when the server did not say. */
  readonly contentLength: number | undefined;
  /** Without parameters, lower case. */
  readonly mediaType: string;
  readonly purpose: FetchPurpose;
  readonly limits: FetchLimits;
  readonly spoolFolder: string;
  readonly deadline: Deadline;
};

export type ReadBody = {
  readonly body: Uint8Array | SpoolFile;
  readonly wireBytes: number;
  readonly bodyBytes: number;
};

/** Reads a body to its end: a page into memory, a file or sitemap into the spool folder. */
export async function readBody(source: BodySource): Promise<ReadBody> {
  const { limits, purpose } = source;
  const mayBeFile = purpose === 'page' || purpose === 'file' || purpose === 'sitemap';
  const isCut = purpose === 'robots';
  const limitBytes = mayBeFile || isCut ? Math.max(limits.fileBytes, limits.pageBytes) : limits.pageBytes;
  // What is this long on the wire is longer still when it is decoded.
  if (!isCut && (source.contentLength ?? 0) > limitBytes) throw tooLarge('too-large');
  const received = { bytes: 0 };
  const decoded = inflate(paced(source.wire, received), source.contentEncoding, limitBytes);
  const head = await takeHead(decoded);
  if (purpose === 'sitemap' || (mayBeFile && isFileBody(head, source.mediaType))) {
    source.deadline.extend();
    const body = await spoolBody(source.spoolFolder, limited(head, decoded, limits.fileBytes));
    return { body, wireBytes: received.bytes, bodyBytes: body.bytes };
  }
  const chunks: Uint8Array[] = [];
  const bound = isCut ? cutAt : limited;
  for await (const chunk of bound(head, decoded, limits.pageBytes)) chunks.push(chunk);
  const body = joined(chunks);
  return { body, wireBytes: received.bytes, bodyBytes: body.length };
}

async function takeHead(decoded: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < SNIFF_BYTES; ) {
    const { value, done } = await decoded.next();
    if (done === true) break;
    size += value.length;
    chunks.push(value);
  }
  return joined(chunks);
}

/** Most pages come in one piece, which is not copied. */
function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

async function* limited(head: Uint8Array, rest: AsyncGenerator<Uint8Array>, limitBytes: number) {
  let size = head.length;
  if (size > limitBytes) {
    await rest.return(undefined);
    throw tooLarge('too-large');
  }
  yield head;
  for await (const chunk of rest) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge('too-large');
    yield chunk;
  }
}

/** The beginning is the body; nothing of the rest is read. */
async function* cutAt(head: Uint8Array, rest: AsyncGenerator<Uint8Array>, limitBytes: number) {
  yield head.subarray(0, limitBytes);
  let size = head.length;
  while (size < limitBytes) {
    const { value, done } = await rest.next();
    if (done === true) return;
    yield value.subarray(0, limitBytes - size);
    size += value.length;
  }
  await rest.return(undefined);
}

/** Counts what arrives, and ends a transfer that is too slow. Pauses longer than the window are the pool's to end. */
async function* paced(wire: AsyncIterable<Uint8Array>, received: { bytes: number }): AsyncGenerator<Uint8Array> {
  let windowStart = performance.now();
  let windowBytes = 0;
  for await (const chunk of wire) {
    received.bytes += chunk.length;
    windowBytes += chunk.length;
    if (performance.now() - windowStart >= RATE_WINDOW_MS) {
      if (windowBytes < RATE_WINDOW_BYTES) throw unavailable('timeout');
      windowStart = performance.now();
      windowBytes = 0;
    }
    yield chunk;
  }
}
