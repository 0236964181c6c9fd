import { AppError } from '../core/errors.ts';

/** The answer to a valid request for what this version does not have: 501. */
export function notBuilt(what: string): AppError {
  return new AppError('route.not-built', `${what} is not part of this version`);
}
