import { escapeHtml } from '../../src/core/escape-html.ts';
import { parseBlocks } from './blocks.ts';
import { printForum } from './print-forum.ts';
import { printHtml, type ResolveLink } from './print-html.ts';
import { printStructuredData } from './print-structured-data.ts';
import { type Content, shortTitle } from './read-content.ts';
import type { Site } from './site.ts';
import { WORDS } from './words.ts';

/** A whole HTML page with the site's head, navigation, breadcrumb and footer. All links are relative. */
export function printPage(site: Site, page: Content): string {
  const words = WORDS[page.language];
  const resolve = linkFrom(page);
  const trail = site.trailOf(page);
  const translation = site.translationOf(page);
  const title = page.path === 'index' ? page.title : `${page.title} – ${words.siteName}`;
  const alternate = translation
    ? `<link rel="alternate" hreflang="${translation.language}" href="${resolve(`/${translation.path}`)}">\n`
    : '';
  return `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(page.description)}">
<meta property="og:title" content="${escapeHtml(page.title)}">
<meta property="og:site_name" content="${words.siteName}">
${dateMetas(page)}${alternate}<link rel="stylesheet" href="${resolve('/site.css')}">
${printStructuredData(page, trail, resolve)}
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header class="top">
<p class="name"><a href="${resolve(words.home)}">${words.siteName}</a></p>
<nav aria-label="${words.mainNavigation}"><ul>
${words.navigation.map(([label, target]) => `<li><a href="${resolve(target)}">${label}</a></li>`).join('\n')}
</ul></nav>
</header>
${printTrail(trail, page, resolve, words.breadcrumb)}<main id="content">
${printBody(site, page, resolve)}
</main>
${printRelated(site, page, resolve)}<footer>
${printHtml(parseBlocks(words.footer), resolve)}
</footer>
</body>
</html>
`;
}

/** `/visit/tickets` from the root, seen from this page; a path without a file ending is a page. */
function linkFrom(page: Content): ResolveLink {
  const up = '../'.repeat(page.path.split('/').length - 1);
  return (target) => {
    if (!target.startsWith('/')) return target;
    const [path = '', anchor] = target.slice(1).split('#');
    const file = /\.[a-z]+$/.test(path) ? path : `${path}.html`;
    return `${up}${file}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}

function dateMetas({ head }: Content): string {
  const meta = (name: string, value: string | undefined) =>
    value ? `<meta property="article:${name}" content="${value}">\n` : '';
  return meta('published_time', head['date']) + meta('modified_time', head['updated']);
}

function printTrail(trail: readonly Content[], page: Content, resolve: ResolveLink, label: string): string {
  if (trail.length === 0) return '';
  const links = trail.map(
    (step) => `<li><a href="${resolve(`/${step.path}`)}">${escapeHtml(shortTitle(step))}</a></li>`,
  );
  const here = `<li aria-current="page">${escapeHtml(page.title)}</li>`;
  return `<nav class="breadcrumb" aria-label="${label}"><ol>${links.join('')}${here}</ol></nav>\n`;
}

function printBody(site: Site, page: Content, resolve: ResolveLink): string {
  const heading = `<h1>${escapeHtml(page.title)}</h1>`;
  if (page.kind === 'forum') return `${heading}\n${printForum(page, resolve)}`;
  const text = printHtml(parseBlocks(page.text), resolve);
  switch (page.kind) {
    case 'article':
    case 'guide':
      return `<article>\n${heading}\n${printByline(page)}${text}\n</article>`;
    case 'product':
      return `${heading}\n${printOffer(page)}\n${text}`;
    case 'listing':
      return `${heading}\n${text}\n${printCards(site.childrenOf(page), resolve)}`;
    default:
      return `${heading}\n${text}`;
  }
}

function printByline({ head, language }: Content): string {
  const { date, author, updated } = head;
  const words = WORDS[language];
  const parts = [
    date && `<time datetime="${date}">${formatDate(date, language)}</time>`,
    author && `${words.by} ${escapeHtml(author)}`,
    updated && `${words.updated} <time datetime="${updated}">${formatDate(updated, language)}</time>`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : `<p class="byline">${parts.join(' · ')}</p>\n`;
}

function printOffer({ head }: Content): string {
  return `<p class="offer"><span class="price">€${head['price']}</span> <span class="stock">${head['stock']}</span> <span class="sku">Article ${head['sku']}</span></p>`;
}

function printCards(pages: readonly Content[], resolve: ResolveLink): string {
  const cards = pages.map((page) => {
    const { date, price } = page.head;
    const note = price ? `<p class="price">€${price}</p>` : '';
    const time = date ? `<p><time datetime="${date}">${formatDate(date, page.language)}</time></p>` : '';
    const link = `<h2><a href="${resolve(`/${page.path}`)}">${escapeHtml(page.title)}</a></h2>`;
    return `<li>${link}<p>${escapeHtml(page.description)}</p>${note}${time}</li>`;
  });
  return `<ul class="cards">\n${cards.join('\n')}\n</ul>`;
}

function printRelated(site: Site, page: Content, resolve: ResolveLink): string {
  const related = site.relatedTo(page);
  if (related.length === 0) return '';
  const links = related.map(
    (other) => `<li><a href="${resolve(`/${other.path}`)}">${escapeHtml(other.title)}</a></li>`,
  );
  return `<aside aria-label="${WORDS[page.language].related}"><h2>${WORDS[page.language].related}</h2><ul>${links.join('')}</ul></aside>\n`;
}

function formatDate(date: string, language: 'en' | 'de'): string {
  const format = new Intl.DateTimeFormat(language === 'de' ? 'de' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(date));
}
