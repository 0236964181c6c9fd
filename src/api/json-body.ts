import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError, invalidRequest } from '../core/errors.ts';
import { quoted } from './error-body.ts';
import type { BodyMode } from './route-table.ts';
import type { ApiSettings } from './settings.ts';

export type BodyLimits = Pick<ApiSettings, 'maxBodyBytes' | 'maxDocumentsBytes'>;

const MAX_DEPTH = 64;
const JSON_TYPES: readonly string[] = ['application/json', 'text/plain', ''];
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Bodies of trackers that mean "none". Contract: 6.2. */
const NOTHING: readonly string[] = ['', 'undefined', 'null'];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ARRAY_OPENS = 0x5b;
const ARRAY_ENDS = 0x5d;
const OBJECT_OPENS = 0x7b;
const OBJECT_ENDS = 0x7d;

/**
 * The value of a request body, undefined where the mode allows none. Of a form it is the JSON in
 * `Params`, for tracking also an object of the members (text, or a list of texts when repeated). Contract: 1.4, 6.2.
 *
 * @throws AppError `request.too-large`, `request.unsupported-type`, `request.invalid`
 */
export async function readJsonBody(message: IncomingMessage, mode: BodyMode, limits: BodyLimits): Promise<unknown> {
  if (mode === 'none') return undefined;
  const bytes = await readBody(message, mode === 'large-json' ? limits.maxDocumentsBytes : limits.maxBodyBytes);
  // After the body: its size is judged before its type (1.1).
  const type = mediaType(message);
  if (type === FORM_TYPE) return parseForm(decodeText(bytes), mode);
  const json = decodeText(bytes);
  const text = json.trim();
  if (text === '' && mode === 'optional-json') return undefined;
  if (mode === 'tracking' && NOTHING.includes(text)) return undefined;
  if (text === '') throw invalid('The body is empty, it must be JSON');
  if (type !== 'application/json' && !text.startsWith('{') && !text.startsWith('[')) {
    throw invalid('A body without the content type application/json must be a JSON object or array');
  }
  if (isTooDeep(bytes)) throw invalid(`The body may be nested ${MAX_DEPTH} levels deep at most`);
  return parseJson(json);
}

/** Parses strict JSON text of the caller; lone surrogates become U+FFFD. @throws AppError `request.invalid` */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(withoutLoneSurrogates(text));
  } catch (cause) {
    throw new AppError('request.invalid', 'The body is not valid JSON', {
      problems: [{ path: '', message: 'The body is not valid JSON' }],
      cause,
    });
  }
}

/** Whether arrays and objects nest deeper than 64. A scan of the bytes, strings skipped, before anything recurses. */
export function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) i = endOfString(bytes, i);
    else if (byte === ARRAY_OPENS || byte === OBJECT_OPENS) depth++;
    else if (byte === ARRAY_ENDS || byte === OBJECT_ENDS) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end >= 0 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end < 0 ? bytes.length : end;
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/** Every escape of a JSON text: a surrogate pair (kept), one half of a pair (replaced), anything else (kept). */
const ESCAPE = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/gs;
const HALF_ESCAPE_LENGTH = 6;

function withoutLoneSurrogates(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text;
  return text.replace(ESCAPE, (found) => (found.length === HALF_ESCAPE_LENGTH ? '\\ufffd' : found));
}

function mediaType(message: IncomingMessage): string {
  const type = (message.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (JSON_TYPES.includes(type) || type === FORM_TYPE) return type;
  throw new AppError(
    'request.unsupported-type',
    `The content type ${quoted(type)} is not accepted, use application/json`,
  );
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('The body is not valid UTF-8');
  }
}

/** Also what a client sends that leaves the type of its JSON to a default, as curl does. */
const NO_FORM =
  'A form must have the one member Params with JSON text; JSON needs the header Content-Type: application/json';

