import type { FileBlock, FileExtraction } from '../extraction.ts';
import { paragraphsOf } from './file-status.ts';
import { type TableRow, tableBlocksOf, tableRow } from './table-text.ts';

/** A field: begin, instruction, separator, result, end (MS-DOC 2.8.25). */
const BEGIN = '\x13';
const SEPARATOR = '\x14';
const END = '\x15';
const INNER = `[^${BEGIN}${SEPARATOR}${END}]*`;
const FIELD = new RegExp(`${BEGIN}${INNER}(?:${SEPARATOR}(${INNER}))?${END}`, 'g');
const LINK = new RegExp(`^${BEGIN}\\s*HYPERLINK\\s[^"]{0,100}"([^"]+)"[^${SEPARATOR}]*${SEPARATOR}(.*)${END}$`, 'is');
const MAX_NESTED_FIELDS = 8;
const MAX_LINKS = 20_000;

/** Links of a text with the marks of Word. */
export function legacyLinks(text: string): FileExtraction['links'] {
  const links: { url: string; text: string }[] = [];
  for (const [field] of text.matchAll(FIELD)) {
    const [, url, label = ''] = LINK.exec(field) ?? [];
    if (url !== undefined && links.length < MAX_LINKS) links.push({ url, text: tidy(label) });
  }
  return links;
}

/** A field is shown by its result; two marks in a row end a row of a table. */
export function withoutMarks(text: string): string {
  let shown = text.replaceAll('\x07\x07', '\t\n').replaceAll('\x07', '\t').replaceAll('\x0b', '\n');
  for (let depth = 0; depth < MAX_NESTED_FIELDS && shown.includes(BEGIN); depth++)
    shown = shown.replace(FIELD, (_, result?: string) => result ?? '');
  return shown;
}

/** Paragraphs and tables of a text: a row is a line of cells that each end with a tab. */
export function legacyBlocks(text: string): readonly FileBlock[] {
  const blocks: FileBlock[] = [];
  let rows: TableRow[] = [];
  const endTable = () => {
    blocks.push(...tableBlocksOf(rows));
    rows = [];
  };
  for (const line of text.split(/[\r\n\f]/)) {
    const cells = line.endsWith('\t') ? tableRow(line.split('\t').map(tidy)) : undefined;
    if (cells !== undefined && cells.size > 1) {
      rows.push(cells);
      continue;
    }
    endTable();
    blocks.push(...paragraphsOf([tidy(line)]));
  }
  endTable();
  return blocks;
}

/** Anchors of notes, pictures and shapes are control characters. */
function tidy(text: string): string {
  return text
    .replaceAll('\x1e', '-')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u00ad]/gu, '')
    .trim();
}
