import type { FastifyReply } from 'fastify';

/** Ends the work of a request at its deadline, or as soon as nobody waits for the answer. */
export function requestSignal(reply: FastifyReply, deadlineMs: number): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return AbortSignal.any([gone.signal, AbortSignal.timeout(deadlineMs)]);
}
