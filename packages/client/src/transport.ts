import { FossickError, readError } from './fossick-error.ts';
import { RETRYABLE_ERROR_CODES } from './generated-types.ts';

/** Where an installation is, and how it is asked. */
export type Connection = {
  /** Absent: the host of the page. */
  readonly baseUrl?: string;
  readonly customerId: number | string;
  /** In place of the global function. */
  readonly fetch?: typeof globalThis.fetch;
  /** How often a request that may be sent twice is sent again; absent: 2. */
  readonly retries?: number;
  /** In place of a timer, between two attempts; rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
};

/** One engine; `siteKey` may be seen by everybody, `apiKey` stays on servers. With neither the site key is made of the ids. */
export type EngineConnection = Connection & {
  readonly engineId: number | string;
  readonly siteKey?: string;
  readonly apiKey?: string;
};

export type CallOptions = { readonly signal?: AbortSignal | undefined };

export type Sent = CallOptions & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Parameters without a value are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Besides those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes on when the page is left, as a click does. */
  readonly keepalive?: boolean;
};

/** `isRepeatable`: sending it twice does what sending it once does. */
export type Call = Sent & { readonly isRepeatable: boolean };

/** All reject with a `FossickError`, or with the reason of the signal. */
export type Transport = {
  /** The body of the answer, which is trusted to be what the service describes. */
  readonly ask: <Answer>(call: Call) => Promise<Answer>;
  /** The same with the headers that came before it. */
  readonly askWithHeaders: <Answer>(call: Call) => Promise<{ readonly body: Answer; readonly headers: Headers }>;
  /** Resolves with the headers; the body follows. Sent once. */
  readonly open: (call: Sent) => Promise<Response>;
};

const RETRIES = 2;
/** Before the second attempt; doubles with each, and is drawn between its half and itself, so that callers spread. */
const FIRST_WAIT_MS = 200;
/** A service that wants to be left alone for longer is not waited for. */
const MAX_WAIT_MS = 10_000;
/** The product behind a proxy that starts, stops or is full. */
const RETRYABLE_STATUSES: readonly number[] = [0, 429, 502, 503, 504];

export function createTransport(connection: Connection, authorization?: string): Transport {
  const open: Transport['open'] = (call) => sendOnce(connection, call, authorization);
  const askWithHeaders = <Answer>(call: Call) =>
    attempt(connection, call, async () => {
      const response = await open(call);
      return { body: await readJson<Answer>(response, call), headers: response.headers };
    });
  return {
    open,
    askWithHeaders,
    ask: async <Answer>(call: Call) => (await askWithHeaders<Answer>(call)).body,
  };
}

/** Of one engine. Contract: 1.6. */
export function engineAuthorization({ customerId, engineId, siteKey, apiKey }: EngineConnection): string {
  if (apiKey !== undefined) return basicAuthorization(customerId, apiKey);
  return `SiteKey ${siteKey ?? btoa(`${customerId}:${engineId}:SearchKey`)}`;
}

export function basicAuthorization(customerId: number | string, apiKey: string): string {
  return `Basic ${btoa(`${customerId}:${apiKey}`)}`;
}

/** The one place that repeats requests. */
async function attempt<Answer>(connection: Connection, call: Call, send: () => Promise<Answer>): Promise<Answer> {
  const { retries = RETRIES, wait = sleep } = connection;
  for (let made = 1; ; made += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof FossickError) || !call.isRepeatable || made > retries) throw error;
      const waitMs = waitBefore(error, made);
      if (waitMs === undefined) throw error;
      await wait(waitMs, call.signal);
    }
  }
}

/** Undefined when another attempt would not help, or not soon. */
function waitBefore({ status, errorCode, retryAfterSeconds }: FossickError, made: number): number | undefined {
  if (!RETRYABLE_STATUSES.includes(status) && !RETRYABLE_ERROR_CODES.includes(errorCode)) return undefined;
  const backoffMs = FIRST_WAIT_MS * 2 ** (made - 1) * (0.5 + Math.random() / 2);
  const waitMs = retryAfterSeconds === undefined ? backoffMs : retryAfterSeconds * 1_000;
  return waitMs > MAX_WAIT_MS ? undefined : waitMs;
}

async function sendOnce(connection: Connection, call: Sent, authorization: string | undefined): Promise<Response> {
  const { baseUrl = '', fetch = globalThis.fetch } = connection;
  const { method, path, query = {}, body, signal = null, keepalive = false } = call;
  const values = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = values.length === 0 ? '' : `?${new URLSearchParams(values)}`;
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(authorization !== undefined && { authorization }),
    ...call.headers,
  };
  const text = body === undefined ? null : JSON.stringify(body);
  const address = `${baseUrl.replace(/\/+$/, '')}${path}${search}`;
  const response = await fetch(address, { method, headers, body: text, signal, keepalive }).catch((cause: unknown) => {
    throw failed('The service did not answer', cause, call);
  });
  if (!response.ok) throw await readError(response);
  return response;
}

async function readJson<Answer>(response: Response, call: Sent): Promise<Answer> {
  const text = await response.text().catch((cause: unknown) => {
    throw failed('The answer broke off', cause, call);
  });
  if (response.status === 204) return undefined as Answer;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FossickError('The answer is not JSON', { status: response.status, errorCode: 'answer.foreign', cause });
  }
}

function failed(message: string, cause: unknown, { signal }: Sent): unknown {
  if (signal?.aborted === true) return signal.reason;
  return new FossickError(message, { status: 0, errorCode: 'connection.failed', cause });
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
