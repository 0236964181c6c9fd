import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createPageMaker, pageOfPath } from '../generated-page.ts';
import { seededRandom } from '../seeded-random.ts';

/** What a site says of the changes of its pages. */
export const SITE_KINDS = [
  'etag',
  'last-modified',
  'lastmod-true',
  'lastmod-lying',
  'nothing',
  'template-only',
] as const;
export type SiteKind = (typeof SITE_KINDS)[number];

export type RecrawlSite = AsyncDisposable & {
  readonly origin: string;
  /** A new text on these pages. */
  change(pages: readonly number[]): void;
  url(page: number): string;
  /** Bytes sent and pages asked for since the last call. */
  take(): { readonly bytes: number; readonly pages: number; readonly notModified: number };
};

const DAY = 86_400_000;
const WORDS = 'harbour ledger meadow copper lantern orchard signal timber velvet window anchor barley cinder'.split(
  ' ',
);
const SENTENCE_WORDS = 16;

/** A sentence that no other page and no other state of the page has: what repeats on a site is no text of a page. */
function sentence(page: number, version: number): string {
  const random = seededRandom(page * 31 + version);
  const words = Array.from({ length: SENTENCE_WORDS }, () => WORDS[Math.floor(random() * WORDS.length)]);
  return `The ${words.join(' ')} was written anew by its editors.`;
}

/** A site of 46 KB pages on a loopback port. */
export async function startRecrawlSite(kind: SiteKind, pages: number, now: () => number): Promise<RecrawlSite> {
  const versions = new Map<number, { readonly version: number; readonly at: number }>();
  const counts = { bytes: 0, pages: 0, notModified: 0, renders: 0 };
  const sockets = new Map<Socket, number>();
  const site = { maker: createPageMaker(pages, 7, ['']), start: now() };
  const stateOf = (page: number) => versions.get(page) ?? { version: 0, at: site.start - ((page % 300) + 2) * DAY };
  const timeOf = (page: number) => new Date(Math.floor(stateOf(page).at / 1_000) * 1_000);

  const bodyOf = (page: number): string => {
    const { version } = stateOf(page);
    const edition = `</h1><p>${sentence(page, version)}</p>`;
    const dated = `<meta property="article:modified_time" content="${timeOf(page).toISOString()}"></head>`;
    const body = site.maker.body(page).toString().replace('</h1>', edition);
    const told = kind.startsWith('lastmod') ? body.replace('</head>', dated) : body;
    return kind === 'template-only'
      ? told.replace('</body>', `<footer id="r${counts.renders++}"></footer></body>`)
      : told;
  };
  const validatorsOf = (page: number): Record<string, string> => {
    if (kind === 'etag' || kind === 'lastmod-lying') return { etag: `"${page}-${stateOf(page).version}"` };
    return kind === 'last-modified' ? { 'last-modified': timeOf(page).toUTCString() } : {};
  };
  const sendPage = (request: IncomingMessage, response: ServerResponse, page: number) => {
    counts.pages++;
    const headers = validatorsOf(page);
    const { etag, 'last-modified': lastModified } = headers;
    const isSame =
      (etag !== undefined && request.headers['if-none-match'] === etag) ||
      (lastModified !== undefined && request.headers['if-modified-since'] === lastModified);
    if (isSame) counts.notModified++;
    if (isSame) response.writeHead(304, headers).end();
    else response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(bodyOf(page));
  };
  const sitemap = (origin: string): Buffer => {
    const urls = Array.from({ length: pages }, (_, page) => {
      // A liar never names a change.
      const at = kind === 'lastmod-true' ? timeOf(page) : new Date(site.start - ((page % 300) + 2) * DAY);
      return `<url><loc>${origin}${site.maker.path(page)}</loc><lastmod>${at.toISOString()}</lastmod></url>`;
    });
    return gzipSync(`<urlset>${urls.join('\n')}</urlset>`);
  };
  const server = createServer((request, response) => {
    const page = pageOfPath(request.url ?? '');
    if (page < pages) sendPage(request, response, page);
    else if (request.url === '/sitemap.xml' && kind.startsWith('lastmod')) response.end(sitemap(origin));
    else response.writeHead(404).end();
  });
  server.on('connection', (socket) => {
    sockets.set(socket, 0);
    socket.on('close', () => {
      counts.bytes += socket.bytesWritten - (sockets.get(socket) ?? 0);
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (page) => `${origin}${site.maker.path(page)}`,
    change: (changed) => {
      for (const page of changed) versions.set(page, { version: stateOf(page).version + 1, at: now() });
    },
    take: () => {
      for (const [socket, before] of sockets) {
        counts.bytes += socket.bytesWritten - before;
        sockets.set(socket, socket.bytesWritten);
      }
      const taken = { bytes: counts.bytes, pages: counts.pages, notModified: counts.notModified };
      Object.assign(counts, { bytes: 0, pages: 0, notModified: 0 });
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
