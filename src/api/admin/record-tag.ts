import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors.ts';

/**
 * Sends a body with the tag of what an editor may change of it: the body itself, unless it also shows what changes by
 * itself. RFC 9110, 8.8.3.
 */
export function sendTagged<Body extends object>(reply: FastifyReply, body: Body, editable: object = body): Body {
  reply.header('ETag', tagOf(editable));
  return body;
}

/**
 * Whether the request is for one state of the record only (`If-Match`), which is the present one.
 * @throws AppError `record.changed` when it is for another
 */
export function isMatched(request: FastifyRequest, editable: object): boolean {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return false;
  if (wanted.split(',').some((tag) => tag.trim() === tagOf(editable))) return true;
  throw new AppError('record.changed', 'Somebody else changed this in the meantime: look at it and try again');
}

const TAG_CHARS = 22;

function tagOf(editable: object): string {
  return `"${createHash('sha256').update(JSON.stringify(editable)).digest('base64url').slice(0, TAG_CHARS)}"`;
}
