import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { wrapEmbeddingModel, wrapLanguageModel } from 'ai';
import { hostAndPortOf } from '../../core/url.ts';
import { yieldBriefly } from '../../core/yield.ts';
import { modelUnavailable } from '../model-fault.ts';

/** Where models are and what opens them. */
export type ModelEndpoint = ModelFetchOptions & {
  /** With `/v1` and its likes, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Sent with every call, beside the key. */
  readonly headers: Readonly<Record<string, string>>;
};

/** As the client library calls a model. */
export type ClientLanguageModel = ReturnType<typeof wrapLanguageModel>;
export type ClientEmbeddingModel = ReturnType<typeof wrapEmbeddingModel>;

/**
 * Models by their names, called as the client library's providers offer them, without its functions around them: those
 * retry for seconds, print warnings and record what was asked. Opens no connection before the first call. The caller
 * disposes of it.
 */
export type ModelProvider = Disposable & {
  languageModel(name: string): ClientLanguageModel;
  embeddingModel(name: string): ClientEmbeddingModel;
};

/** Far above any answer of the lengths that are asked for. */
const MAX_RESPONSE_BYTES = 2 * 1_024 * 1_024;
const BODYLESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

type ModelFetchOptions = {
  /** `host:port`, as `URL` writes the host. */
  readonly allowedHosts: ReadonlySet<string>;
  /** PEM of an authority beside those of Node. */
  readonly certificateAuthority: string | undefined;
};

/** Sends requests to the hosts of the models. */
export type ModelConnection = Disposable & {
  /** A `fetch` whose good answers have one of the media types; any other is `wrong-media-type`. */
  fetchFor(mediaTypes: readonly string[]): typeof globalThis.fetch;
};

/**
 * The only way to a model. Over Node's own client, whose agents (unlike the global ones) take no proxy from the
 * environment: an allowed host is reached directly, redirects are refused, an answer ends at 2 MiB, and an abort
 * destroys the socket at once. Sockets are kept for the next call; the caller disposes of them.
 */
export function openModelConnection({ allowedHosts, certificateAuthority }: ModelFetchOptions): ModelConnection {
  const ca = certificateAuthority === undefined ? {} : { ca: [...rootCertificates, certificateAuthority] };
  const agents = {
    'http:': { request: requestHttp, agent: new HttpAgent({ keepAlive: true }) },
    'https:': { request: requestHttps, agent: new HttpsAgent({ keepAlive: true, ...ca }) },
  };

  async function exchange(target: URL, init: RequestInit): Promise<IncomingMessage> {
    const { request, agent } = agents[target.protocol as keyof typeof agents];
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' };
    const sent = request(target, { method: init.method ?? 'GET', headers, agent }, resolve);
    sent.on('error', reject);
    closeOnAbort(sent, init.signal);
    sent.end(init.body);
    return promise;
  }

  return {
    fetchFor: (mediaTypes) => async (input, init) => {
      const target = new URL(input instanceof Request ? input.url : input);
      const host = hostAndPortOf(target);
      if (!allowedHosts.has(host)) throw modelUnavailable('host-not-allowed', { host });
      const message = await exchange(target, input instanceof Request ? await sentBy(input, init) : (init ?? {}));
      return responseOf(message, mediaTypes);
    },
    [Symbol.dispose]: () => {
      for (const { agent } of Object.values(agents)) agent.destroy();
    },
  };
}

/**
 * Not by the client's own option: that destroys the socket also when the answer was read and the socket waits for the
 * next call, with an error that nobody listens for.
 */
function closeOnAbort(sent: ClientRequest, signal: AbortSignal | null | undefined): void {
  let message: IncomingMessage | undefined;
  sent.on('response', (response) => {
    message = response;
    // Who reads the body is told of errors by its reads.
    response.on('error', () => undefined);
  });
  const onAbort = () => {
    if (message === undefined) sent.destroy();
    else if (!message.readableEnded) message.destroy();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
}

/** What a request that was made as an object sends. */
async function sentBy(input: Request, init: RequestInit | undefined): Promise<RequestInit> {
  const request = new Request(input, init);
  return { method: request.method, headers: request.headers, signal: request.signal, body: await request.bytes() };
}

function responseOf(message: IncomingMessage, mediaTypes: readonly string[]): Response {
  const status = message.statusCode ?? 0;
  const isGood = status >= 200 && status < 300;
  const mediaType = (message.headers['content-type'] ?? '').toLowerCase();
  const isWrong = isGood && !mediaTypes.some((wanted) => mediaType.startsWith(wanted));
  if (isWrong || (status >= 300 && status < 400)) {
    message.destroy();
    throw isWrong ? modelUnavailable('wrong-media-type') : modelUnavailable('redirect', { status });
  }
  const headers = Object.entries(message.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Response(BODYLESS_STATUSES.has(status) ? null : limitedBody(message), { status, headers });
}

/** What comes while a piece waits for its turn comes with the next one: the more streams there are, the larger the pieces. */
function limitedBody(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  let remaining = MAX_RESPONSE_BYTES;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) return controller.close();
      await yieldBriefly();
      remaining -= value.byteLength;
      if (remaining >= 0) return controller.enqueue(value);
      message.destroy();
      throw modelUnavailable('too-large');
    },
    cancel: () => void message.destroy(),
  });
}
