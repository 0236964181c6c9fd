import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printDocx } from './print-docx.ts';
import { printPage } from './print-page.ts';
import { printPdf } from './print-pdf.ts';
import { type Content, readContent } from './read-content.ts';

/** How many pages of the same folder a page links to at its end. */
const RELATED_COUNT = 4;

export type Site = {
  /** Pages above this one, the home page first. */
  trailOf(page: Content): readonly Content[];
  /** What a listing lists: the pages of its folder, newest first, undated ones by title. */
  childrenOf(listing: Content): readonly Content[];
  relatedTo(page: Content): readonly Content[];
  translationOf(page: Content): Content | undefined;
};

/** Every file of the demo site by its path, as it is committed in `web/sample-site`. */
export function buildSite(contentFolder: string): ReadonlyMap<string, Uint8Array> {
  const contents = readContent(contentFolder);
  const pages = contents.filter(({ kind }) => kind !== 'pdf' && kind !== 'docx');
  const site = describeSite(pages);
  const files = new Map<string, Uint8Array>();
  for (const content of contents) {
    if (content.kind === 'pdf') files.set(`${content.path}.pdf`, printPdf(content));
    else if (content.kind === 'docx') files.set(`${content.path}.docx`, printDocx(content));
    else files.set(`${content.path}.html`, Buffer.from(printPage(site, content)));
  }
  files.set('site.css', readFileSync(join(contentFolder, 'site.css')));
  files.set('robots.txt', Buffer.from(ROBOTS));
  files.set('sitemap.xml', Buffer.from(printSitemap(contents)));
  return files;
}

/** Both places where the site may lie: at the root of a host, and below `/sample/`. */
const ROBOTS = `User-agent: *
Disallow: /staff/
Disallow: /sample/staff/
`;

/** Addresses are relative to the sitemap, because the site does not know its host. */
function printSitemap(contents: readonly Content[]): string {
  const rows = contents
    .filter(({ path }) => !path.startsWith('staff/'))
    .map(({ path, kind, head }) => {
      const ending = kind === 'pdf' || kind === 'docx' ? kind : 'html';
      const date = head['updated'] ?? head['date'];
      return `<url><loc>${path}.${ending}</loc>${date ? `<lastmod>${date}</lastmod>` : ''}</url>`;
    });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join('\n')}\n</urlset>\n`;
}

function describeSite(pages: readonly Content[]): Site {
  const pageByPath = new Map(pages.map((page) => [page.path, page]));
  const homeOf = ({ language }: Content) => (language === 'de' ? 'de/index' : 'index');
  const siblings = (page: Content) => {
    const folder = page.path.slice(0, page.path.lastIndexOf('/') + 1);
    const others = pages.filter(({ path }) => path !== page.path && path.startsWith(folder) && folder !== '');
    return others.filter(({ path }) => !path.endsWith('/index')).sort(byDate);
  };
  return {
    trailOf: (page) => {
      const folder = page.path.replace(/\/?[^/]+$/, '');
      const above = [homeOf(page), ...(folder === '' ? [] : [`${folder}/index`])];
      const steps = [...new Set(above)].filter((path) => path !== page.path);
      return steps.map((path) => pageByPath.get(path)).filter((step) => step !== undefined);
    },
    childrenOf: siblings,
    relatedTo: (page) => {
      if (page.kind === 'listing' || page.path.endsWith('index')) return [];
      const all = siblings(page);
      const next = all.filter((other) => byDate(other, page) < 0).length;
      return [...all.slice(next), ...all.slice(0, next)].slice(0, RELATED_COUNT);
    },
    translationOf: (page) => {
      const own = page.head['translation'];
      return own ? pageByPath.get(own) : pages.find(({ head }) => head['translation'] === page.path);
    },
  };
}

function byDate(a: Content, b: Content): number {
  const [first, second] = [a.head['date'] ?? '', b.head['date'] ?? ''];
  return first === second ? a.title.localeCompare(b.title, 'en') : second.localeCompare(first, 'en');
}
