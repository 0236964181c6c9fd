import { AppError, type ErrorCode, toAppError } from '../core/errors.ts';

/** Statuses with which Fastify and its plugins refuse a request, as codes of the one table. */
const REFUSALS: ReadonlyMap<unknown, readonly [code: ErrorCode, message: string]> = new Map([
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
  const refusal = REFUSALS.get(status) ?? (isRefusal ? REFUSALS.get(400) : undefined);
  if (refusal === undefined) return toAppError(error);
  const [code, message] = refusal;
  return new AppError(code, message, { cause: error });
}
