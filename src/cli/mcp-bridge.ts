import { toAppError } from '../core/errors.ts';
import { type PostAnswer, postText } from './client.ts';

export type BridgeOptions = {
  /** Where messages are posted. */
  readonly url: string;
  readonly authorization: string;
  /** A message of JSON-RPC per line. */
  readonly input: AsyncIterable<Uint8Array | string>;
  /** A message for the client, one line. */
  readonly write: (line: string) => void;
  readonly warn: (text: string) => void;
};

type RequestId = string | number;
type Message = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
};
type Bridge = Omit<BridgeOptions, 'input'> & {
  /** Requests that wait for their answer. */
  readonly waiting: Map<RequestId, AbortController>;
  /** What `initialize` has agreed on. */
  protocolVersion: string | undefined;
};

/** Above it the client waits: a model asks for a few things at once. */
const MAX_AT_ONCE = 16;
/** An answer that a model writes takes the longest. */
const TIMEOUT_MS = 120_000;
const MAX_LINE_CHARS = 4_000_000;
/** Of JSON-RPC 2.0 section 5.1. */
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/**
 * Passes messages of the Model Context Protocol on, from a client that starts this process and speaks over standard
 * input and output, to the server and back. Ends when the input has ended and everything is answered.
 */
export async function runBridge({ input, ...options }: BridgeOptions): Promise<void> {
  const bridge: Bridge = { ...options, waiting: new Map(), protocolVersion: undefined };
  const running = new Set<Promise<void>>();
  for await (const line of linesOf(input)) {
    const passing: Promise<void> = pass(bridge, line).finally(() => running.delete(passing));
    running.add(passing);
    if (running.size >= MAX_AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
}

async function pass(bridge: Bridge, line: string): Promise<void> {
  const message = parsed(line);
  if (message === undefined) return bridge.write(errorText(null, { code: PARSE_ERROR, message: 'This is no JSON' }));
  const id = idOf(message);
  if (message.method === 'notifications/cancelled') {
    // The server has no sessions: it gives a request up when its connection ends.
    return bridge.waiting.get(message.params?.['requestId'] as RequestId)?.abort();
  }
  const cancelling = new AbortController();
  if (id !== undefined) bridge.waiting.set(id, cancelling);
  try {
    const signal = AbortSignal.any([cancelling.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await postText({ url: bridge.url, headers: headersOf(bridge, message), body: line, signal });
    deliver(bridge, answer, { id, method: message.method });
  } catch (error) {
    if (!cancelling.signal.aborted) fail(bridge, id, toAppError(error).message);
  } finally {
    if (id !== undefined) bridge.waiting.delete(id);
  }
}

function idOf({ id }: Message): RequestId | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

const VERSION_MEMBER = 'io.modelcontextprotocol/protocolVersion';
/** What a header may hold as it is. */
const PRINTABLE = /^[\x21-\x7e]+$/;

/** What the protocol says in headers over HTTP: its revision, the method, and the name of a tool. */
function headersOf({ authorization, protocolVersion }: Bridge, { method, params }: Message): Record<string, string> {
  const meta = params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
  const named = {
    'mcp-protocol-version': meta?.[VERSION_MEMBER] ?? protocolVersion,
    'mcp-method': method,
    'mcp-name': params?.['name'],
  };
  const shown = Object.entries(named).filter(([, value]) => typeof value === 'string' && PRINTABLE.test(value));
  return {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...Object.fromEntries(shown as [string, string][]),
  };
}

type Asked = { readonly id: RequestId | undefined; readonly method: unknown };

function deliver(bridge: Bridge, answer: PostAnswer, { id, method }: Asked): void {
  for (const text of messagesIn(answer)) {
    const message = parsed(text);
    if (message === undefined || !('jsonrpc' in message)) {
      fail(bridge, id, refusalOf(message, answer.status));
      continue;
    }
    if (method === 'initialize') bridge.protocolVersion = agreedVersion(message);
    // What is refused before it is read has no id.
    bridge.write(JSON.stringify({ ...message, id: message.id ?? id ?? null }));
  }
}

function agreedVersion({ result }: Message): string | undefined {
  const version = result?.['protocolVersion'];
  return typeof version === 'string' ? version : undefined;
}

/** JSON texts of an answer: one, or one per event, or none. */
function messagesIn({ type, text }: PostAnswer): readonly string[] {
  if (type.startsWith('text/event-stream')) return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data);
  return text === '' ? [] : [text];
}

/** The message of the body of all errors. */
function refusalOf(body: Message | undefined, status: number): string {
  const message = body !== undefined && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message : `The server answered ${status}`;
}

function fail({ write, warn }: Bridge, id: RequestId | undefined, message: string): void {
  if (id === undefined) warn(message);
  else write(errorText(id, { code: SERVER_ERROR, message }));
}

function errorText(id: RequestId | null, error: { readonly code: number; readonly message: string }): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return undefined;
  }
}

/** Lines that hold something. @throws Error when one does not end */
async function* linesOf(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let open = '';
  for await (const chunk of input) {
    open += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = open.split('\n');
    open = lines.pop() ?? '';
    if (open.length > MAX_LINE_CHARS) throw new Error(`A line may have at most ${MAX_LINE_CHARS} characters`);
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (open.trim() !== '') yield open;
}
