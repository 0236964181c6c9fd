import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Characters up to which an answer is sent whole, with its length; a longer one is streamed. */
const WHOLE_CHARS = 1 << 18;
/** Characters of a write. */
const PIECE_CHARS = 1 << 16;
/** A client that reads nothing for so long has gone. */
const STALLED_MS = 30_000;

/**
 * Sends JSON that comes in pieces, a long answer no faster than it is read. Nothing is sent before 256 K characters are
 * there or the whole of it: until then an error has its own status and body. One after that, which only a store that
 * fails can cause, ends the connection, so that nobody takes the half for the whole.
 */
export async function sendJson(reply: FastifyReply, pieces: AsyncGenerator<string>): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8');
  let begin = '';
  while (begin.length < WHOLE_CHARS) {
    const { value, done } = await pieces.next();
    if (done === true) return reply.send(begin);
    begin += value;
  }
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  return reply.send(Readable.from(joined(begin, pieces), { highWaterMark: 1 }));
}

/** Few large pieces: each costs a write, and a call of the compressor. */
async function* joined(begin: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  yield begin;
  let waiting = '';
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < PIECE_CHARS) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}
