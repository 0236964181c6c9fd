import { expect, test } from 'vitest';
import { createAnswerClient, FossickError } from '../../../packages/client/src/index.ts';
import { errorReply, type Reply, startScriptedService } from './scripted-service.ts';

const IDS = { 'service-conversation-id': 'conversation-1', 'service-exchange-id': 'exchange-1' };
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };
const answer = (body: string, cut = false): Reply => ({ headers: { ...PLAIN, ...IDS }, body, cut });

async function answering(reply: Reply | 'no answer') {
  const service = await startScriptedService([reply]);
  return { ...service, client: createAnswerClient({ baseUrl: service.baseUrl, customerId: 3, engineId: 6 }) };
}

test('a streamed answer has its ids at once and its text piece by piece', async () => {
  await using service = await answering(answer('Panels last 25 years. [1](https://example.com/solar) ☀'));

  const stream = await service.client.streamAnswer({ question: 'How long?' });
  const before = stream.text;
  const pieces: string[] = [];
  for await (const piece of stream.pieces) pieces.push(piece);

  expect(stream).toMatchObject({ conversationId: 'conversation-1', exchangeId: 'exchange-1' });
  expect(before).toBe('');
  expect(stream.text).toBe('Panels last 25 years. [1](https://example.com/solar) ☀');
  expect(pieces.join('')).toBe(stream.text);
});

test('a streamed summary names the conversation that goes on from it', async () => {
  const ids = { 'service-summary-id': 'summary-1', 'service-summary-request-id': 'conversation-2' };
  await using service = await answering({ headers: { ...PLAIN, ...ids }, body: 'In short.' });

  const stream = await service.client.streamSummary({ query: 'solar', sources: [{ id: 'd1' }] });

  expect(stream).toMatchObject({ summaryId: 'summary-1', summaryRequestId: 'conversation-2' });
});

test.each([
  [{ 'service-answer-fallback': 'extractive' }, true],
  [{}, false],
])('answers and summaries with the headers %j are quotes in place of a model: %j', async (headers, isFallback) => {
  const whole = { headers, body: { value: {} } };
  const streamed = { headers: { ...PLAIN, ...headers }, body: 'In short.' };
  await using service = await startScriptedService([whole, streamed, whole, streamed]);
  const client = createAnswerClient({ baseUrl: service.baseUrl, customerId: 3, engineId: 6 });
  const question = { question: 'How long?' };
  const summary = { query: 'solar', sources: [{ id: 'd1' }] };

  expect(await client.ask(question)).toMatchObject({ isFallback });
  expect(await client.streamAnswer(question)).toMatchObject({ isFallback });
  expect(await client.summarize(summary)).toMatchObject({ isFallback });
  expect(await client.streamSummary(summary)).toMatchObject({ isFallback });
});

test('a text that breaks off says so and keeps what came', async () => {
  await using service = await answering(answer('Panels last', true));
  const stream = await service.client.streamAnswer({ question: 'How long?' });

  const reading = (async () => {
    for await (const _ of stream.pieces);
  })();

  const error = await reading.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FossickError);
  expect(error).toMatchObject({
    errorCode: 'stream.cut',
    message: 'The text broke off: the connection was lost',
  });
  expect(stream.text).toBe('Panels last');
});

test('an abort ends the reading with its reason', async () => {
  await using service = await answering(answer('Panels last'));
  const abort = new AbortController();
  const stream = await service.client.streamAnswer({ question: 'How long?' }, { signal: abort.signal });

  const reading = (async () => {
    abort.abort(new Error('not wanted any more'));
    for await (const _ of stream.pieces);
  })();

  await expect(reading).rejects.toThrow('not wanted any more');
});

test('a question is sent once, and its refusal is an error before the first piece', async () => {
  await using service = await answering(errorReply(502, 'stream.unavailable'));

  const asking = service.client.streamAnswer({ question: 'How long?' });

  await expect(asking).rejects.toMatchObject({ status: 502, errorCode: 'stream.unavailable' });
  expect(service.received.length).toBe(1);
});
