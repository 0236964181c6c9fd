import type { FastifyRequest } from 'fastify';
import { invalidRequest } from '../../core/errors.ts';
import { isObject } from '../binding.ts';
import { queryMembers } from '../query-string.ts';

/**
 * The values of an event, from one source: a JSON object, else a form, else the query string. Contract: 6.2.
 * @throws AppError `request.invalid` for another kind of body.
 */
export function sentValues(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const { body } = request;
  if (body === undefined) return queryMembers(request);
  if (isObject(body)) return body;
  const message = 'The body must be a flat object: { "qid": "...", "sw": "..." }';
  throw invalidRequest([{ path: '', message }]);
}
