import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { AppError, ERROR_POLICY, type ErrorCode, policyOf, toAppError } from '../core/errors.ts';
import type { Shown } from './openapi/json-schema.ts';

const ERROR_CODES = Object.keys(ERROR_POLICY) as [ErrorCode, ...ErrorCode[]];

/** The one body of every error status. Contract: 1.7. */
export const ERROR_BODY = z
  .object({
    message: z.string().describe('The first of the faults, or what is wrong, in one sentence.'),
    status: z.string().describe('The words of the HTTP status.'),
    code: z.int().describe('The HTTP status.'),
    messages: z.array(z.string()),
    requestId: z.string().describe('The header X-Request-Id, and what the log of the operator names.'),
    errorCode: z.enum(ERROR_CODES).describe('Stable; a released code is never reused.'),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('For status 400: all faults of the request, at most 100.'),
  })
  .meta({ id: 'Error' });
export type ErrorBody = Shown<typeof ERROR_BODY>;

/** Server faults show the table's text, never their own message. */
export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { status: code, text } = policyOf(error.code);
  const message = text ?? error.message;
  const messages = [message, `Support reference: ${requestId}`];
  const problems = code === 400 ? { errors: error.options.problems ?? [] } : {};
  return {
    message,
    status: STATUS_CODES[code] ?? 'Error',
    code,
    messages,
    requestId,
    errorCode: error.code,
    ...problems,
  };
}

/** Text of the caller as a message may repeat it: at most 100 characters. */
export function quoted(text: string): string {
  const chars = [...text];
  return JSON.stringify(chars.length <= 100 ? text : `${chars.slice(0, 99).join('')}…`);
}

/** Statuses with which Fastify and its plugins refuse a request, as codes of the one table. */
const FASTIFY_REFUSALS: ReadonlyMap<unknown, readonly [code: ErrorCode, message: string]> = new Map([
  [400, ['request.invalid', 'The request is not valid']],
  // A path that leaves its folder is answered like any other that leads to nothing.
  [403, ['route.not-found', 'There is nothing at this path']],
  [404, ['route.not-found', 'There is nothing at this path']],
  [412, ['request.precondition-failed', 'The file does not meet the conditions of the request']],
  [413, ['request.too-large', 'The request is too large']],
  [414, ['request.invalid', 'The path is too long']],
  [415, ['request.unsupported-type', 'The content type is not accepted']],
  [416, ['request.range-not-satisfiable', 'The file has no such range']],
]);

/**
 * What is thrown below the edge as an error of the table. Refusals of Fastify and its plugins are faults of the
 * request, those without a row too; a deadline that has passed has an error of its own.
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new AppError('search.timeout', 'The search took too long', { cause: error });
  }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  const isRefusal = typeof status === 'number' && status >= 400 && status < 500;
  const refusal = FASTIFY_REFUSALS.get(status) ?? (isRefusal ? FASTIFY_REFUSALS.get(400) : undefined);
  if (refusal === undefined) return toAppError(error);
  const [code, message] = refusal;
  return new AppError(code, message, { cause: error });
}

type Refusal = { readonly code: number; readonly errorCode: ErrorCode };

/** By the code of Node's error. */
const PARSER_REFUSALS: ReadonlyMap<string, Refusal> = new Map([
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
  const { code, errorCode } = PARSER_REFUSALS.get(error.code ?? '') ?? UNREADABLE;
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
