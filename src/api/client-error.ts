import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

const STATUS_BY_CODE: ReadonlyMap<string, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Answers what is no HTTP request with the one error body and closes the connection. Contract: 1.7. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = STATUS_BY_CODE.get(error.code ?? '') ?? 400;
  const status = STATUS_CODES[code] ?? 'Error';
  const requestId = randomUUID();
  const message = `The request cannot be read: ${status}`;
  const messages = [message, `Support reference: ${requestId}`];
  const body = JSON.stringify({ message, status, code, messages, requestId, ...(code === 400 && { errors: [] }) });
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
