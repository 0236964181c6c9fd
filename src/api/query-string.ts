import type { FastifyRequest } from 'fastify';
import { AppError } from '../core/errors.ts';

/** The parameters of the query string as sent, in order; decoded once, `+` is a blank. */
export function queryPairs(request: FastifyRequest): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(queryString(request))];
}

/** The parameters as an object for `bind`; the later of two values wins. */
export function queryMembers(request: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(queryPairs(request));
}

/**
 * The same where a text must be exactly what was sent: codes that are no UTF-8 are refused. Elsewhere each becomes
 * U+FFFD, which may be part of an id.
 *
 * @throws AppError `request.invalid`
 */
export function exactQueryMembers(request: FastifyRequest): Readonly<Record<string, string>> {
  try {
    decodeURIComponent(queryString(request).replace(LONE_PERCENT, '%25'));
  } catch (cause) {
    const problems = [{ path: '', message: 'The query string is not valid UTF-8' }];
    throw new AppError('request.invalid', 'The query string is not valid UTF-8', { problems, cause });
  }
  return queryMembers(request);
}

/** What `URLSearchParams` takes as it stands. */
const LONE_PERCENT = /%(?![0-9a-fA-F]{2})/g;

function queryString({ raw: { url = '' } }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
