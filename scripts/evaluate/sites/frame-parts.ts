import type { Article, MadeSite, Part } from './made-site.ts';

/** A page as a system writes it: the whole of it, and the texts of its frame. */
export type FramedPage = { readonly html: string; readonly unwanted: readonly string[] };
export type Frame = (site: MadeSite, article: Article) => FramedPage;

export const urlOf = ({ host }: MadeSite, path: string) => `https://${host}${path}`;
export const linkTo = ({ path, title }: Article, attributes = '') => `<a href="${path}"${attributes}>${title}</a>`;

/** Address of the first page of its section. */
export const sectionOf = ({ sections }: MadeSite, { section }: Article) => `/s${sections.indexOf(section)}/`;

/** Class names of what a page holds in the words of a system. */
export type ContentWords = {
  readonly lead: string;
  readonly part: string;
  readonly list: string;
  readonly heading: 'h2' | 'h3';
};

export function partsOf({ lead, parts }: Article, words: ContentWords): string {
  return `<p class="${words.lead}">${lead}</p>\n${parts.map((part) => partOf(part, words)).join('\n')}`;
}

function partOf({ heading, paragraphs, entries, rows }: Part, words: ContentWords): string {
  const head = heading === '' ? '' : `<${words.heading}>${heading}</${words.heading}>`;
  const list =
    entries.length === 0 ? '' : `<ul class="${words.list}">${entries.map((text) => `<li>${text}</li>`).join('')}</ul>`;
  const table =
    rows.length === 0
      ? ''
      : `<table>${rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('')}</table>`;
  return `<div class="${words.part}">${head}${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}${list}${table}</div>`;
}

/** Entries of the first page of a section. */
export function entriesOf({ listed }: Article, classes: { readonly list: string; readonly entry: string }): string {
  if (listed.length === 0) return '';
  const entries = listed.map((one) => `<div class="${classes.entry}"><h3>${linkTo(one)}</h3><p>${one.lead}</p></div>`);
  return `<div class="${classes.list}">${entries.join('\n')}</div>`;
}

export function headOf(
  site: MadeSite,
  article: Article,
  options: { readonly separator: string; readonly metas?: string },
): string {
  const { name, speech } = site;
  const title = article.title === '' ? name : `${article.title} ${options.separator} ${name}`;
  return `<!doctype html><html lang="${speech.code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${options.metas ?? ''}<link rel="stylesheet" href="/style.css"></head>`;
}

/** Open Graph with the picture of the page, or the logo of the site where it has none. */
export function openGraphOf(site: MadeSite, { title, image, lead }: Article): string {
  const picture = urlOf(site, image ?? '/assets/logo-share.png');
  return `<meta property="og:site_name" content="${site.name}"><meta property="og:title" content="${title}"><meta property="og:description" content="${lead}"><meta property="og:image" content="${picture}">`;
}

export function menuOf({ sections }: MadeSite, entry = 'li', attributes = ''): string {
  return sections.map((section, at) => `<${entry}${attributes}><a href="/s${at}/">${section}</a></${entry}>`).join('');
}

export function pictureOf({ image, title }: Article): string {
  return image === undefined ? '' : `<figure><img src="${image}" alt="${title}" width="800" height="450"></figure>`;
}

/** Texts of cards that recommend other pages. */
export const teasersOf = ({ related }: Article) => related.map(({ lead }) => lead);