function parseForm(text: string, mode: BodyMode): unknown {
  const form = new URLSearchParams(text);
  const names = [...new Set(form.keys())];
  const [name = ''] = names;
  if (names.length === 1 && name.toLowerCase() === 'params') {
    const json = form.getAll(name).at(-1) ?? '';
    if (isTooDeep(Buffer.from(json))) throw invalid(`The body may be nested ${MAX_DEPTH} levels deep at most`);
    return parseJson(json);
  }
  if (mode !== 'tracking') throw invalid(NO_FORM);
  if (names.length === 0) return undefined;
  const values = (member: string) => (form.getAll(member).length > 1 ? form.getAll(member) : form.get(member));
  return Object.fromEntries(names.map((member) => [member, values(member)]));
}

function invalid(message: string): AppError {
  return invalidRequest([{ path: '', message }]);
}

/** A body slower than this over one window closes the connection. */
const SLOWEST_BYTES_PER_WINDOW = 10 * 1024;
const WINDOW_MS = 10_000;

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * The decoded bytes of a request body; `limitBytes` counts decoded bytes and holds while they stream in. The
 * connection stays usable for the answer; a body below 10 KiB per window of `windowMs` loses it. Contract: 1.4, 1.9.
 *
 * @throws AppError `request.too-large`, `request.unsupported-type` (content encoding), `request.invalid`
 */
export function readBody(message: IncomingMessage, limitBytes: number, windowMs = WINDOW_MS): Promise<Buffer> {
  const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const createDecoder = DECODERS.get(encoding);
  const declared = Number(message.headers['content-length'] ?? 0);
  if (createDecoder === undefined && declared > limitBytes) throw tooLarge(limitBytes);
  if (createDecoder === undefined && encoding !== 'identity' && encoding !== '') {
    throw new AppError(
      'request.unsupported-type',
      `The content encoding ${quoted(encoding)} is not accepted, use gzip, deflate or br`,
    );
  }
  return collect(message, createDecoder?.(), { limitBytes, windowMs });
}

type Limits = { readonly limitBytes: number; readonly windowMs: number };

function collect(message: IncomingMessage, decoder: Transform | undefined, limits: Limits): Promise<Buffer> {
  const { limitBytes, windowMs } = limits;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let sentBytes = 0;
  const source = decoder ?? message;
  const watch = watchPace(message, windowMs, () => sentBytes);

  // Listeners instead of a pipeline: a pipeline would destroy the socket that the error is to be answered on.
  const stop = (settle: () => void) => {
    clearInterval(watch);
    message.off('data', count);
    source.off('data', keep);
    if (decoder !== undefined) {
      message.unpipe(decoder);
      decoder.destroy();
    }
    message.resume();
    settle();
  };
  const count = (chunk: Buffer) => {
    sentBytes += chunk.length;
  };
  const keep = (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) stop(() => reject(tooLarge(limitBytes)));
    else chunks.push(chunk);
  };
  message.on('data', count);
  source.on('data', keep);
  source.once('end', () => stop(() => resolve(Buffer.concat(chunks))));
  message.once('error', (cause) => stop(() => reject(broken('The body ended early', cause))));
  message.once('close', () => {
    // A body that came whole may still be in the decoder.
    if (!message.readableEnded) stop(() => reject(broken('The body ended early')));
  });
  decoder?.on('error', (cause) => {
    const empty = sentBytes === 0 && message.complete;
    stop(() =>
      empty ? resolve(Buffer.alloc(0)) : reject(broken('The body does not fit its content encoding', cause)),
    );
  });
  if (decoder !== undefined) message.pipe(decoder);
  return promise;
}

function watchPace(message: IncomingMessage, windowMs: number, sentBytes: () => number): NodeJS.Timeout {
  let before = 0;
  const watch = setInterval(() => {
    if (!message.complete && sentBytes() - before < SLOWEST_BYTES_PER_WINDOW) message.destroy();
    before = sentBytes();
  }, windowMs);
  return watch.unref();
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('request.too-large', `The body may have at most ${limitBytes} bytes`);
}

function broken(text: string, cause?: unknown): AppError {
  const error = invalidRequest([{ path: '', message: text }]);
  return cause === undefined ? error : new AppError(error.code, error.message, { ...error.options, cause });
}
