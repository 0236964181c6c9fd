/** What a run of text in an AsciiDoc file is read with. */
export type InlineReader = {
  readonly links: { url: string; text: string }[];
  readonly attributes: Map<string, string>;
  /** Of values that were put in so far. */
  addedChars: number;
};

/** A few lines can name each other in turn: without a bound, values of values fill the memory. */
const MAX_ADDED_CHARS = 1_000_000;

const REFERENCE = /\\?\{([\w-]{1,100})\}/g;
/** Attributes that every file has. */
const CHARACTERS: Readonly<Record<string, string>> = {
  nbsp: ' ',
  sp: ' ',
  empty: '',
  plus: '+',
  asterisk: '*',
  vbar: '|',
  cpp: 'C++',
};

const ANCHOR = /\[\[[^[\]]*\]\]/g;
const CROSS_REFERENCE = /<<([^<>,]*)(?:,([^<>]*))?>>/g;
const BRACKETS = /\[([^[\]]*)\]/g;
const MACRO =
  /(?<![\p{L}\p{N}])(?:(?:https?|ftp):\/\/|(?:link|mailto|xref|image|icon|kbd|btn|menu|pass|stem|latexmath|asciimath):)|footnote:/u;
const BARE_URL = /(?:https?|ftp):\/\/[^\s[\]<>"`]*[^\s[\]<>"`.,;:!?)'+*]/g;
const ROLE = /^[.#%][\w.#%-]*$/;
const MARKS: readonly RegExp[] = [
  /``([^`]+)``/g,
  /\*\*([^*]+)\*\*/g,
  /__([^_]+)__/g,
  /##([^#]+)##/g,
  /\+{2,3}([^+]+)\+{2,3}/g,
  /(?<![\p{L}\p{N}])`(?=\S)([^`]+)(?<=\S)`(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])\*(?=\S)([^*]+)(?<=\S)\*(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}/])_(?=\S)([^_]+)(?<=\S)_(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])#(?=\S)([^#]+)(?<=\S)#(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])\+(?=\S)([^+]+)(?<=\S)\+(?![\p{L}\p{N}])/gu,
  /\^([^\s^]+)\^/g,
  /~([^\s~]+)~/g,
];

/** Values of attributes in the place of their names; a backslash keeps a name. */
export function withAttributes(reader: InlineReader, text: string): string {
  return text.replace(REFERENCE, (reference, name: string) => {
    if (reference.startsWith('\\')) return reference.slice(1);
    const value = reader.attributes.get(name) ?? CHARACTERS[name];
    if (value === undefined || reader.addedChars > MAX_ADDED_CHARS) return reference;
    reader.addedChars += value.length;
    return value;
  });
}

/** A run of text as it is shown, its links collected. O(length). */
export function inlineText(reader: InlineReader, source: string): string {
  const text = withAttributes(reader, source)
    .replace(ANCHOR, '')
    .replace(CROSS_REFERENCE, (_, id: string, shown?: string) => shown ?? id);
  const parts: string[] = [];
  let at = 0;
  for (const { 0: brackets, 1: content = '', index } of text.matchAll(BRACKETS)) {
    const macroAt = macroStart(text, at, index);
    parts.push(plainText(reader, text.slice(at, macroAt)));
    at = index + brackets.length;
    if (macroAt < index) parts.push(shownMacro(reader, text.slice(macroAt, index), content));
    else if (!ROLE.test(content) || !'#*_`'.includes(text[at] ?? ' ')) parts.push(brackets);
  }
  parts.push(plainText(reader, text.slice(at)));
  return withoutMarks(parts.join('')).replace(/\s+/g, ' ').trim();
}

/** Where the macro begins whose brackets stand at `end`; there, when there is none. */
function macroStart(text: string, from: number, end: number): number {
  let start = end;
  while (start > from && !/\s/.test(text[start - 1] ?? '')) start--;
  const at = MACRO.exec(text.slice(start, end))?.index;
  return at === undefined ? end : start + at;
}

function shownMacro(reader: InlineReader, macro: string, content: string): string {
  const [, name = '', target = ''] = /^(\w+):(.*)$/s.exec(macro) ?? [];
  switch (name) {
    case 'http':
    case 'https':
    case 'ftp':
      return addLink(reader, { url: macro, shown: macro, content });
    case 'link':
      return addLink(reader, { url: target, shown: target, content });
    case 'mailto':
      return addLink(reader, { url: macro, shown: target, content });
    case 'xref':
      return content === '' ? target : content;
    case 'image':
    case 'icon':
      return content.split(',')[0]?.replaceAll('"', '') ?? '';
    case 'footnote':
      return ` (${content})`;
    case 'menu':
      return `${target} ${content}`;
    default:
      return content;
  }
}

/** Of the brackets the text counts, what stands behind it says how the link is shown. */
function addLink(reader: InlineReader, link: { url: string; shown: string; content: string }): string {
  const content = link.content.replace(/,\s*\w+=.*$/s, '').replace(/^"(.*)"$/s, '$1');
  const named = withoutMarks(content.replace(/\^$/, '')).trim();
  const text = named === '' ? link.shown : named;
  if (link.url !== '') reader.links.push({ url: link.url, text });
  return text;
}

function plainText(reader: InlineReader, text: string): string {
  for (const [url] of text.matchAll(BARE_URL)) reader.links.push({ url, text: url });
  return text;
}

function withoutMarks(text: string): string {
  return MARKS.reduce((shown, mark) => shown.replace(mark, '$1'), text);
}
