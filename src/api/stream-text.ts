import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AnswerEvent, AnswerSegment } from '../ai/answer-event.ts';
import { runInBackground } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { ApiSettings } from './settings.ts';

export type StreamDeps = { readonly settings: Pick<ApiSettings, 'streamHeaderPrefixes'>; readonly log: Log };

export type TextStream = {
  readonly events: AsyncGenerator<AnswerEvent, void>;
  readonly print: (segment: AnswerSegment) => string;
};

/** The ids of an answer under each prefix; they are on errors, too. Contract: 4.3, 5.2. */
export function setStreamIds(
  reply: FastifyReply,
  prefixes: readonly string[],
  ids: Readonly<Record<string, string>>,
): void {
  for (const prefix of prefixes) {
    for (const [name, id] of Object.entries(ids)) reply.header(`${prefix}-${name}`, id);
  }
}

/** Says that passages answer in place of the model, under each prefix. */
export function setFallback(reply: FastifyReply, prefixes: readonly string[]): void {
  for (const prefix of prefixes) reply.header(`${prefix}-Answer-Fallback`, 'extractive');
}

/**
 * Sends the segments of an answer as they come, one write each and no faster than they are read. Nothing is sent before
 * the first event: until then an error has its own status. A client that leaves ends the events. Contract: 4.3.
 */
export async function sendTextStream(
  { settings, log }: StreamDeps,
  reply: FastifyReply,
  { events, print }: TextStream,
): Promise<FastifyReply> {
  const { value: first } = await events.next();
  if (first?.type === 'start' && first.isFallback) setFallback(reply, settings.streamHeaderPrefixes);
  reply
    .headers({ 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' })
    .type('text/plain; charset=utf-8');
  const source = Readable.from(texts(events, print), { highWaterMark: 1 });
  // A client that left before anything was read ends the source, which has not begun to read the events.
  source.once('close', () => runInBackground(log, 'end of a stream', () => events.return()));
  return reply.send(source);
}

/** Blanks and line feeds before the first segment are left out. */
async function* texts(events: AsyncIterable<AnswerEvent>, print: TextStream['print']): AsyncGenerator<string> {
  let isFirst = true;
  for await (const event of events) {
    if (event.type !== 'segment') continue;
    const text = isFirst ? print(event).trimStart() : print(event);
    if (text === '') continue;
    yield text;
    isFirst = false;
  }
}
