import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { AppError } from '../../core/errors.ts';
import { toFetchError } from './failure.ts';
import type { Pools } from './pools.ts';
import type { OpenProxySession } from './proxy-session.ts';

type Forwarded = {
  readonly pools: Pools;
  readonly session: OpenProxySession;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

/** RFC 9110 section 7.6.1: for the next hop only. Expect is answered by this server already. */
const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** A plain request: `GET http://host/path`. */
export function forward(forwarded: Forwarded): void {
  const { session, request, response } = forwarded;
  const url = URL.parse(request.url ?? '');
  if (url === null || url.protocol !== 'http:' || !session.mayBegin()) {
    refuse(response, 403);
    return;
  }
  send(forwarded, url).catch((error: unknown) => {
    session.failed(url.origin, error);
    refuse(response, isRefusal(error) ? 403 : 502);
  });
}

async function send({ pools, session, request, response }: Forwarded, url: URL): Promise<void> {
  const { access, limits } = session;
  const stop = new AbortController();
  const ending = { destroy: () => stop.abort() };
  const free = await session.connection(url.origin);
  session.own(ending);
  response.once('close', () => stop.abort());
  try {
    await pools.use(url.origin, { access, limits }, async (connections) => {
      const answer = await connections.send({
        method: request.method as Dispatcher.HttpMethod,
        path: url.pathname + url.search,
        headers: headersOf(request),
        body: hasBody(request) ? request : null,
        signal: stop.signal,
      });
      response.writeHead(answer.statusCode, kept(answer.headers));
      await pipeline(answer.body, counted(session), response);
    });
  } catch (error) {
    throw toFetchError(error, 'headers');
  } finally {
    session.disown(ending);
    free();
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const joined = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'host' ? [] : [[name, [value].flat().join(', ')] as const],
  );
  return Object.fromEntries(joined.filter(([name]) => !NOT_FORWARDED.has(name)));
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function kept(headers: Headers): Record<string, string | string[]> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries.filter(([name]) => !NOT_FORWARDED.has(name.toLowerCase())));
}

function counted(session: OpenProxySession): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (session.count(chunk.length)) done(null, chunk);
      else done(new Error('The page has used its bytes'));
    },
  });
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'fetch.blocked-address';
}

function refuse(response: ServerResponse, status: 403 | 502): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-length': '0' }).end();
}
