import { AppError } from '../core/errors.ts';

/** @throws AppError `request.too-large` when an array of the request has more than `limit` items */
export function limitItems(sent: unknown, limit: number, noun: string): void {
  if (Array.isArray(sent) && sent.length > limit) {
    throw new AppError('request.too-large', `A request may have at most ${limit} ${noun}`);
  }
}
