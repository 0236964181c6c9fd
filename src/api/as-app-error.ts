import { AppError, toAppError } from '../core/errors.ts';

/** Fastify's own refusals are faults of the request; a deadline that has passed has an error of its own. */
export function asAppError(error: unknown): AppError {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new AppError('search.timeout', 'The search took too long', { cause: error });
  }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 415)
    return new AppError('request.unsupported-type', 'The content type is not accepted', { cause: error });
  if (status === 400) return new AppError('request.invalid', 'The request is not valid', { cause: error });
  return toAppError(error);
}
