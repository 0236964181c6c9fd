import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { AnswerEvent } from '../../../src/ai/answer-event.ts';
import { sendTextStream } from '../../../src/api/stream-text.ts';
import { eventually } from '../../helpers/eventually.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const DEPS = { settings: { streamHeaderPrefixes: ['Service'] }, log: silentLog };
const unit = (text: string): AnswerEvent => ({ type: 'segment', text, citations: [] });

/** A server whose only route streams what `events` yields; `ended` counts the generators that came to their end. */
async function openServer(events: (sent: { count: number }) => AsyncGenerator<AnswerEvent, void>) {
  const seen = { count: 0, ended: 0 };
  const app = fastify();
  app.get('/', async (_request, reply) => {
    const counted = (async function* () {
      try {
        yield* events(seen);
      } finally {
        seen.ended++;
      }
    })();
    return sendTextStream(DEPS, reply, { events: counted, print: ({ text }) => text });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { port, seen, [Symbol.asyncDispose]: () => app.close() };
}

test('units are made no faster than they are read', async () => {
  await using server = await openServer(async function* (seen) {
    for (;;) {
      seen.count++;
      yield unit('x'.repeat(100_000));
    }
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();

  await eventually(async () => server.seen.count > 10 || undefined);
  let before = -1;
  await eventually(async () => {
    const isHeld = server.seen.count === before;
    before = server.seen.count;
    return isHeld || undefined;
  });

  expect(server.seen.count).toBeLessThan(500);
  socket.destroy();
  await eventually(async () => server.seen.ended === 1 || undefined);
});

test('a client that leaves before the first event ends the events', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  await using server = await openServer(async function* (seen) {
    seen.count++;
    await left;
    yield { type: 'start', composer: 'extractive', isFallback: false };
    for (;;) yield unit('More. ');
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually(async () => server.seen.count === 1 || undefined);
  socket.destroy();
  await once(socket, 'close');
  setImmediate(leave);

  await eventually(async () => server.seen.ended === 1 || undefined);
});
