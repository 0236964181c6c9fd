import { firstValue, type Section, type SectionBlock, type StoredDocument } from '../core/document.ts';
import type { Engine } from '../core/records.ts';
import { type FindDocumentsDeps, findDocuments } from './read-hits.ts';

/** A document as programs read it. Texts without a value are `''`. */
export type MarkdownDocument = {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** When it was published, else changed, as the page tells it. */
  readonly date: string;
  readonly language: string;
  /** All of the above in a head, then the text. */
  readonly markdown: string;
};

/** The document that a name means, its id or else its URL; undefined when the engine has none. */
export async function readMarkdown(
  deps: FindDocumentsDeps,
  input: {
    readonly engine: Pick<Engine, 'id' | 'customerId'>;
    readonly name: string;
    readonly signal: AbortSignal;
  },
): Promise<MarkdownDocument | undefined> {
  const { engine, name, signal } = input;
  const [found] = await findDocuments(deps, { engine, names: [name], signal });
  return found && markdownOf(found.document);
}

/**
 * A document made of its stored fields and structure; pure, O(length). Secondary text, boilerplate, what a reader
 * cannot see and what a page forbids to quote are left out.
 */
export function markdownOf(document: StoredDocument): MarkdownDocument {
  const { id, fields, language } = document;
  const title = oneLine(firstValue(fields, 'Title'));
  const url = firstValue(fields, 'Url');
  const date = firstValue(fields, 'Published_date') || firstValue(fields, 'Modified_date');
  const heading = title === '' ? [] : [`# ${title}`];
  const parts = [headOf({ title, url, date, language }), ...heading, ...textOf(document, title)];
  return { id, title, url, date, language, markdown: `${parts.join('\n\n')}\n` };
}

/** JSON text is YAML, too: no value can end the head. */
function headOf(members: Readonly<Record<string, string>>): string {
  const lines = Object.entries(members).flatMap(([name, value]) =>
    value === '' ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return ['---', ...lines, '---'].join('\n');
}

/** What was pushed has no structure: its text stays as it was sent. */
function textOf({ fields, structure }: StoredDocument, title: string): readonly string[] {
  const sections = structure?.sections ?? [];
  if (sections.length > 0) return sectionsText(sections, title);
  const content = (fields.get('Content') ?? []).filter((value) => value.trim() !== '');
  const description = firstValue(fields, 'Description');
  if (content.length > 0) return content;
  return description === '' ? [] : [prose(description)];
}

/** A heading that stays open from one section to the next is written once. */
function sectionsText(sections: readonly Section[], title: string): readonly string[] {
  const parts: string[] = [];
  let open: Section['headings'] = [];
  for (const { grounding, headings, blocks } of sections) {
    if (!grounding) continue;
    const firstNew = headings.findIndex(({ text, level }, at) => text !== open[at]?.text || level !== open[at]?.level);
    const fresh = firstNew < 0 ? [] : headings.slice(firstNew);
    const shown = fresh.filter(({ text }) => oneLine(text) !== title);
    parts.push(...shown.map(({ text, level }) => `${'#'.repeat(headingLevel(level))} ${oneLine(text)}`));
    parts.push(...blocks.map(blockText));
    open = headings;
  }
  return parts;
}

/** The title alone has the first level; Markdown knows six. */
function headingLevel(level: number): number {
  return Math.min(6, Math.max(2, level));
}

function blockText({ kind, text }: SectionBlock): string {
  switch (kind) {
    case 'paragraph':
      return prose(text);
    case 'list':
      return text.split('\n').map(listItem).join('\n');
    case 'table':
      return tableText(text.split('\n'));
    case 'code':
      return fenced(text);
    case 'quote':
      return text.split('\n').map(quoteLine).join('\n');
  }
}

const MARKED_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

function listItem(line: string): string {
  return MARKED_ITEM.test(line) ? line : line.replace(/^(\s*)(?:[•·–]\s+)?/, '$1- ');
}

/** Cells stand between ` | ` in stored rows; the first row is the head, as Markdown has no table without one. */
function tableText(rows: readonly string[]): string {
  const [head = '', ...rest] = rows;
  const rule = head.split(' | ').map(() => '---');
  return [head, rule.join(' | '), ...rest].map((row) => `| ${row} |`).join('\n');
}

/** The fence is longer than any that stands in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function quoteLine(line: string): string {
  return `> ${line}`;
}

/** At the beginning of a line: what would make it a heading, a quote, a fence or a rule. */
const BLOCK_MARK = /^(\s*)(?=#{1,6}\s|>|```|~~~|(?:[-*_]\s*){3,}$)/gm;

function prose(text: string): string {
  return text.replace(BLOCK_MARK, '$1\\');
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
