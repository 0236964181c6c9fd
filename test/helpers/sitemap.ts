import type { Page } from './site-server.ts';

const XML = { 'content-type': 'application/xml' };

/** Path → `lastmod` (`''` = none). */
export function sitemap(origin: string, entries: Readonly<Record<string, string>>): Page {
  const urls = Object.entries(entries).map(([path, lastmod]) => {
    const time = lastmod === '' ? '' : `<lastmod>${lastmod}</lastmod>`;
    return `<url><loc>${origin}${path}</loc>${time}</url>`;
  });
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('\n')}</urlset>`;
  return { headers: XML, body };
}

export function sitemapIndex(origin: string, paths: readonly string[]): Page {
  const sitemaps = paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`);
  return { headers: XML, body: `<sitemapindex>${sitemaps.join('')}</sitemapindex>` };
}

/** Of RSS; path → `pubDate`. */
export function rssFeed(origin: string, items: Readonly<Record<string, string>>): Page {
  const texts = Object.entries(items).map(
    ([path, date]) => `<item><title>News</title><link>${origin}${path}</link><pubDate>${date}</pubDate></item>`,
  );
  const body = `<rss version="2.0"><channel><title>News</title><link>${origin}/</link>${texts.join('')}</channel></rss>`;
  return { headers: { 'content-type': 'application/rss+xml' }, body };
}
