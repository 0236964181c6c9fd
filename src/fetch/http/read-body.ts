import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { FetchLimits, FetchPurpose, SpoolFile } from '../fetcher.ts';
import { spoolBody } from './create-file-spool.ts';
import { tooLarge, unavailable } from './failure.ts';

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
  const head = await takeDecodedHead(decoded);
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

async function takeDecodedHead(decoded: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
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

/** Layers of `Content-Encoding`, inflated size to wire size, and where the ratio begins to count (reliability 9). */
const MAX_LAYERS = 2;
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 1024 * 1024;
/** Bodies up to this size are inflated at once: a stream costs more than they take. */
const SYNC_WIRE_BYTES = 64 * 1024;

type Coding = 'gzip' | 'deflate' | 'deflate-raw' | 'br' | 'zstd';

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

/**
 * Decodes a body as its header says, outermost layer first; one without coding is as it is, of any size. Stops with `too-large` beyond `limitBytes`, with `bomb` at
 * more than 200 times the bytes received, `truncated` at an early end, `bad-encoding` at what cannot be decoded.
 */
function inflate(
  wire: AsyncGenerator<Uint8Array>,
  contentEncoding: string,
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  const codings = codingsOf(contentEncoding);
  return codings.length === 0 ? wire : decode(wire, codings, limitBytes);
}

async function* decode(
  source: AsyncGenerator<Uint8Array>,
  codings: readonly Coding[],
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  const { bytes: head, ended } = await takeWireHead(source);
  if (ended) {
    if (head.length > 0) yield inflateAtOnce(head, withRawDeflate(codings, head), limitBytes);
    return;
  }
  const received = { bytes: 0 };
  const decoded = through(countFrom(head, source, received), withRawDeflate(codings, head));
  let size = 0;
  for await (const chunk of decoded) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge('too-large');
    if (size > RATIO_FROM_BYTES && size > received.bytes * MAX_RATIO) throw tooLarge('bomb');
    yield chunk;
  }
}

function codingsOf(contentEncoding: string): readonly Coding[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const codings = names.map((name) => CODINGS.get(name)).filter((coding) => coding !== undefined);
  if (codings.length !== names.length || codings.length > MAX_LAYERS) throw unavailable('bad-encoding');
  return codings.reverse();
}

/** Some servers send bare deflate under the name of zlib's format (RFC 1950 section 2.2 tells them apart). */
function withRawDeflate(codings: readonly Coding[], head: Uint8Array): readonly Coding[] {
  const [first = 0, second = 0] = head;
  const isZlib = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
  return codings.map((coding, layer) => (layer === 0 && coding === 'deflate' && !isZlib ? 'deflate-raw' : coding));
}

async function takeWireHead(source: AsyncIterator<Uint8Array>): Promise<{ bytes: Uint8Array; ended: boolean }> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= SYNC_WIRE_BYTES; ) {
    const { value, done } = await source.next();
    if (done === true) return { bytes: Buffer.concat(chunks), ended: true };
    size += value.length;
    chunks.push(value);
  }
  return { bytes: Buffer.concat(chunks), ended: false };
}

const AT_ONCE: Readonly<Record<Coding, (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  'deflate-raw': zlib.inflateRawSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
};

function inflateAtOnce(body: Uint8Array, codings: readonly Coding[], limitBytes: number): Uint8Array {
  const ratioBytes = Math.max(RATIO_FROM_BYTES, body.length * MAX_RATIO);
  const maxOutputLength = Math.min(limitBytes, ratioBytes);
  let bytes = body;
  for (const coding of codings) {
    try {
      bytes = AT_ONCE[coding](bytes, { maxOutputLength });
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limitBytes <= ratioBytes ? 'too-large' : 'bomb');
      throw undecodable(error);
    }
  }
  return bytes;
}

