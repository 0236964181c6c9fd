import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const CALLERS_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's own `X-Request-Id` when it is harmless, else a new UUID. Contract: 1.7. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const sent = message.headers['x-request-id'];
  return typeof sent === 'string' && CALLERS_ID.test(sent) ? sent : randomUUID();
}
