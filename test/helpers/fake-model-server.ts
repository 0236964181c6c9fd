import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  groundedAnswer,
  hashedBag,
  leakingAnswer,
  lyingAnswer,
  meaningOf,
  obedientAnswer,
  topicsOf,
  withLinks,
} from './fake-model-answers.ts';

/** Stands in every body that a fault sends: it must show up nowhere. */
export const PROVIDER_TEXT = 'provider-says-secret-things';

export type ModelCall = {
  readonly path: string;
  /** Name of the model that was asked for: its mode. */
  readonly mode: string;
  readonly headers: IncomingHttpHeaders;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** Texts to embed. */
  readonly input: readonly string[];
  readonly at: number;
  /** Whether the connection went before the answer was whole. */
  closedByClient: boolean;
  closedAt: number | undefined;
};

export type FakeModelServer = AsyncDisposable & {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly host: string;
  readonly calls: readonly ModelCall[];
  /** Sockets open now. */
  readonly sockets: () => number;
};

type Exchange = {
  readonly call: ModelCall;
  readonly response: ServerResponse;
  /** All messages, one after the other. */
  readonly prompt: string;
  /** Behind the colon of the mode. */
  readonly argument: number;
  /** Calls of this mode, from 1. */
  readonly count: number;
  readonly isStream: boolean;
};
type Mode = (exchange: Exchange) => unknown;
type Vectors = readonly (readonly number[])[];

/** Answers whose connection the server cut itself. */
const cutHere = new WeakSet<ServerResponse>();

const LONG_SENTENCE = 'The pump must be cleaned every week by a trained person.';

/**
 * Chat completions (plain and streamed) and embeddings on a free loopback port. The name of the model chooses what
 * happens: `ok`, or a fault or oddity with a number behind a colon, such as `http:503`, `cut:3`, `slow-first:200`.
 */
