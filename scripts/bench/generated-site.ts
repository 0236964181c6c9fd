import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPageMaker, pageOfPath } from './generated-page.ts';

export type GeneratedSite = AsyncDisposable & {
  /** One per host: 127.0.0.1 and following. */
  readonly origins: readonly string[];
  /** URL of page 0, from which all are reachable. */
  readonly start: string;
  requests(): number;
};

export type GeneratedSiteOptions = {
  readonly seed?: number;
  readonly hosts?: number;
  /** Pages have an ETag, and are answered by 304 when it is sent back. */
  readonly validators?: boolean;
  /** After which a request is answered. */
  readonly delayMs?: number;
};

/** A site of `pages` pages of about 46 KB and 94 links on loopback ports. The same for a seed. */
export async function startGeneratedSite(pages: number, options: GeneratedSiteOptions = {}): Promise<GeneratedSite> {
  const { seed = 7, hosts = 1, validators = false, delayMs = 0 } = options;
  const origins: string[] = [];
  const bodies: Buffer[] = [];
  let requests = 0;
  const answer = (request: IncomingMessage, response: ServerResponse, host: number) => {
    requests++;
    const page = pageOfPath(request.url ?? '');
    if (!(page < pages) || page % hosts !== host) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    bodies[page] ??= maker.body(page);
    send(request, response, bodies[page], validators);
  };
  const servers = Array.from({ length: hosts }, (_, host) =>
    createServer((request, response) => {
      if (delayMs === 0) answer(request, response, host);
      else setTimeout(answer, delayMs, request, response, host);
    }),
  );
  for (const [host, server] of servers.entries()) origins.push(await listen(server, `127.0.0.${host + 1}`));
  const maker = createPageMaker(pages, seed, origins);
  return {
    origins,
    start: `${origins[0]}${maker.path(0)}`,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

function send(request: IncomingMessage, response: ServerResponse, body: Buffer, validators: boolean): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length };
  if (!validators) {
    response.writeHead(200, headers).end(body);
    return;
  }
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { ...headers, etag }).end(body);
}

async function listen(server: Server, address: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return `http://${address}:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
}