async function* countFrom(
  head: Uint8Array,
  source: AsyncIterator<Uint8Array>,
  received: { bytes: number },
): AsyncGenerator<Uint8Array> {
  received.bytes = head.length;
  try {
    if (head.length > 0) yield head;
    for (let step = await source.next(); step.done !== true; step = await source.next()) {
      received.bytes += step.value.length;
      yield step.value;
    }
  } finally {
    await source.return?.();
  }
}

const OPEN: Readonly<Record<Coding, () => Transform>> = {
  gzip: zlib.createGunzip,
  deflate: zlib.createInflate,
  'deflate-raw': zlib.createInflateRaw,
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress,
};

async function* through(source: AsyncIterable<Uint8Array>, codings: readonly Coding[]): AsyncGenerator<Uint8Array> {
  const transforms = codings.map((coding) => OPEN[coding]());
  // The error of any stage also ends the last one, where the loop below meets it.
  const last = pipeline([Readable.from(source, { objectMode: false }), ...transforms], () => {});
  try {
    yield* last as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw isZlibError(error) ? undecodable(error) : error;
  }
}

function undecodable(error: unknown): Error {
  return unavailable(codeOf(error) === 'Z_BUF_ERROR' ? 'truncated' : 'bad-encoding', error);
}

function isZlibError(error: unknown): boolean {
  return /^(?:Z_|ERR_(?:_?BROTLI|_?ERROR|ZSTD)|ZSTD_|ERR_PADDING)/.test(codeOf(error)) || 'errno' in Object(error);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown })?.code ?? '');
}

/** Decoded bytes that must be there before a body can be told apart: `%PDF-` may stand anywhere in them. */
const SNIFF_BYTES = 1_024;

const MAGIC = [
  [0x50, 0x4b, 0x03, 0x04], // zip: office documents, EPUB
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], // OLE: older office documents
  [0x7b, 0x5c, 0x72, 0x74, 0x66], // {\rtf
] as const;

const FILE_TYPES =
  /^application\/(?:pdf|msword|rtf|epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-))/;
const UNREAD_TYPES = /^(?:image|audio|video|font)\//;

/** True for what a parser outside of this process reads. Bytes win over the media type: error pages call themselves PDF. */
function isFileBody(head: Uint8Array, mediaType: string): boolean {
  if (MAGIC.some((magic) => magic.every((byte, at) => head[at] === byte))) return true;
  if (startsLikeMarkup(head)) return false;
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES));
  return start.includes('%PDF-') || FILE_TYPES.test(mediaType);
}

/** True for media types without text. SVG has some, but nobody searches it. */
export function isUnreadType(mediaType: string): boolean {
  return UNREAD_TYPES.test(mediaType);
}

function startsLikeMarkup(head: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(head.subarray(0, 256)).toString('latin1'));
}

export type Deadline = Disposable & {
  /** Aborted with a `fetch.unavailable` of reason `timeout`, or `shutdown` when the caller's signal was first. */
  readonly signal: AbortSignal;
  /** From now on the longer time of a file holds. */
  extend(): void;
};

/** Time limit of a whole fetch, counted from now. */
export function startDeadline(
  caller: AbortSignal,
  times: { readonly pageMs: number; readonly fileMs: number },
): Deadline {
  const controller = new AbortController();
  const page = AbortSignal.timeout(times.pageMs);
  const file = AbortSignal.timeout(times.fileMs);
  const onTimeout = () => controller.abort(unavailable('timeout'));
  const onCaller = () => controller.abort(unavailable('shutdown', caller.reason));
  page.addEventListener('abort', onTimeout);
  file.addEventListener('abort', onTimeout);
  caller.addEventListener('abort', onCaller);
  if (caller.aborted) onCaller();
  return {
    signal: controller.signal,
    extend: () => page.removeEventListener('abort', onTimeout),
    [Symbol.dispose]() {
      page.removeEventListener('abort', onTimeout);
      file.removeEventListener('abort', onTimeout);
      caller.removeEventListener('abort', onCaller);
    },
  };
}
