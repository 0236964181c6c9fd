import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/errors.ts';
import { isFailureReason } from '../../../src/crawl/rules/retry-policy.ts';
import { openFetcher, pageRequest } from '../../helpers/fetching.ts';

const ANSWERS = 150;
const LIMITS = { connectMs: 1_000, firstByteMs: 1_000, pageMs: 2_000, fileMs: 2_000 };

/** Pieces of HTTP, right and wrong. */
const PIECES = [
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 200\r\n',
  'HTTP/1.0 302 Found\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 999 What\r\n',
  'HTTP/9.9 200 OK\r\n',
  'content-length: 5\r\n',
  'content-length: 5, 6\r\n',
  'content-length: -1\r\n',
  'content-length: 99999999999999999999\r\n',
  'transfer-encoding: chunked\r\n',
  'transfer-encoding: gzip, chunked\r\n',
  'content-encoding: gzip\r\n',
  'content-encoding: gzip, br\r\n',
  'content-type: text/html; charset=utf-8\r\n',
  'content-type: \r\n',
  'location: /again\r\n',
  'location: //\r\n',
  'set-cookie: a=1; Path=/; Max-Age=x\r\n',
  'x: y\0z\r\n',
  ' folded\r\n',
  'no colon\r\n',
  '\r\n',
  '\r\n\r\n',
  '5\r\nhello\r\n',
  'fffffffff\r\n',
  '0\r\n\r\n',
  'hello',
  '<!doctype html><title>x</title>',
];

const answer = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...PIECES).map((text) => Buffer.from(text, 'latin1')), weight: 6 },
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 10 },
  )
  .map((parts) => Buffer.concat(parts));
const started = answer.map((rest) => Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n'), rest]));

test('whatever a server sends, a fetch ends with an answer or with a reason of its own', async () => {
  let bytes: Uint8Array = new Uint8Array(0);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using fetcher = await openFetcher();
  const outcomes = new Set<string>();
  try {
    await fc.assert(
      fc.asyncProperty(fc.oneof(answer, started, started), async (sent) => {
        bytes = sent;
        const outcome = await fetcher.fetch(pageRequest(`http://${host}/`, [host], { limits: LIMITS })).then(
          () => 'answer',
          (error: unknown) => (error instanceof AppError ? error.options.details?.['reason'] : error),
        );
        outcomes.add(String(outcome));
        expect(outcome === 'answer' || isFailureReason(outcome)).toBe(true);
      }),
      { numRuns: ANSWERS },
    );
  } finally {
    server.close();
  }
  // Not everything failed, and not in one way only.
  expect([...outcomes]).toEqual(expect.arrayContaining(['answer', 'protocol']));
});
