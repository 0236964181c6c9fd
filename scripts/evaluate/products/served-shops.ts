import { createServer } from 'node:http';
import { type ProductPage, productPages } from './product-pages.ts';

/** Each shop has an address of its own, as it has a host: `127.0.1.1`, `127.0.1.2` and so on. */
const NETWORK = '127.0.1.';

/** The pages of the shops as they are served on this machine; the addresses in them, but for those of pictures, too. */
export function servedPages(port: number): readonly ProductPage[] {
  const pages = productPages();
  const hosts = [...new Set(pages.map(({ url }) => new URL(url).host))];
  const origins = new Map(hosts.map((host, at) => [host, `http://${NETWORK}${at + 1}:${port}`]));
  return pages.map((page) => {
    const { host } = new URL(page.url);
    const served = (text: string) => text.replaceAll(`https://${host}`, origins.get(host) ?? '');
    return { ...page, url: served(page.url), html: served(page.html) };
  });
}

/** Serves them, each shop with a sitemap, until the process ends; resolves with the seeds of a crawler. */
export async function serveShops(port: number): Promise<readonly string[]> {
  const bySite = Map.groupBy(servedPages(port), ({ url }) => new URL(url).hostname);
  for (const [hostname, pages] of bySite) await serve({ hostname, port }, pages);
  return [...bySite.values()].flatMap(([first]) => (first === undefined ? [] : [first.url]));
}

type Address = { readonly hostname: string; readonly port: number };

function serve({ hostname, port }: Address, pages: readonly ProductPage[]): Promise<void> {
  const answers = new Map(pages.map(({ url, html }) => [new URL(url).pathname, { type: 'text/html', body: html }]));
  const places = pages.map(({ url }) => `<url><loc>${url}</loc></url>`).join('');
  const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${places}</urlset>`;
  answers.set('/sitemap.xml', { type: 'application/xml', body: sitemap });
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': `${answer.type}; charset=utf-8` }).end(answer.body);
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, hostname, resolve));
}
