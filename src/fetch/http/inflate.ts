import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { tooLarge, unavailable } from './failure.ts';

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
export function inflate(
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
  const { bytes: head, ended } = await takeHead(source);
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

async function takeHead(source: AsyncIterator<Uint8Array>): Promise<{ bytes: Uint8Array; ended: boolean }> {
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
