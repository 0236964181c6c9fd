import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { groundedAnswer } from './fake-model-answers.ts';
import { PROVIDER_TEXT } from './fake-model-server.ts';

export type MessagesCall = {
  readonly path: string;
  /** Name of the model that was asked for: its mode. */
  readonly mode: string;
  readonly headers: IncomingHttpHeaders;
  /** System texts and messages, one after the other. */
  readonly prompt: string;
  closedAt: number | undefined;
};

export type FakeMessagesServer = AsyncDisposable & {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly host: string;
  readonly calls: readonly MessagesCall[];
};

type Exchange = { readonly response: ServerResponse; readonly prompt: string; readonly argument: number };
type Mode = (exchange: Exchange) => unknown;
type Texts = readonly { readonly text: string }[];

/**
 * The streamed messages of Anthropic's interface on a free loopback port: another wire format than chat completions.
 * The name of the model chooses what happens, with a number behind a colon, such as `http:503`.
 */
export async function startFakeMessagesServer(): Promise<FakeMessagesServer> {
  const calls: MessagesCall[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { model: string; system: Texts; messages: { content: Texts }[] };
    const prompt = [...body.system, ...body.messages.flatMap(({ content }) => content)].map((part) => part.text);
    const call: MessagesCall = {
      path: request.url ?? '',
      mode: body.model,
      headers: request.headers,
      prompt: prompt.join('\n'),
      closedAt: undefined,
    };
    calls.push(call);
    response.on('close', () => {
      call.closedAt = performance.now();
    });
    const [name = '', argument = '0'] = body.model.split(':');
    const mode = MODES[name] ?? refuse(404);
    mode({ response, prompt: call.prompt, argument: Number(argument) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `http://${host}/v1`,
    host,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const MODES: Readonly<Record<string, Mode>> = {
  ok: (exchange) => say(exchange, wordsOf(exchange)).end(stop('end_turn')),
  length: (exchange) => say(exchange, wordsOf(exchange)).end(stop('max_tokens')),
  filtered: (exchange) => say(exchange, []).end(stop('refusal')),
  empty: (exchange) => say(exchange, []).end(stop('end_turn')),
  thinking: (exchange) => {
    const { response } = exchange;
    const started = open(response);
    started.write(block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: PROVIDER_TEXT }));
    const input = { type: 'input_json_delta', partial_json: `{"url":"${PROVIDER_TEXT}"}` };
    started.write(block(1, { type: 'tool_use', id: 'call-1', name: 'fetch', input: {} }, input));
    for (const word of wordsOf(exchange)) started.write(block(2, TEXT, { type: 'text_delta', text: word }));
    started.end(stop('end_turn'));
  },
  'no-end': (exchange) => say(exchange, wordsOf(exchange)).end(),
  hang: () => undefined,
  'hang-after-headers': ({ response }) => open(response),
  'stall-after': (exchange) => say(exchange, wordsOf(exchange).slice(0, exchange.argument)),
  cut: async (exchange) => {
    say(exchange, wordsOf(exchange).slice(0, exchange.argument));
    // What was written reaches the client before the cut.
    await new Promise((resolve) => exchange.response.write(':\n\n', resolve));
    exchange.response.socket?.resetAndDestroy();
  },
  'error-frame': (exchange) =>
    say(exchange, wordsOf(exchange).slice(0, exchange.argument)).end(
      frame({ type: 'error', error: { type: 'overloaded_error', message: PROVIDER_TEXT } }),
    ),
  'broken-frame': (exchange) =>
    say(exchange, wordsOf(exchange).slice(0, exchange.argument)).end(`data: {"type":"${PROVIDER_TEXT}\n\n`),
  html: ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${PROVIDER_TEXT}</p>`),
  redirect: ({ response }) => response.writeHead(307, { location: '/v1/elsewhere' }).end(),
  http: (exchange) => refuse(exchange.argument)(exchange),
  rate: (exchange) => refuse(429, { 'retry-after': String(exchange.argument) })(exchange),
  'too-long': ({ response }) => sendError(response, 400, `prompt is too long: 9000 tokens > 8192 ${PROVIDER_TEXT}`),
};

const TEXT = { type: 'text', text: '' };

function refuse(status: number, headers: Readonly<Record<string, string>> = {}): Mode {
  return ({ response }) => sendError(response, status, PROVIDER_TEXT, headers);
}

function sendError(response: ServerResponse, status: number, message: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message } }));
}

function open(response: ServerResponse): ServerResponse {
  const usage = { input_tokens: 321, output_tokens: 1 };
  const message = { id: 'message-1', type: 'message', role: 'assistant', model: 'any', content: [], usage };
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(frame({ type: 'message_start', message }));
  return response;
}

function say({ response }: Exchange, words: readonly string[]): ServerResponse {
  open(response);
  response.write(frame({ type: 'content_block_start', index: 0, content_block: TEXT }));
  for (const word of words) {
    response.write(frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } }));
  }
  return response;
}

function block(index: number, start: object, delta: object): string {
  return [
    frame({ type: 'content_block_start', index, content_block: start }),
    frame({ type: 'content_block_delta', index, delta }),
    frame({ type: 'content_block_stop', index }),
  ].join('');
}

function stop(reason: string): string {
  const delta = { stop_reason: reason, stop_sequence: null };
  return frame({ type: 'message_delta', delta, usage: { output_tokens: 45 } }) + frame({ type: 'message_stop' });
}

function wordsOf({ prompt }: Exchange): readonly string[] {
  return groundedAnswer(prompt).match(/\S+\s*|\s+/g) ?? [];
}

function frame(data: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
