import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../core/errors.ts';

type Refusal = { readonly code: number; readonly errorCode: ErrorCode };

/** By the code of Node's error. */
const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  ['HPE_HEADER_OVERFLOW', { code: 431, errorCode: 'request.headers-too-large' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { code: 408, errorCode: 'request.too-slow' }],
]);
const UNREADABLE: Refusal = { code: 400, errorCode: 'request.invalid' };

/** Answers what is no HTTP request with the one error body and closes the connection. Contract: 1.7. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, errorCode } = REFUSALS.get(error.code ?? '') ?? UNREADABLE;
  const status = STATUS_CODES[code] ?? 'Error';
  const requestId = randomUUID();
  const message = `The request cannot be read: ${status}`;
  const messages = [message, `Support reference: ${requestId}`];
  const problems = code === 400 && { errors: [] };
  const body = JSON.stringify({ message, status, code, messages, requestId, errorCode, ...problems });
  socket.end(
    [
      `HTTP/1.1 ${code} ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
