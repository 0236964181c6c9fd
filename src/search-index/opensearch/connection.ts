import type { Client } from '@opensearch-project/opensearch';
import { AppError } from '../../core/errors.ts';

/** Where the servers are, and who asks. */
export type ConnectionOptions = {
  /** URLs of nodes, with basic credentials in them if need be. */
  readonly nodes: readonly string[];
  readonly apiKey?: string | undefined;
  /** PEM of the authority that signed the servers' certificates. */
  readonly ca?: string | undefined;
  /** Milliseconds after which servers that do not answer a search count as away; 1,800 when it is left out. */
  readonly deadlineMs?: number | undefined;
};

export type Json = Readonly<Record<string, unknown>>;

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly body?: Json;
  /** Lines of JSON, each with its line end, instead of one body. */
  readonly lines?: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the servers count as away; those of a search when it is left out. */
  readonly deadlineMs?: number;
};

/**
 * The servers of the index. Calls throw AppError `index.unavailable` when no server answers in time, the index is red
 * or the servers do not take our credentials, `rate.exceeded` when its queues are full, and the signal's reason when
 * they are aborted, which cancels them on the server, too. The message says what is wrong; `details.reason` says
 * `refused` when waiting mends nothing.
 */
export interface Connection extends AsyncDisposable {
  /** Milliseconds that a search has. */
  readonly deadlineMs: number;
  call(call: Call): Promise<unknown>;
  /** Undefined for what is not there. */
  find(call: Call): Promise<unknown>;
}

/** A search has to be answered or refused within 2 s. */
const SEARCH_DEADLINE_MS = 1_800;
const RETRY_AFTER_SECONDS = 1;

/** Loads the client with the first use. Caller disposes. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { nodes, apiKey, ca, deadlineMs: searchMs = SEARCH_DEADLINE_MS } = options;
  const { Client, errors } = await import('@opensearch-project/opensearch');
  const client: Client = new Client({
    nodes: [...nodes],
    maxRetries: nodes.length > 1 ? 1 : 0,
    requestTimeout: searchMs,
    ...(apiKey === undefined ? {} : { headers: { authorization: `ApiKey ${apiKey}` } }),
    ...(ca === undefined ? {} : { ssl: { ca } }),
  });
  const translate = (error: unknown): unknown => {
    if (error instanceof errors.ResponseError) return refusalOf(error.statusCode ?? 0, error.body, error);
    if (error instanceof errors.OpenSearchClientError) return failureOf(error);
    return error;
  };
  const send = async (call: Call) => {
    call.signal?.throwIfAborted();
    const { method, path, body, lines, query, signal, deadlineMs = searchMs } = call;
    const request = client.transport.request(
      {
        method,
        path,
        ...(body === undefined ? {} : { body }),
        ...(lines === undefined ? {} : { bulkBody: lines }),
        ...(query === undefined ? {} : { querystring: query }),
      },
      { requestTimeout: deadlineMs },
    );
    // An event target waits for a promise that a listener returns, and what `abort` returns is one.
    const abort = () => void request.abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const { body: answer } = await request;
      return answer as unknown;
    } catch (error) {
      signal?.throwIfAborted();
      throw translate(error);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  };
  return {
    deadlineMs: searchMs,
    call: send,
    async find(call) {
      try {
        return await send(call);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Whether the servers said that an index or document is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof AppError && error.options.details?.['status'] === 404;
}

function unavailable(message: string, cause: unknown, details: Json = {}): AppError {
  return new AppError('index.unavailable', message, { cause, details, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

const AWAY = 'The servers of the index do not answer';

/** What OpenSSL and Node call a certificate that they do not trust. */
const UNTRUSTED = /certificate|altname|CERT_/i;

function failureOf(error: Error): AppError {
  if (!UNTRUSTED.test(error.message)) return unavailable(AWAY, error);
  const message = `The certificate of the servers of the index is not trusted (${error.message}): set OPENSEARCH_CA_FILE`;
  return unavailable(message, error, { reason: 'refused' });
}

function refusalOf(status: number, body: unknown, cause: Error): AppError {
  if (status === 429) {
    return new AppError('rate.exceeded', 'The index has too much to do at the moment', {
      cause,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (status === 401 || status === 403) {
    const message =
      status === 401
        ? 'The servers of the index do not know the credentials of OPENSEARCH_URL or OPENSEARCH_API_KEY'
        : 'The account on the servers of the index lacks a right: docs/scaling.md names those that it needs';
    return unavailable(message, cause, { status, body, reason: 'refused' });
  }
  if (status > 500) return unavailable(AWAY, cause, { status, body });
  return new AppError('internal', 'The index refused a request', { cause, details: { status, body } });
}
