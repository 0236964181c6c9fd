import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export type Page = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
};
/** `visit` counts from 1 per path. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, visit: number) => unknown;
export type Route = Page | Behaviour;

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
};

export type SiteServer = AsyncDisposable & {
  /** `http://127.0.0.x:port` */
  readonly origin: string;
  /** Entry of an allow list. */
  readonly host: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Connections accepted so far. */
  readonly connections: () => number;
  readonly count: (path: string) => number;
  /** Adds or replaces a page while the site runs. */
  readonly set: (path: string, route: Route) => void;
};

/** A site on a free loopback port. Paths are matched with their query first, then without it, then by `*`; else 404. */
export async function startSiteServer(
  routes: Readonly<Record<string, Route>>,
  { address = '127.0.0.1' }: { readonly address?: string } = {},
): Promise<SiteServer> {
  const table = new Map(Object.entries(routes));
  const requests: SeenRequest[] = [];
  const visits = new Map<string, number>();
  let connections = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const bare = path.split('?')[0] ?? path;
    requests.push({ method: request.method ?? '', path, headers: request.headers, at: Date.now() });
    visits.set(path, (visits.get(path) ?? 0) + 1);
    const route = table.get(path) ?? table.get(bare) ?? table.get('*') ?? { status: 404, body: 'not found' };
    if (typeof route === 'function') route(request, response, visits.get(path) ?? 1);
    else sendPage(response, route);
  });
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = `${address}:${port}`;
  return {
    origin: `http://${host}`,
    host,
    port,
    requests,
    connections: () => connections,
    count: (path) => visits.get(path) ?? 0,
    set: (path, route) => table.set(path, route),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendPage(response: ServerResponse, { status = 200, headers = {}, body = '' }: Page): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers } as Record<string, string>);
  response.end(body);
}

const HALF = 'a'.repeat(1_000);

/** The headers never come. */
export const silent: Behaviour = () => {};

/** Headers and a first piece, then nothing. */
export const stalled: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.write('<p>begin');
};

/** The page after `waitMs`. */
export function slow(waitMs: number, page: Page): Behaviour {
  return (_request, response) => {
    const timer = setTimeout(() => sendPage(response, page), waitMs);
    response.on('close', () => clearTimeout(timer));
  };
}

/** The connection ends without an answer. */
export const dropped: Behaviour = (request) => request.socket.destroy();

/** Half of the promised body, then the connection ends. */
export const halfBody: Behaviour = (request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': '2000' });
  response.write(HALF, () => request.socket.end());
};

/** A chunked body without its end. */
export const openChunks: Behaviour = (request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'transfer-encoding': 'chunked' });
  response.write(HALF, () => request.socket.end());
};

/** What is no HTTP. */
export const brokenHttp: Behaviour = (request) => request.socket.end('NONSENSE\r\n\r\n');

/** More bytes than the length says. */
export const wrongLength: Behaviour = (request) => {
  request.socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\n\r\nhello and more');
};

export function redirectTo(location: string, status = 302): Page {
  return { status, headers: { location } };
}

/** `failures` answers of `failure`, then the page. */
export function recovering(page: Page, failure: Page = { status: 503, body: 'busy' }, failures = 1): Behaviour {
  return (_request, response, visit) => sendPage(response, visit <= failures ? failure : page);
}

/** Zeros, compressed about 1,000 to 1. */
export function gzipBomb(bytes: number): Page {
  return { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(bytes), { level: 9 }) };
}

/** Says UTF-8, is windows-1252. */
export function badCharset(latinText: string): Page {
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(latinText, 'latin1') };
}
