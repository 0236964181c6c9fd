import type { FastifyRequest } from 'fastify';

/** The parameters of the query string as sent, in order; decoded once, `+` is a blank. */
export function queryPairs(request: FastifyRequest): readonly (readonly [string, string])[] {
  const { url = '' } = request.raw;
  const mark = url.indexOf('?');
  return mark < 0 ? [] : [...new URLSearchParams(url.slice(mark + 1))];
}

/** The parameters as an object for `bind`; the later of two values wins. */
export function queryMembers(request: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(queryPairs(request));
}
