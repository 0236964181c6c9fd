import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is sent with an entity tag; `body` is text or bytes as they are. */
export type Tagged = { readonly body: string | Buffer; readonly tag: string; readonly type: string };

/** A strong tag of the whole body. */
export function tagged(body: string | Buffer, type: string): Tagged {
  return { body, type, tag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

/** 304 without a body when the caller has it already. `Cache-Control` is the caller's to set. RFC 9110 13.1.2. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, { body, tag, type }: Tagged): FastifyReply {
  reply.header('ETag', tag);
  if (namesTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(type).send(body);
}

/** Weak comparison, as RFC 9110 13.1.2 wants it: a proxy may have marked the tag as weak. */
function namesTag(header: string | undefined, tag: string): boolean {
  const named = (header ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(tag);
}
