import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../storage/system/accounts.ts';

/** Who asks, as the audit log names it. */
export function actorOf(_request: FastifyRequest): Actor {
  return 'operator';
}
