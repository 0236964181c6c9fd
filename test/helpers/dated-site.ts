import { page } from './crawl.ts';
import { type SiteServer, sendPage, startSiteServer } from './site-server.ts';
import { sitemap } from './sitemap.ts';

const DAY = 86_400_000;

export type DatedSite = SiteServer & {
  readonly numbers: readonly number[];
  readonly paths: readonly string[];
  /** A new text with its date in the page; `listed: false` keeps the sitemap silent about it. */
  change(number: number, at: number, options?: { readonly listed: boolean }): void;
};

/** Pages `/p0` … that only a sitemap names; their dates are true. `tagged`: with an ETag that is heeded. */
export async function datedSite(count: number, { tagged = false } = {}): Promise<DatedSite> {
  const site = await startSiteServer({ '/': page('Home') });
  const numbers = Array.from({ length: count }, (_, number) => number);
  const listed = new Map(numbers.map((number) => [`/p${number}`, timeOf(Date.now() - (number + 2) * DAY)]));
  const put = (number: number, title: string, time: string) => {
    const made = page(title, [], `<meta property="article:modified_time" content="${time}">`);
    const etag = `"${title}"`;
    site.set(`/p${number}`, (request, response) => {
      if (tagged && request.headers['if-none-match'] === etag) sendPage(response, { status: 304 });
      else sendPage(response, tagged ? { ...made, headers: { etag } } : made);
    });
  };
  const list = () => site.set('/sitemap.xml', sitemap(site.origin, Object.fromEntries(listed)));
  for (const number of numbers) put(number, `Page ${number}`, listed.get(`/p${number}`) ?? '');
  list();
  return {
    ...site,
    numbers,
    paths: numbers.map((number) => `/p${number}`),
    change: (number, at, options = { listed: true }) => {
      put(number, `Changed ${number}`, timeOf(at));
      if (options.listed) listed.set(`/p${number}`, timeOf(at));
      list();
    },
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
