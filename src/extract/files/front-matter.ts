import type { FileProperties } from '../extraction.ts';

const FENCES: Readonly<Record<string, string>> = { '---': '---', '+++': '+++' };
const MAX_LINES = 200;
/** `key: value` of YAML, `key = value` of TOML, at the start of a line. */
const ENTRY = /^([A-Za-z][\w-]{0,40})\s*[:=]\s*(.*)$/;

/** Properties that stand between fences above a text, and the number of lines that they take; 0 for none. */
export function readFrontMatter(lines: readonly string[]): {
  readonly properties: FileProperties;
  readonly lines: number;
} {
  const close = FENCES[lines[0]?.trimEnd() ?? ''];
  const end =
    close === undefined
      ? -1
      : lines.slice(1, MAX_LINES).findIndex((line) => line.trimEnd() === close || line.trimEnd() === '...');
  if (end < 0) return { properties: {}, lines: 0 };
  const values = new Map<string, string>();
  let open = '';
  for (const line of lines.slice(1, end + 1)) {
    const [, key, value = ''] = ENTRY.exec(line) ?? [];
    const entry = /^\s*-\s+(.*)$/.exec(line)?.[1];
    if (key !== undefined) {
      open = key.toLowerCase();
      if (!values.has(open)) values.set(open, entryText(value));
    } else if (entry !== undefined && open !== '') {
      values.set(open, [values.get(open) ?? '', entryText(entry)].filter((text) => text !== '').join(', '));
    }
  }
  return { properties: propertiesOf(values), lines: end + 2 };
}

/** Without quotes, a list without its brackets; `|` and `>` only open a text. */
function entryText(text: string): string {
  const value = text.replace(/\s#.*$/s, '').trim();
  if (/^[|>][+-]?$/.test(value)) return '';
  const inner = /^\[(.*)\]$/.exec(value)?.[1];
  if (inner !== undefined) return inner.split(',').map(entryText).join(', ');
  return value.replace(/^(["'])(.*)\1$/, '$2').trim();
}

function propertiesOf(values: ReadonlyMap<string, string>): FileProperties {
  const first = (...names: readonly string[]) =>
    names.map((name) => values.get(name)).find((value) => value !== undefined && value !== '');
  return {
    title: first('title'),
    author: first('author', 'authors'),
    subject: first('description', 'summary', 'abstract'),
    keywords: first('keywords', 'tags'),
    language: first('lang', 'language', 'locale'),
    created: first('date', 'created', 'published'),
    modified: first('lastmod', 'updated', 'modified', 'last_modified_at'),
  };
}
