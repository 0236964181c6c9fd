import { createServer } from 'node:http';
import { seededRandom } from './seeded-random.ts';

/** Links per page, and bytes of template around the text: what real pages look like (crawling experiments). */
const LINKS = 90;
const TEMPLATE_BYTES = 30_000;

export type GeneratedSite = AsyncDisposable & { readonly origin: string; requests(): number };

/**
 * A site of `pages` pages on a loopback port: about 45 KB and 90 links each, every page reachable from `/p/0`. The
 * same for a seed.
 */
export async function startGeneratedSite(pages: number, seed = 7): Promise<GeneratedSite> {
  const bodies = Array.from({ length: pages }, (_, page) => makePage(page, pages, seed));
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    const match = /^\/p\/(\d+)$/.exec(request.url ?? '');
    const body = bodies[Number(match?.[1] ?? Number.NaN)];
    if (body === undefined) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function makePage(page: number, pages: number, seed: number): Buffer {
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
  const links = targets
    .filter((target) => target < pages)
    .map((target) => `<li><a href="/p/${target}">Page ${target} ${word()}</a></li>`);
  const template = `<div class="teaser">${'<span class="x"></span>'.repeat(Math.floor(TEMPLATE_BYTES / 23))}</div>`;
  return Buffer.from(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${page} ${word()}</title>
<meta name="description" content="About ${word()} and ${word()}"></head><body><nav><ul>${links.join('')}</ul></nav>
<main><h1>Page ${page}</h1>${Array.from({ length: 12 }, paragraph).join('\n')}</main>${template}<footer>Footer</footer></body></html>`);
}
