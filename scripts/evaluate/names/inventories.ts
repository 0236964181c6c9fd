import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** A name and the page that the site's own index names for it, as a path below the site. */
export type IndexedName = { readonly name: string; readonly page: string };

/** What a generator writes about the names of its site. Its pages count neither as sources of link texts nor as targets. */
export type Inventory = {
  readonly isIndexPage: (path: string) => boolean;
  readonly read: (folder: string, pages: readonly string[]) => readonly IndexedName[];
};

const ANCHOR = /<a\b[^>]*?\bhref="([^"#]*)(?:#[^"]*)?"[^>]*>(.*?)<\/a>/gs;

export const INVENTORIES = {
  /** `objects.inv`: a head of four lines, then compressed lines of `name domain:role priority uri text`. */
  sphinx: {
    isIndexPage: (path) => /^(?:genindex|py-modindex|search|contents)/.test(path),
    read: (folder) => {
      const file = readFileSync(join(folder, 'objects.inv'));
      let at = 0;
      for (let line = 0; line < 4; line++) at = file.indexOf(10, at) + 1;
      const lines = inflateSync(file.subarray(at)).toString().split('\n');
      return lines.flatMap((line) => {
        const [, name, role, uri] = /^(.+?)\s+(\S+:\S+)\s+-?\d+\s+(\S+)\s/.exec(line) ?? [];
        const isName =
          name !== undefined && uri !== undefined && !/^std:(?:label|doc|term|token|pdbcommand)/.test(role ?? '');
        return isName ? [{ name, page: uri.replace(/#.*$/, '') }] : [];
      });
    },
  },
  javadoc: {
    isIndexPage: (path) =>
      /(?:^|\/)(?:index-all|all(?:classes|packages)-index|overview-tree|package-tree|constant-values|deprecated-list|serialized-form)\.html$|\/class-use\//.test(
        path,
      ),
    read: (folder) => linkedNames(folder, ['index-all.html'], (text) => text.replace(/\(.*$/s, '')),
  },
  gtkdoc: {
    isIndexPage: (path) => /(?:^|\/)api-index-/.test(path),
    read: (folder, pages) =>
      linkedNames(
        folder,
        pages.filter((page) => page.endsWith('api-index-full.html')),
        (text) => text,
      ),
  },
  /** An item is its name, and a link to each place that has it: those of one place are objective. */
  doxygen: {
    isIndexPage: (path) =>
      /(?:^|\/)(?:functions|globals|classes|annotated|hierarchy|namespacemembers)[^/]*\.html$/.test(path),
    read: (folder, pages) =>
      pages
        .filter((page) => /(?:^|\/)functions_[^/]*\.html$/.test(page))
        .flatMap((page) => {
          const html = readFileSync(join(folder, page), 'utf8');
          return [...html.matchAll(/<li>(.*?)<\/li>/gs)].flatMap(([, item = '']): readonly IndexedName[] => {
            const links = [...item.matchAll(ANCHOR)];
            const name = textOf(item.replace(/:?\s*<a.*$/s, ''))
              .replace(/\(\)?\s*:?\s*$/, '')
              .replace(/[:,\s]+$/, '');
            const [link] = links;
            return links.length === 1 && link?.[1] !== undefined ? [{ name, page: below(page, link[1]) }] : [];
          });
        }),
  },
  /** The index of a book: a term, and a link to each place that explains it; terms below others are parts of them. */
  docbook: {
    isIndexPage: (path) => /^(?:bookindex|index|preface|legalnotice)\.html$/.test(path),
    read: (folder) => {
      const html = readFileSync(join(folder, 'bookindex.html'), 'utf8');
      return [...html.matchAll(/<dt id="[^"]*">([^<]*?), (<a .*?)<\/dt>/gs)].flatMap(([, name = '', links = '']) => {
        const places = [...links.matchAll(ANCHOR)].map(([, href = '']) => href);
        return new Set(places).size === 1 ? [{ name: textOf(name), page: places[0] ?? '' }] : [];
      });
    },
  },
  /** Of the manual of SQLite, made by scripts of its own: a list of keywords and one of functions. */
  sqlite: {
    isIndexPage: (path) =>
      /^(?:keyword_index|doclist|toc|docs|sitemap|doc_\w+_crossref)\.html$|^c3ref\/(?:const|func|obj)list\.html$/.test(
        path,
      ),
    read: (folder) => linkedNames(folder, ['keyword_index.html', 'c3ref/funclist.html'], (text) => text),
  },
} as const satisfies Record<string, Inventory>;

export type InventoryName = keyof typeof INVENTORIES;

function linkedNames(
  folder: string,
  pages: readonly string[],
  nameOf: (text: string) => string,
): readonly IndexedName[] {
  return pages.flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8');
    return [...html.matchAll(ANCHOR)].flatMap(([, href = '', text = '']) => {
      const isPage = href.endsWith('.html') && !/^https?:/.test(href);
      return isPage ? [{ name: nameOf(textOf(text)).trim(), page: below(page, href) }] : [];
    });
  });
}

function textOf(html: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' };
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&#160;/g, ' ')
    .replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity);
}

function below(page: string, href: string): string {
  return new URL(href, `http://site/${page}`).pathname.slice(1);
}
