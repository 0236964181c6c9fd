import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export type ContentKind = 'page' | 'listing' | 'article' | 'guide' | 'product' | 'forum' | 'faq' | 'pdf' | 'docx';

/** One source file of `web/sample-content`: `name: value` lines, `---`, text. */
export type Content = {
  /** Path below the site's root without extension, `news/orchid-week`. */
  readonly path: string;
  readonly kind: ContentKind;
  readonly language: 'en' | 'de';
  readonly title: string;
  readonly description: string;
  readonly text: string;
  /** Further lines of the head: `date`, `updated`, `author`, `price`, `sku`, `translation`. */
  readonly head: Readonly<Record<string, string>>;
};

/** All sources, by path. */
export function readContent(folder: string): readonly Content[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const paths = names.map((name) => name.split(sep).join('/').slice(0, -'.md'.length)).sort();
  return paths.map((path) => parseContent(path, readFileSync(join(folder, `${path}.md`), 'utf8')));
}

/** The title in breadcrumbs. */
export function shortTitle(page: Content): string {
  return page.head['short'] ?? page.title;
}

function parseContent(path: string, source: string): Content {
  const [top = '', ...rest] = source.split('\n---\n');
  const lines = top.split('\n').map((line) => /^([a-z]+): (.+)$/.exec(line));
  const head = Object.fromEntries(lines.map((match) => [match?.[1] ?? '', match?.[2] ?? '']));
  const { title = '', description = '', kind = 'page' } = head;
  if (title === '' || description === '' || rest.length === 0) throw new Error(`${path} has no title or description`);
  const language = path.startsWith('de/') || head['language'] === 'de' ? 'de' : 'en';
  return { path, kind: kind as ContentKind, language, title, description, head, text: rest.join('\n---\n').trim() };
}
