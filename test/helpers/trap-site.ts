import type { Behaviour, Page, Route } from './site-server.ts';

/** Real pages that stand beside a trap. */
export const REAL_PAGES = 100;

const NOUNS = 'parcel invoice customer warehouse carrier label refund pallet driver depot route scanner'.split(' ');
const VERBS = 'arrives leaves waits returns breaks weighs costs needs holds moves shows follows'.split(' ');
const PLACES = 'harbour station office village airport market garden factory island valley bridge tower'.split(' ');

/** Text of a page of its own: the words depend on the number. */
export function ownText(n: number): string {
  const sentences = Array.from({ length: 8 }, (_, i) => {
    const pick = (words: readonly string[], at: number) =>
      words[(n * 7 + i * 5 + at * 3 + ((n * i) % 11)) % words.length];
    const code = `${wordOf(n * 31 + i)} ${wordOf(n * 17 + i * 3)}`;
    return `The ${pick(NOUNS, 0)} ${code} ${pick(VERBS, 1)} near the ${pick(PLACES, 2)} of ${wordOf(n + i * 101)}.`;
  });
  return sentences.join(' ');
}

/** A word for a number, another one for each. */
export function wordOf(n: number): string {
  let word = '';
  for (let rest = n + 17; rest > 0; rest = Math.floor(rest / 20))
    word += 'bdfghklmnprstvwxzqjc'[rest % 20] + 'aeiou'[rest % 5]!;
  return word;
}

export function html(title: string, text: string, links: readonly string[] = [], head = ''): Page {
  const items = links.map((href) => `<li><a href="${href}">${href.replaceAll(/[^a-z0-9]+/gi, ' ')}</a></li>`).join('');
  return {
    body: `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
<p>${text}</p></main><nav><ul>${items}</ul></nav></body></html>`,
  };
}

export const realPath = (n: number) => `/articles/story-number-${wordOf(n)}`;

export const realPage = (n: number, links: readonly string[] = []): Page =>
  html(`Story ${wordOf(n)}`, ownText(n), ['/', realPath((n + 1) % REAL_PAGES), ...links]);

/** A site of 100 real pages that its home page names, beside a trap that the home page names too. */
export function siteWith(trap: {
  /** Links on the home page. */
  readonly entries: readonly string[];
  /** Links on each real page. */
  readonly onPages?: (n: number) => readonly string[];
  readonly routes?: Readonly<Record<string, Route>>;
}): Readonly<Record<string, Route>> {
  const pages = Array.from({ length: REAL_PAGES }, (_, n) => n);
  const links = [...trap.entries, ...pages.map(realPath)];
  return {
    '/': html('Home', 'Welcome to the home of all stories about parcels and the people who carry them.', links),
    ...Object.fromEntries(pages.map((n) => [realPath(n), realPage(n, trap.onPages?.(n) ?? [])])),
    ...trap.routes,
  };
}

/** Answers by path and query, for sites without end. */
export function dynamic(answer: (path: string, query: URLSearchParams) => Page): Behaviour {
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://site.example');
    const { status = 200, headers = {}, body = '' } = answer(url.pathname, url.searchParams);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers } as Record<string, string>);
    response.end(body);
  };
}