export async function startFakeModelServer(): Promise<FakeModelServer> {
  const calls: ModelCall[] = [];
  const counts = new Map<string, number>();
  let sockets = 0;
  const server = createServer((request, response) => void answer(request, response));
  server.on('connection', (socket) => {
    sockets++;
    socket.on('close', () => sockets--);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request)) as {
      model: string;
      messages?: { role: string; content: string }[];
      stream?: boolean;
      input?: string[];
    };
    const call: ModelCall = {
      path: request.url ?? '',
      mode: body.model,
      headers: request.headers,
      messages: body.messages ?? [],
      input: body.input ?? [],
      at: performance.now(),
      closedByClient: false,
      closedAt: undefined,
    };
    calls.push(call);
    response.on('close', () => {
      call.closedAt = performance.now();
      call.closedByClient = !response.writableFinished && !cutHere.has(response);
    });
    const count = (counts.get(body.model) ?? 0) + 1;
    counts.set(body.model, count);
    const [name = '', argument = '0'] = modeOf(body.model, count).split(':');
    const prompt = call.messages.map(({ content }) => content).join('\n');
    const makeVectors = call.path.endsWith('/embeddings') ? VECTOR_MODES[name] : undefined;
    const vectors = makeVectors?.({ texts: call.input, argument: Number(argument), count });
    if (typeof vectors === 'number') return sendError(response, vectors);
    if (vectors !== undefined) return sendVectors(response, vectors);
    const mode = MODES[name];
    if (mode === undefined) return sendError(response, 404);
    mode({ call, response, prompt, argument: Number(argument), count, isStream: body.stream === true });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `http://${host}/v1`,
    host,
    calls,
    sockets: () => sockets,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `changing:n`: of n calls the last eight are faults. */
function modeOf(model: string, count: number): string {
  const [name, calls] = model.split(':');
  if (name !== 'changing') return model;
  const place = count % Number(calls);
  return BAD_DAYS[Number(calls) - 1 - place] ?? GOOD_DAYS[place % GOOD_DAYS.length] ?? 'ok';
}

const says =
  (make: (prompt: string) => string): Mode =>
  (exchange) =>
    sendAnswer(exchange, make(exchange.prompt));

const MODES: Readonly<Record<string, Mode>> = {
  ok: says((prompt) => groundedAnswer(prompt)),
  'slow-first': async (exchange) => {
    if (await pause(exchange, exchange.argument)) sendAnswer(exchange, groundedAnswer(exchange.prompt));
  },
  'slow-deltas': (exchange) => sendAnswer(exchange, groundedAnswer(exchange.prompt), { pauseMs: exchange.argument }),
  hang: () => undefined,
  'hang-after-headers': ({ response }) => openStream(response),
  'stall-after': (exchange) =>
    sendDeltas(exchange, wordsOf(groundedAnswer(exchange.prompt)).slice(0, exchange.argument)),
  http: ({ response, argument }) => sendError(response, argument),
  'context-too-long': (exchange) =>
    exchange.count === 1
      ? sendError(exchange.response, 400, { code: 'context_length_exceeded' })
      : sendAnswer(exchange, groundedAnswer(exchange.prompt)),
  rate: (exchange) =>
    exchange.count === 1
      ? sendError(exchange.response, 429, {}, { 'retry-after': String(exchange.argument) })
      : sendAnswer(exchange, groundedAnswer(exchange.prompt)),
  flaky: (exchange) =>
    exchange.count <= exchange.argument
      ? sendError(exchange.response, 503)
      : sendAnswer(exchange, groundedAnswer(exchange.prompt)),
  'cut-first': ({ response }) => cut(response, () => openStream(response)),
  cut: (exchange) =>
    cut(exchange.response, () =>
      sendDeltas(exchange, wordsOf(groundedAnswer(exchange.prompt)).slice(0, exchange.argument)),
    ),
  'error-frame': async (exchange) => {
    await sendDeltas(exchange, wordsOf(groundedAnswer(exchange.prompt)).slice(0, exchange.argument));
    exchange.response.end(frame({ error: { message: PROVIDER_TEXT, code: 'server_error' } }));
  },
  'broken-frame': async (exchange) => {
    await sendDeltas(exchange, wordsOf(groundedAnswer(exchange.prompt)).slice(0, exchange.argument));
    exchange.response.end(`data: {"choices":[{"delta":{"content":"${PROVIDER_TEXT}\n\n`);
  },
  html: ({ response }) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><p>${PROVIDER_TEXT}</p></html>`),
  empty: (exchange) => sendAnswer(exchange, ''),
  'no-done': (exchange) => sendAnswer(exchange, groundedAnswer(exchange.prompt), { isDone: false }),
  'no-finish': (exchange) => sendAnswer(exchange, groundedAnswer(exchange.prompt), { finish: null }),
  'no-end': (exchange) => sendAnswer(exchange, groundedAnswer(exchange.prompt), { finish: null, isDone: false }),
  length: (exchange) =>
    sendAnswer(exchange, `${groundedAnswer(exchange.prompt)} It also has to be`, { finish: 'length' }),
  filtered: (exchange) => sendAnswer(exchange, '', { finish: 'content_filter' }),
  'filtered-late': (exchange) => sendAnswer(exchange, groundedAnswer(exchange.prompt), { finish: 'content_filter' }),
  'markers-bad': says((prompt) => groundedAnswer(prompt, () => ' [9]')),
  'markers-none': says((prompt) => groundedAnswer(prompt, () => '')),
  'evidence-false': says((prompt) =>
    groundedAnswer(prompt, (number) => ` [${number}|"words that stand nowhere at all"]`),
  ),
  links: says(withLinks),
  'split-marker': (exchange) => sendDeltas(exchange, [...groundedAnswer(exchange.prompt)], finishing(exchange)),
  'split-utf8': (exchange) => sendBytes(exchange, `Größe 7 für Füße. ${groundedAnswer(exchange.prompt)}`),
  reasoning: (exchange) =>
    sendAnswer(exchange, `<think>${PROVIDER_TEXT}</think>${groundedAnswer(exchange.prompt)}`, {
      first: { reasoning_content: PROVIDER_TEXT },
    }),
  'reasoning-only': (exchange) => sendAnswer(exchange, '', { first: { reasoning_content: PROVIDER_TEXT } }),
  'tool-call': (exchange) =>
    sendAnswer(exchange, '', {
      first: { tool_calls: [{ index: 0, id: 'call-1', function: { name: 'fetch', arguments: '{"url":"x"}' } }] },
      finish: 'tool_calls',
    }),
  'no-answer': says(() => 'NO_ANSWER'),
  lie: (exchange) => sendAnswer(exchange, lyingAnswer(exchange.prompt, exchange.argument)),
  obey: says(obedientAnswer),
  leak: says(leakingAnswer),
  long: (exchange) => sendAnswer(exchange, Array(exchange.argument).fill(`${LONG_SENTENCE} [1]`).join(' ')),
  'no-usage': (exchange) => sendAnswer(exchange, groundedAnswer(exchange.prompt), { hasUsage: false }),
  redirect: ({ response }) => response.writeHead(307, { location: '/v1/elsewhere' }).end(),
  oversize: async (exchange) => {
    const deltas = Array.from({ length: 48 }, () => 'words '.repeat(10_000));
    await sendDeltas(exchange, deltas, finishing(exchange));
  },
};

/** What models do on their good days. */
const GOOD_DAYS = ['ok', 'slow-deltas:20', 'slow-first:150', 'long:20', 'markers-none', 'lie:1', 'length', 'no-answer'];
/** So many faults in a row open a breaker, and fail its probe. */
const BAD_DAYS = [
  'http:503',
  'cut:5',
  'hang-after-headers',
  'stall-after:12',
  'broken-frame:8',
  'html',
  'no-end',
  'cut-first',
];

type AnswerOptions = {
  readonly finish?: string | null;
  readonly isDone?: boolean;
  readonly pauseMs?: number;
  readonly hasUsage?: boolean;
  /** Delta before the text. */
  readonly first?: Readonly<Record<string, unknown>>;
};

function sendAnswer(exchange: Exchange, content: string, options: AnswerOptions = {}): unknown {
  if (exchange.isStream) return sendStream(exchange, content, options);
  const { finish = 'stop', first = {} } = options;
  const message = { role: 'assistant', content, ...first };
  return exchange.response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ choices: [{ message, finish_reason: finish }], usage: USAGE }));
}

async function sendStream(exchange: Exchange, content: string, options: AnswerOptions): Promise<void> {
  const { first, pauseMs = 0 } = options;
  openStream(exchange.response);
  if (first !== undefined) exchange.response.write(frame({ choices: [{ delta: first }] }));
  for (const word of wordsOf(content)) {
    if (pauseMs > 0 && !(await pause(exchange, pauseMs))) return;
    exchange.response.write(frame({ choices: [{ delta: { content: word } }] }));
  }
  finishing(exchange, options)();
}

async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}

async function sendDeltas({ response }: Exchange, deltas: readonly string[], then?: () => void): Promise<void> {
  openStream(response);
  for (const content of deltas) {
    if (response.destroyed) return;
    const isRoom = response.write(frame({ choices: [{ delta: { content } }] }));
    if (!isRoom) await drained(response);
  }
  // What was written reaches the client before what comes next, a cut for example.
  await new Promise((resolve) => response.write(':\n\n', resolve));
  then?.();
}

/** Every byte a chunk of its own: letters and frames arrive in pieces. */
async function sendBytes(exchange: Exchange, content: string): Promise<void> {
  openStream(exchange.response);
  exchange.response.socket?.setNoDelay(true);
  for (const byte of Buffer.from(frame({ choices: [{ delta: { content } }] }))) {
    await new Promise((resolve) => exchange.response.write(Buffer.of(byte), resolve));
  }
  finishing(exchange)();
}

const USAGE = { prompt_tokens: 321, completion_tokens: 45, total_tokens: 366 };

function finishing({ response }: Exchange, { finish = 'stop', isDone = true, hasUsage = true }: AnswerOptions = {}) {
  return () => {
    if (finish !== null) response.write(frame({ choices: [{ delta: {}, finish_reason: finish }] }));
    if (hasUsage) response.write(frame({ choices: [], usage: USAGE }));
    response.end(isDone ? 'data: [DONE]\n\n' : '');
  };
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(frame({ choices: [{ delta: { role: 'assistant', content: '' } }] }));
}

async function cut(response: ServerResponse, send: () => unknown): Promise<void> {
  await send();
  await new Promise((resolve) => response.write(':\n\n', resolve));
  cutHere.add(response);
  response.socket?.resetAndDestroy();
}

function sendError(response: ServerResponse, status: number, error: object = {}, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message: PROVIDER_TEXT, type: 'invalid_request_error', ...error } }));
}

type Embedding = { readonly texts: readonly string[]; readonly argument: number; readonly count: number };
/** Long enough for the limit of answers with some hundred numbers. */
const LONG_NUMBER = 0.123456789012345;

/** Vectors, or the status of a refusal. Words that mean the same have one vector. */
const VECTOR_MODES: Readonly<Record<string, (embedding: Embedding) => Vectors | number>> = {
  ok: ({ texts }) => vectorsOf(texts),
  /** Another model that does the same. */
  'ok-too': ({ texts }) => vectorsOf(texts),
  topics: ({ texts }) => texts.map(topicsOf),
  flaky: ({ texts, argument, count }) => (count <= argument ? 503 : vectorsOf(texts)),
  /** 400 for texts with the word `unspeakable`. */
  choosy: ({ texts }) => (texts.some((text) => text.includes('unspeakable')) ? 400 : vectorsOf(texts)),
  /** Answers of more texts than this are longer than a client takes. */
  'at-most': ({ texts, argument }) =>
    texts.length <= argument ? vectorsOf(texts) : texts.map(() => new Array<number>(60_000).fill(LONG_NUMBER)),
  'few-vectors': ({ texts }) => vectorsOf(texts).slice(1),
  'uneven-vectors': ({ texts }) => vectorsOf(texts).map((vector, index) => vector.slice(index)),
  'zero-vectors': ({ texts }) => vectorsOf(texts).map((vector) => vector.map(() => 0)),
};

function vectorsOf(texts: readonly string[]): Vectors {
  return texts.map((text) => hashedBag(meaningOf(text)));
}

function sendVectors(response: ServerResponse, vectors: Vectors): void {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ data, usage: { prompt_tokens: 7, total_tokens: 7 } }));
}

/** False when the client went meanwhile. */
async function pause({ response }: Exchange, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  response.once('close', resolve);
  await promise;
  clearTimeout(timer);
  response.off('close', resolve);
  return !response.destroyed;
}

function wordsOf(content: string): readonly string[] {
  return content.match(/\S+\s*|\s+/g) ?? [];
}

function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
