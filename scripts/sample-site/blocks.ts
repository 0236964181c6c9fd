/** The small part of Markdown that the demo site uses, as blocks that every output format can print. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph' | 'quote'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] };

/** Blocks are parted by blank lines. */
export function parseBlocks(text: string): readonly Block[] {
  return text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => parseBlock(part.trim()));
}

function parseBlock(part: string): Block {
  const lines = part.split('\n');
  const heading = /^(#{2,3}) (.+)$/.exec(part);
  if (heading) return { kind: 'heading', level: heading[1] === '##' ? 2 : 3, text: heading[2] ?? '' };
  if (lines.every((line) => line.startsWith('- '))) {
    return { kind: 'list', isOrdered: false, items: lines.map((line) => line.slice(2)) };
  }
  if (lines.every((line) => /^\d+\. /.test(line))) {
    return { kind: 'list', isOrdered: true, items: lines.map((line) => line.replace(/^\d+\. /, '')) };
  }
  if (lines.every((line) => line.startsWith('|'))) {
    const cells = (line: string) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
    return { kind: 'table', rows: lines.map(cells) };
  }
  if (lines.every((line) => line.startsWith('> '))) {
    return { kind: 'quote', text: lines.map((line) => line.slice(2)).join(' ') };
  }
  return { kind: 'paragraph', text: lines.join(' ') };
}

/** Text without marks, for formats that have no links. */
export function plainText(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '')
    .replace(/\b_([^_]+)_\b/g, '$1');
}
