/** A piece of a line. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'citation'; readonly reference: number; readonly url: string }
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

export type Block =
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'heading'; readonly content: readonly Inline[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'table'; readonly names: Row; readonly rows: readonly Row[] }
  | { readonly kind: 'code'; readonly text: string };

/** The cells of a row. */
type Row = readonly (readonly Inline[])[];

const FENCE = /^\s*```/;
const ITEM = /^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/;
/** Below the names of columns. */
const TABLE_RULE = /^\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?\s*$/;
const CELL_BORDER = /\s*\|\s*/;
const HEADING = /^#{1,6}\s+(.*)$/;
const INLINE =
  /\[(\d{1,3})\]\((https?:[^)\s]+)\)|\[([^\]]+)\]\((https?:[^)\s]+)\)|`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*/g;
/** A citation whose end has not come yet. */
const UNFINISHED = /\[\d*(?:\](?:\([^)]*)?)?$/;

/** Reads the Markdown of an answer, as much as answers use. What is none of it stays text; nothing becomes HTML. */
export function parseAnswer(markdown: string): readonly Block[] {
  return splitFences(markdown.split('\n')).flatMap(({ isCode, lines }) =>
    isCode ? [{ kind: 'code' as const, text: lines.join('\n') }] : parseLines(lines),
  );
}

/** Code and what stands around it, in turn; a fence that is still open is code up to the end. */
function splitFences(lines: readonly string[]) {
  const parts: { isCode: boolean; lines: string[] }[] = [{ isCode: false, lines: [] }];
  for (const line of lines) {
    const last = parts.at(-1);
    if (FENCE.test(line)) parts.push({ isCode: !last?.isCode, lines: [] });
    else last?.lines.push(line);
  }
  return parts;
}

function parseLines(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  const closeParagraph = () => {
    if (open.length > 0) blocks.push({ kind: 'paragraph', content: parseInline(open.join(' ')) });
    open = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const table = tableAt(lines, at);
    if (table.length > 0) {
      closeParagraph();
      blocks.push(parseTable(table));
      at += table.length;
      continue;
    }
    const [isItem, number, item = ''] = ITEM.exec(line) ?? [];
    const heading = HEADING.exec(line)?.[1];
    const isText = isItem === undefined && heading === undefined && line.trim() !== '';
    if (isText) open.push(line.trim());
    else closeParagraph();
    if (isItem !== undefined) addItem(blocks, number !== undefined, parseInline(item));
    if (heading !== undefined) blocks.push({ kind: 'heading', content: parseInline(heading) });
  }
  closeParagraph();
  return blocks;
}

/** The names of columns that stand above a rule at `at`, and the rows below it, without the rule; `[]` = none. */
function tableAt(lines: readonly string[], at: number): readonly string[] {
  const [names = '', rule = '', ...rest] = lines.slice(at);
  if (!names.includes('|') || !TABLE_RULE.test(rule)) return [];
  const end = rest.findIndex((line) => !line.includes('|'));
  return [names, ...(end === -1 ? rest : rest.slice(0, end))];
}

function parseTable([names = '', ...rows]: readonly string[]): Block {
  return { kind: 'table', names: cellsOf(names), rows: rows.map(cellsOf) };
}

/** What of a text that is still being written can be shown. */
export function shownPart(markdown: string): string {
  return markdown.replace(UNFINISHED, '');
}

/** The addresses that a text cites, by number. */
export function citedSources(markdown: string): readonly { readonly reference: number; readonly url: string }[] {
  const urls = new Map<number, string>();
  for (const block of parseAnswer(markdown)) {
    for (const inline of contentOf(block)) if (inline.kind === 'citation') urls.set(inline.reference, inline.url);
  }
  return [...urls].sort(([a], [b]) => a - b).map(([reference, url]) => ({ reference, url }));
}

function contentOf(block: Block): readonly Inline[] {
  if (block.kind === 'list') return block.items.flat();
  if (block.kind === 'table') return [block.names, ...block.rows].flat(2);
  return block.kind === 'code' ? [] : block.content;
}

function cellsOf(line: string): Row {
  const bare = line.trim().replace(/^\|\s*|\s*\|$/g, '');
  return bare.split(CELL_BORDER).map(parseInline);
}

function addItem(blocks: Block[], isOrdered: boolean, item: readonly Inline[]): void {
  const last = blocks.at(-1);
  if (last?.kind !== 'list' || last.isOrdered !== isOrdered) blocks.push({ kind: 'list', isOrdered, items: [item] });
  else blocks[blocks.length - 1] = { ...last, items: [...last.items, item] };
}

function parseInline(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    parts.push(toInline(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

function toInline([, number, cited, label, linked, code, strong, emphasis = '']: RegExpMatchArray): Inline {
  if (number !== undefined && cited !== undefined) return { kind: 'citation', reference: Number(number), url: cited };
  if (label !== undefined && linked !== undefined) return { kind: 'link', text: label, url: linked };
  if (code !== undefined) return { kind: 'code', text: code };
  return strong === undefined ? { kind: 'emphasis', text: emphasis } : { kind: 'strong', text: strong };
}
