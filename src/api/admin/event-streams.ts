import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../core/errors.ts';

export type StreamEvent = { readonly name: string; readonly data: unknown };

export type EventStreams = {
  /** Sends events until they end, the client leaves or the server closes. @throws AppError `rate.exceeded` */
  send(reply: FastifyReply, events: (signal: AbortSignal) => AsyncIterable<StreamEvent>): FastifyReply;
};

/** Streams that one process keeps open: each costs a few reads a second. */
const MAX_STREAMS = 100;
const RETRY_AFTER_SECONDS = 10;
/** A comment after so much silence, so that no proxy takes the connection for dead. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ': still here\n\n';

/** `text/event-stream` answers of a plugin; they end before its server closes. */
export function openEventStreams(app: FastifyInstance): EventStreams {
  const open = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const ending of open) ending.abort();
  });
  return {
    send: (reply, events) => {
      if (open.size >= MAX_STREAMS) {
        const message = `${MAX_STREAMS} event streams are open: close one, or try again later`;
        throw new AppError('rate.exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, atOnce: MAX_STREAMS });
      }
      const ending = new AbortController();
      open.add(ending);
      const source = Readable.from(lines(events(ending.signal), ending.signal));
      const heartbeat = setInterval(() => source.readableFlowing !== null && beat(reply), HEARTBEAT_MS);
      reply.raw.once('close', () => {
        clearInterval(heartbeat);
        open.delete(ending);
        ending.abort();
      });
      // A connection that is kept would hold up the end of the server.
      reply.headers({ 'X-Accel-Buffering': 'no', Connection: 'close' }).type('text/event-stream; charset=utf-8');
      return reply.send(source);
    },
  };
}

function beat({ raw }: FastifyReply): void {
  if (!raw.writableEnded && !raw.writableNeedDrain) raw.write(HEARTBEAT);
}

/** Unchanged data is not sent twice. */
async function* lines(events: AsyncIterable<StreamEvent>, signal: AbortSignal): AsyncGenerator<string> {
  let last = '';
  for await (const { name, data } of events) {
    if (signal.aborted) return;
    const line = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    if (line !== last) yield line;
    last = line;
  }
}
