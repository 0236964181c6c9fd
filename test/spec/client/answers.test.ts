import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { D1, D3, D4 } from '../../helpers/fixture.ts';
import { type Product, startProduct } from '../../helpers/product.ts';
import { clientsOf, failureOf, statusOf } from './product-clients.ts';

// Contract: 12, cases 46 to 64 through the client.
let product: Product;
let clients: ReturnType<typeof clientsOf>;
beforeAll(async () => {
  product = await startProduct();
  clients = clientsOf(product);
});
afterAll(() => product[Symbol.asyncDispose]());

const QUESTION = 'How long does a solar panel last?';

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

async function solarSources() {
  const { QueryId: queryId, TypedDocuments } = await clients.search({ query: 'solar' });
  const fields = ['Title', 'Content'];
  return {
    query: 'solar',
    queryId,
    sources: TypedDocuments.map(({ Id: id, ResultIndex: resultIndex }) => ({ id, fields, resultIndex })),
  };
}

test('46 an answer cites what it says, when that is asked for', async () => {
  const cited = await clients.ask({ question: QUESTION, includeCitations: true });
  const plain = await clients.ask({ question: QUESTION });

  expect(cited.couldAnswer).toBe(true);
  expect(cited.answer).toContain('25');
  const markers = [...cited.answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
  expect(cited.citations.map(({ reference }) => reference)).toEqual([...new Set(markers)]);
  expect(cited.citations.map(({ url }) => url)).toContain(D1);
  expect(plain.citations).toEqual([]);
  expect(plain.answer).not.toMatch(/\[\d+\]/);
});

test('47 what the documents do not say is not answered', async () => {
  const answer = await clients.ask({ question: 'Who won the chess tournament in Oslo?', includeCitations: true });

  expect(answer).toMatchObject({ couldAnswer: false, citations: [], url: '' });
});

test.each<[string, object]>([
  ['48', {}],
  ['48', { question: ' ' }],
  ['48', { question: 5 }],
  ['48', { question: QUESTION, answerLength: 'epic' }],
  ['48', { question: QUESTION, filters: 'x' }],
])('%s the question %j is refused, whole and streamed', async (_case, request) => {
  const question = request as { question: string };

  expect(await failureOf(clients.ask(question))).toMatchObject({ status: 400, errorCode: 'request.invalid' });
  expect(await statusOf(clients.streamAnswer(question))).toBe(400);
});

test('49 an answer stands on documents within the filters', async () => {
  const request = { question: QUESTION, includeCitations: true, filters: { Category: ['News'] } };
  const { url, citations } = await clients.ask(request);

  expect([url, ...citations.map((citation) => citation.url)].filter((used) => ![D3, D4, ''].includes(used))).toEqual(
    [],
  );
});

test('50 a streamed answer has its ids and its links', async () => {
  const stream = await clients.streamAnswer({ question: QUESTION });

  expect(await textOf(stream.pieces)).toContain(`[1](${D1})`);
  expect([stream.conversationId, stream.exchangeId]).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
});

test('51 without its model a stream is refused, and an answer is made of passages', async () => {
  await using away = await startProduct({ config: { LLM_BASE_URL: 'http://127.0.0.1:1', LLM_MODEL: 'm' } });
  const { ask, streamAnswer } = clientsOf(away);

  const error = await failureOf(streamAnswer({ question: QUESTION }));

  expect(error).toMatchObject({ status: 502, errorCode: 'stream.unavailable', requestId: expect.any(String) });
  expect((await ask({ question: QUESTION })).answer).toContain('25');
});

test.each([true, false])(
  '52 a summary has its ids and sources and no markers (includeCitations: %s)',
  async (includeCitations) => {
    const { summary, summaryId, summaryRequestId, summarySourceUrls } = await clients.summarize({
      ...(await solarSources()),
      includeCitations,
    });

    expect(summary).not.toMatch(/^$|\[\d+\]/);
    expect([summaryId, summaryRequestId]).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(summarySourceUrls.length).toBeGreaterThan(0);
  },
);

test.each<[string, object]>([
  ['53', { sources: Array(6).fill({ id: D1 }) }],
  ['53', { sources: [] }],
  ['53', { sources: [{ fields: ['Title'] }] }],
])('%s a summary of %j is refused, whole and streamed', async (_case, { sources }: { sources?: never[] }) => {
  const request = { query: 'solar', sources: sources ?? [] };

  expect(await statusOf(clients.summarize(request))).toBe(400);
  expect(await statusOf(clients.streamSummary(request))).toBe(400);
});

test('54 questions go on from a summary', async () => {
  const { pieces, summaryRequestId: conversationId } = await clients.streamSummary(await solarSources());
  expect(await textOf(pieces)).not.toBe('');

  for (const question of ['How long do they last?', 'And what do they do?']) {
    const answer = await clients.streamAnswer({ question, conversationId });
    await textOf(answer.pieces);
    expect(answer.conversationId).toBe(conversationId);
  }
});

test('55 feedback on an answer needs its ids and something to say', async () => {
  const { conversationId, exchangeId } = await clients.ask({ question: QUESTION });
  const ids = { conversationId, exchangeId };
  const calls = [
    clients.rateAnswer({ ...ids, rating: 'positive' }),
    clients.rateAnswer(ids),
    clients.rateAnswer({ ...ids, rating: 'meh' as 'negative' }),
    clients.rateAnswer({ conversationId, rating: 'positive' } as never),
    clients.rateAnswer({ conversationId, exchangeId: randomUUID(), comment: 'Only a comment' }),
  ];

  expect(await Promise.all(calls.map(statusOf))).toEqual([200, 400, 400, 400, 400]);
});

test('56 feedback on a summary is stored, known or not', async () => {
  const calls = [
    clients.rateSummary({ rating: 'negative' }),
    clients.rateSummary({ rating: 'negative', summaryId: randomUUID() }),
  ];

  expect(await Promise.all(calls.map(statusOf))).toEqual([200, 200]);
});

test('57 a click on a source is stored', async () => {
  const { conversationId, exchangeId } = await clients.ask({ question: QUESTION });

  expect(await statusOf(clients.logAnswerClick({ conversationId, exchangeId, url: D1 }))).toBe(200);
});

test('58 a search is logged under its id', async () => {
  const { QueryId: qid } = await clients.search({ query: 'solar' });

  const { id } = await clients.sendQuery({ sw: 'solar', qid, rc: '3', dt: 'desktop', sid: 's', refurl: D1 });

  expect(id).toMatch(/^[0-9a-f-]{36}$/);
});

test('59 an event that is wrapped, or has no words, is refused', async () => {
  const { QueryId: qid } = await clients.search({ query: 'solar' });
  const event = { sw: 'solar', qid };
  const calls = [{ values: event }, [event], { qid }].map((sent) => clients.sendQuery(sent as unknown as typeof event));

  expect(await Promise.all(calls.map(statusOf))).toEqual([400, 400, 400]);
});

test('60 an event of another engine, or of no search, is not found', async () => {
  const { QueryId } = await clients.search({ query: 'solar' });
  const calls = [
    clientsOf(product, { engineId: 7 }).sendQuery({ sw: 'solar', qid: QueryId }),
    clients.sendQuery({ sw: 'solar', qid: randomUUID() }),
    clients.sendQuery({ sw: 'solar', qid: 'nope' }),
  ];

  expect(await Promise.all(calls.map(statusOf))).toEqual([404, 404, 404]);
});

test('61 a click on a banner names it', async () => {
  const { QueryId: qid } = await clients.search({ query: 'solar' });
  const calls = [clients.sendClick({ qid, ls: 'banner' }), clients.sendClick({ qid, ls: 'banner', cloi: '1' })];

  expect(await Promise.all(calls.map(statusOf))).toEqual([400, 200]);
});

test('63 feedback on results has two ids, and something to say', async () => {
  const { eventId, feedbackId } = await clients.rateResults({ rating: 'positive', url: D1 });

  expect([eventId, feedbackId]).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
  expect(await statusOf(clients.rateResults({}))).toBe(400);
  expect(await statusOf(clients.rateResults({ rating: 'positive', feedbackId: 'x' }))).toBe(400);
});

test('64 public settings need the site key', async () => {
  const settings = await clients.readPublicSettings();

  expect(JSON.parse(settings.instantSuggestionsConfiguration)).toMatchObject({ suggestions: [] });
  expect(settings.Engines).toEqual([6]);
  expect(await clients.readPageSettings()).toMatchObject({ name: 'Engine 6', language: 'en' });
  expect(await statusOf(clientsOf(product, { apiKey: 'key-3-example' }).readPublicSettings())).toBe(401);
});
