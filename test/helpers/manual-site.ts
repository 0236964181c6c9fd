import type { Page, Route } from './site-server.ts';
import { ownText, wordOf } from './trap-site.ts';

/** Folders of packages: some repeat their names, as where a library, its module and its package are called the same. */
const FOLDERS = [
  'api/org/acme/api/io/api',
  'core/org/acme/core/core',
  'xml/com/xml/bind/xml',
  'org/acme/text',
  'org/acme/util/util/util',
  'org/acme/net/http',
];

const HEAD = `<script src="/manual/script.js"></script><script src="/manual/jquery/jquery-ui.js"></script>`;
const NOSCRIPT = '<noscript><div>JavaScript is disabled on your browser.</div></noscript>';

/**
 * A reference manual as generators for Java write it: below each package a folder `class-use` of which half of the pages
 * say that there is no use, on each page scripts and a word for browsers without them. `pages` beside two of each
 * package and three of the whole.
 */
export function manualSite({ packages, classes }: { readonly packages: number; readonly classes: number }): {
  readonly seed: string;
  readonly paths: readonly string[];
  readonly routes: Readonly<Record<string, Route>>;
} {
  const folders = Array.from({ length: packages }, (_, n) => {
    const folder = FOLDERS[n % FOLDERS.length] ?? '';
    return n < FOLDERS.length ? folder : `${folder}/${wordOf(n)}`;
  });
  const names = folders.map((_, n) => Array.from({ length: classes }, (_each, i) => `${className(n * classes + i)}`));
  const link = (folder: string, name: string) => `/manual/${folder}/${name}.html`;
  const all = folders.flatMap((folder, n) => (names[n] ?? []).map((name) => link(folder, name)));
  const summaries = folders.map((folder) => link(folder, 'package-summary'));
  const seed = '/manual/index.html';
  const routes: Record<string, Route> = {
    [seed]: manualPage('Overview', `<p>${ownText(1)}</p>`, [
      ...summaries,
      '/manual/allclasses.html',
      '/manual/help.html',
    ]),
    '/manual/allclasses.html': manualPage('All Classes', '', all),
    '/manual/help.html': manualPage('How this manual is organised', `<p>${ownText(2)}</p>`, []),
  };
  for (const [n, folder] of folders.entries()) {
    const own = (names[n] ?? []).map((name) => link(folder, name));
    const summary = link(folder, 'package-summary');
    const title = folder.replaceAll('/', '.');
    routes[summary] = manualPage(`Package ${title}`, `<p>${ownText(1_000 + n)}</p>`, [
      ...own,
      link(folder, 'package-use'),
    ]);
    routes[link(folder, 'package-use')] = manualPage(`Uses of Package ${title}`, `<p>No usage of ${title}</p>`, [
      summary,
    ]);
    for (const [i, name] of (names[n] ?? []).entries()) {
      const id = n * classes + i;
      const use = link(folder, `class-use/${name}`);
      const used = i % 2 === 0 ? `No usage of ${title}.${name}` : `${ownText(5_000 + id)}`;
      routes[link(folder, name)] = manualPage(`Class ${name}`, `<p>${ownText(10_000 + id)}</p>`, [summary, use]);
      routes[use] = manualPage(`Uses of Class ${name}`, `<div class="classUseContainer">${used}</div>`, [
        summary,
        link(folder, name),
      ]);
    }
  }
  return { seed, paths: Object.keys(routes), routes };
}

/** Some longer than a word, as they are. */
function className(n: number): string {
  const word = wordOf(n * 131);
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  return n % 3 === 0 ? `${name}AbstractFactoryProvider` : name;
}

function manualPage(title: string, main: string, links: readonly string[]): Page {
  const items = links.map((href) => `<li><a href="${href}">${href.split('/').at(-1)}</a></li>`).join('');
  return {
    body: `<!doctype html><html lang="en"><head><title>${title}</title>${HEAD}</head><body>${NOSCRIPT}
<header><nav><ul><li><a href="/manual/index.html">Overview</a></li><li>Package</li><li>Class</li><li>Use</li>
<li><a href="/manual/allclasses.html">Index</a></li><li><a href="/manual/help.html">Help</a></li></ul></nav></header>
<main><h1>${title}</h1>${main}<ul>${items}</ul></main><footer><p>Copyright 2026. All rights reserved.</p></footer>
</body></html>`,
  };
}
