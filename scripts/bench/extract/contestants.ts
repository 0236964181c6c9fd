import { parseDocument } from 'htmlparser2';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';
import { importPeer } from '../install-peers.ts';
import type { ReadBenchPage } from './contestant.ts';

type Linkedom = { readonly parseHTML: (html: string) => { readonly document: object } };
type Readability = {
  readonly Readability: new (document: object) => { parse(): { readonly textContent?: string | null } | null };
};
type Defuddle = {
  readonly default: new (
    document: object,
    options: { readonly url: string },
  ) => { parse(): { readonly content: string } };
};
type Cheerio = { readonly load: (html: string) => (selector: string) => { text(): string; remove(): unknown } };

const textOf = (body: Uint8Array) => new TextDecoder().decode(body);

/** Each gives what it makes of a page: all fields, or its text alone. */
export const CONTESTANTS: Readonly<Record<string, () => Promise<ReadBenchPage>>> = {
  fossick: () => {
    const signal = new AbortController().signal;
    const parseFile = () => Promise.reject(new Error('A page is no file'));
    return Promise.resolve(async ({ url, body }) => {
      const headers = { contentType: 'text/html' };
      const input = { url, body, headers, settings: DEFAULT_EXTRACT_SETTINGS, now: Date.UTC(2026, 5, 1) };
      const { fields } = await extract({ parseFile }, input, signal);
      return fields.get('Content')?.[0]?.length ?? 0;
    });
  },
  /** htmlparser2 and every text of the page: the floor. */
  'all-text': () => Promise.resolve(({ body }) => allText(textOf(body)).length),
  cheerio: async () => {
    const { load } = await importPeer<Cheerio>('cheerio');
    return ({ body }) => {
      const $ = load(textOf(body));
      $('script, style, noscript').remove();
      return $('body').text().length;
    };
  },
  readability: async () => {
    const { parseHTML } = await importPeer<Linkedom>('linkedom');
    const { Readability } = await importPeer<Readability>('@mozilla/readability');
    return ({ body }) => new Readability(parseHTML(textOf(body)).document).parse()?.textContent?.length ?? 0;
  },
  defuddle: async () => {
    const { parseHTML } = await importPeer<Linkedom>('linkedom');
    const { default: Defuddle } = await importPeer<Defuddle>('defuddle');
    return ({ url, body }) => new Defuddle(parseHTML(textOf(body)).document, { url }).parse().content.length;
  },
};

const SILENT = new Set(['script', 'style', 'noscript', 'template']);

function allText(html: string): string {
  const texts: string[] = [];
  const stack = parseDocument(html).children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.nodeType === 3) texts.push(node.data);
    else if ('children' in node && !('name' in node && SILENT.has(node.name)))
      stack.push(...node.children.toReversed());
  }
  return texts.join(' ');
}
