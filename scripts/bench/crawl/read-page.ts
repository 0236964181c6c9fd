import { Parser } from 'htmlparser2';

/** What the leanest crawler keeps of a page. */
export type ReadPage = {
  readonly title: string;
  readonly description: string;
  readonly text: string;
  readonly links: readonly string[];
};

const SILENT = new Set('script style noscript template svg iframe nav header footer aside'.split(' '));

/** One pass over the tags of a page: title, description, text outside of navigation, links without fragment. */
export function readPage(html: string, url: string): ReadPage {
  const texts: string[] = [];
  const hrefs: string[] = [];
  let title = '';
  let description = '';
  let inTitle = false;
  let silent = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (SILENT.has(name)) silent++;
      if (name === 'a' && attributes['href'] !== undefined) hrefs.push(attributes['href']);
      else if (name === 'title') inTitle = true;
      else if (name === 'meta' && attributes['name'] === 'description') description = attributes['content'] ?? '';
    },
    ontext(text) {
      if (inTitle) title += text;
      else if (silent === 0) texts.push(text);
    },
    onclosetag(name) {
      if (SILENT.has(name)) silent--;
      if (name === 'title') inTitle = false;
    },
  });
  parser.write(html);
  parser.end();
  const text = texts.join(' ').replace(/\s+/g, ' ').trim();
  return { title, description, text, links: linksOf(hrefs, url) };
}

function linksOf(hrefs: readonly string[], base: string): string[] {
  const { origin } = new URL(base);
  const links = new Set<string>();
  for (const href of hrefs) {
    const at = href.indexOf('#');
    const plain = at < 0 ? href : href.slice(0, at);
    // A plain absolute path needs no URL parser.
    const url = /^\/[\w\-~][\w/\-~]*$/.test(plain) ? origin + plain : URL.parse(plain, base)?.href;
    if (url?.startsWith('http') === true) links.add(url);
  }
  return [...links];
}
