import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError, invalidRequest } from '../core/errors.ts';
import { quoted } from './error-body.ts';

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
