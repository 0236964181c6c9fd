import { scriptData, scriptPage, wordsOf } from '../../../test/helpers/script-site.ts';
import type { Page } from '../../../test/helpers/site-server.ts';

export type MixedPage = {
  readonly path: string;
  /** Has to be in its document. */
  readonly lastWord: string;
  readonly needsBrowser: boolean;
};

export type MixedSite = { readonly pages: readonly MixedPage[]; readonly routes: Readonly<Record<string, Page>> };

const LINKED_SCRIPT = '<script src="/assets/statistics.js"></script>';
const FULL = 80;
const FEW = 8;

/**
 * A site with 30 % of its pages made by scripts: whole applications, and server-made frames around an empty text. The
 * rest is articles, and short pages that look as if scripts made them.
 */
export function mixedSite(count: number): MixedSite {
  const kinds = [
    application,
    contextHash,
    application,
    article,
    article,
    article,
    article,
    article,
    short,
    short,
  ] as const;
  const routes: Record<string, Page> = {
    '/assets/statistics.js': { headers: { 'content-type': 'text/javascript' }, body: 'var visits = 1;' },
  };
  const pages = Array.from({ length: count }, (_, number): MixedPage => {
    const kind = kinds[number % kinds.length] ?? article;
    const made = kind(number);
    Object.assign(routes, made.routes);
    return { path: made.path, lastWord: made.lastWord, needsBrowser: made.needsBrowser };
  });
  const links = pages.map(({ path }) => `<li><a href="${path}">${path}</a></li>`).join('');
  routes['/'] = { body: html('Home', `<p>${wordsOf('home')}</p><ul>${links}</ul>`) };
  return { pages, routes };
}

type Made = MixedPage & { readonly routes: Readonly<Record<string, Page>> };

function application(number: number): Made {
  const name = `item${number}`;
  const path = `/items/${number}`;
  const routes = { [path]: scriptPage(name), [`/data/${name}`]: scriptData(name) };
  return { path, lastWord: `${name}word${FULL - 1}`, needsBrowser: true, routes };
}

/** Head, navigation and foot come from the server, the text does not. */
function contextHash(number: number): Made {
  const name = `offer${number}`;
  const path = `/offers/${number}`;
  const script = `fetch('/data/${name}').then((answer) => answer.json()).then(({ text }) => {
    document.querySelector('main').innerHTML = '<h1>${name}</h1><p>' + text + '</p>';
  });`;
  const body = `<header>Shop</header><main></main><footer>Imprint</footer><script>${script}</script>${LINKED_SCRIPT}`;
  const routes = { [path]: { body: html(name, body) }, [`/data/${name}`]: scriptData(name) };
  return { path, lastWord: `${name}word${FULL - 1}`, needsBrowser: true, routes };
}

function article(number: number): Made {
  return plain(`/articles/${number}`, `article${number}`, FULL);
}

function short(number: number): Made {
  return plain(`/notes/${number}`, `note${number}`, FEW);
}

function plain(path: string, name: string, words: number): Made {
  const body = `<main><h1>${name}</h1><p>${wordsOf(name, words)}</p></main>${LINKED_SCRIPT}`;
  const routes = { [path]: { body: html(name, body) } };
  return { path, lastWord: `${name}word${words - 1}`, needsBrowser: false, routes };
}

function html(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;
}
