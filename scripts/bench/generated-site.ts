import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from './seeded-random.ts';

/** Links per page, and bytes of template around the text: what real pages look like (crawling experiments). */
const LINKS = 90;
const TEMPLATE_BYTES = 30_000;
const TEMPLATE = `<div class="teaser">${'<span class="x"></span>'.repeat(Math.floor(TEMPLATE_BYTES / 23))}</div>`;

export type GeneratedSite = AsyncDisposable & {
  /** One per host: 127.0.0.1 and following. Page `n` is `/p/n` of host `n % hosts`. */
  readonly origins: readonly [string, ...string[]];
  readonly origin: string;
  requests(): number;
};

export type GeneratedSiteOptions = {
  readonly seed?: number;
  readonly hosts?: number;
  /** Pages have an ETag, and are answered by 304 when it is sent back. */
  readonly validators?: boolean;
};

/**
 * A site of `pages` pages on loopback ports: about 45 KB and 90 links each, every page reachable from page 0. The
 * same for a seed.
 */
export async function startGeneratedSite(pages: number, options: GeneratedSiteOptions = {}): Promise<GeneratedSite> {
  const { seed = 7, hosts = 1, validators = false } = options;
  const origins: string[] = [];
  const bodies: Buffer[] = [];
  let requests = 0;
  const answer = (request: IncomingMessage, response: ServerResponse, host: number) => {
    requests++;
    const page = Number(/^\/p\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
    if (!(page < pages) || page % hosts !== host) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    bodies[page] ??= makePage({ page, pages, seed, origins });
    send(request, response, bodies[page], validators);
  };
  const servers = Array.from({ length: hosts }, (_, host) =>
    createServer((request, response) => answer(request, response, host)),
  );
  for (const [host, server] of servers.entries()) origins.push(await listen(server, `127.0.0.${host + 1}`));
  const [origin = ''] = origins;
  return {
    ...{ origin, origins: [origin, ...origins.slice(1)] },
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

/** URL of a page of a generated site. */
export function generatedUrl(origins: readonly string[], page: number): string {
  return `${origins[page % origins.length]}/p/${page}`;
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

type MadePage = {
  readonly page: number;
  readonly pages: number;
  readonly seed: number;
  readonly origins: readonly string[];
};

function makePage({ page, pages, seed, origins }: MadePage): Buffer {
  const random = seededRandom(seed * 1_000_003 + page);
  const word = () => `w${Math.floor(Math.exp(random() * Math.log(12_000))).toString(36)}`;
  const sentence = () => `${Array.from({ length: 6 + Math.floor(random() * 18) }, word).join(' ')}.`;
  const paragraph = () => `<p>${Array.from({ length: 3 + Math.floor(random() * 4) }, sentence).join(' ')}</p>`;
  // The next page and a few ahead keep every page reachable; the rest is random.
  const targets = [
    page + 1,
    page + 2,
    page * 2,
    page * 2 + 1,
    ...Array.from({ length: LINKS }, () => Math.floor(random() * pages)),
  ];
  const own = page % origins.length;
  const href = (target: number) => (target % origins.length === own ? `/p/${target}` : generatedUrl(origins, target));
  const links = targets
    .filter((target) => target < pages)
    .map((target) => `<li><a href="${href(target)}">Page ${target} ${word()}</a></li>`);
  return Buffer.from(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${page} ${word()}</title>
<meta name="description" content="About ${word()} and ${word()}"></head><body><nav><ul>${links.join('')}</ul></nav>
<main><h1>Page ${page}</h1>${Array.from({ length: 12 }, paragraph).join('\n')}</main>${TEMPLATE}<footer>Footer</footer></body></html>`);
}
