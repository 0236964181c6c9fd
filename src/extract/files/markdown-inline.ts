type Link = { readonly url: string; readonly text: string };

/** Each ends where another of its kind starts, or after a bounded length: linear together. */
const IMAGE = /!\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}(?:\s+"[^"\n]{0,500}")?\)/g;
const LINK =
  /\[([^[\]\n]{1,500})\]\(<?([^()<>\s]{1,2000}(?:\([^()\s]{0,500}\)[^()<>\s]{0,500})?)>?(?:\s+["'(][^\n]{0,500}?["')])?\)/g;
const REFERENCE = /\[([^[\]\n]{1,500})\]\[([^[\]\n]{0,500})\]/g;
const AUTOLINK = /<((?:https?|mailto):[^<>\s]{1,2000})>/g;
const TAG = /<(?:\/?[a-z][^<>]{0,1000}|!--[^<>]{0,1000}--)>/gi;
const EMPHASIS = /(?<!\\)(\*\*\*|\*\*|\*|~~)(?=\S)([^*~\n]{1,1000}?)(?<!\\)\1/g;
const UNDERLINES = /(?<![\p{L}\p{N}_])(__|_)(?=\S)([^_\n]{1,1000}?)\1(?![\p{L}\p{N}_])/gu;

/** Text of a run of Markdown as it is shown, its links collected. Code in it stays as it is written. */
export function inlineText(
  markdown: string,
  { links, targets }: { links: Link[]; targets: ReadonlyMap<string, string> },
): string {
  // Every second part stands between backticks.
  return markdown
    .split(/(`{1,3}[^`\n]{1,1000}`{1,3})/)
    .map((part, index) => (index % 2 === 1 ? part.replace(/^`+ ?| ?`+$/g, '') : plainText(part, links, targets)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function plainText(markdown: string, links: Link[], targets: ReadonlyMap<string, string>): string {
  const add = (url: string | undefined, text: string) => {
    if (url !== undefined) links.push({ url, text });
    return text;
  };
  return markdown
    .replace(IMAGE, '$1')
    .replace(LINK, (_, text: string, url: string) => add(url, text))
    .replace(REFERENCE, (_, text: string, name: string) => add(targets.get((name || text).toLowerCase()), text))
    .replace(AUTOLINK, (_, url: string) => add(url, url))
    .replace(TAG, ' ')
    .replace(EMPHASIS, '$2')
    .replace(UNDERLINES, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
