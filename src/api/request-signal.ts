import type { FastifyReply } from 'fastify';

/**
 * Ends the work of a request at its deadline, when the process has to end, or as soon as nobody waits for the answer. An answered request leaves no
 * timer behind.
 */
export function requestSignal(reply: FastifyReply, deadlineMs: number): AbortSignal {
  const ending = new AbortController();
  const expire = () => ending.abort(new DOMException('The request took too long', 'TimeoutError'));
  const timer = setTimeout(expire, deadlineMs).unref();
  const { cutOff } = reply.server.drain;
  cutOff.addEventListener('abort', expire, { once: true });
  reply.raw.once('close', () => {
    clearTimeout(timer);
    cutOff.removeEventListener('abort', expire);
    if (!reply.raw.writableFinished) ending.abort();
  });
  return ending.signal;
}
