import { type Block, parseBlocks, plainText } from './blocks.ts';
import type { Content } from './read-content.ts';

/** Widths of the characters 32 to 126 in Helvetica, in 1/1000 of the size (Adobe font metrics of the standard fonts). */
const WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];

/** A4 in points, and the margins. */
const PAGE = { width: 595, height: 842, side: 64, top: 780, bottom: 72 };

/** Characters of the Windows code page 1252 that are not at their Unicode place. */
const WINDOWS = new Map(
  [...'€‚„…–—‘’“”•'].map((sign, at) => [sign, [128, 130, 132, 133, 150, 151, 145, 146, 147, 148, 149][at]]),
);

type Line = { readonly text: string; readonly font: 'F1' | 'F2'; readonly size: number; readonly gap: number };

/**
 * A PDF 1.4 with text in the standard fonts. Not compressed: compressed bytes differ between versions of zlib, and the
 * committed files are compared byte for byte.
 */
export function printPdf(content: Content): Uint8Array {
  const title: Line = { text: content.title, font: 'F2', size: 20, gap: 0 };
  const lines = [title, ...parseBlocks(content.text).flatMap(linesOf)].flatMap(wrap);
  const pages = paginate(lines);
  const pageIds = pages.map((_, index) => 6 + index * 2);
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Lang (${content.language}) >>`,
    `<< /Type /Pages /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    printInfo(content),
    ...pages.flatMap((stream, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${7 + index * 2} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ]),
  ];
  return assemble(objects);
}

function linesOf(block: Block): readonly Line[] {
  switch (block.kind) {
    case 'heading':
      return [{ text: block.text, font: 'F2', size: block.level === 2 ? 14 : 12, gap: 10 }];
    case 'list':
      return block.items.map((item, at) =>
        bodyLine(`${block.isOrdered ? `${at + 1}.` : '•'} ${item}`, at === 0 ? 6 : 2),
      );
    case 'table':
      return block.rows.map((cells, at) => bodyLine(cells.join('   '), at === 0 ? 6 : 2));
    case 'paragraph':
    case 'quote':
      return [bodyLine(block.text, 6)];
  }
}

function bodyLine(text: string, gap: number): Line {
  return { text, font: 'F1', size: 11, gap };
}

/** Breaks a line at blanks so that it fits between the margins; only the first part keeps the gap above. */
function wrap(line: Line): readonly Line[] {
  const room = ((PAGE.width - 2 * PAGE.side) * 1000) / line.size;
  const rows: string[] = [];
  for (const word of plainText(line.text).split(' ')) {
    const last = rows.at(-1);
    if (last === undefined || widthOf(`${last} ${word}`) > room) rows.push(word);
    else rows[rows.length - 1] = `${last} ${word}`;
  }
  return rows.map((text, at) => ({ ...line, text, gap: at === 0 ? line.gap : 0 }));
}

function widthOf(text: string): number {
  return [...text].reduce((sum, sign) => sum + (WIDTHS[(sign.codePointAt(0) ?? 0) - 32] ?? 556), 0);
}

/** One content stream per page. */
function paginate(lines: readonly Line[]): readonly string[] {
  const pages: string[][] = [[]];
  let y = PAGE.top;
  for (const { text, font, size, gap } of lines) {
    y -= gap + size * 1.35;
    if (y < PAGE.bottom) {
      pages.push([]);
      y = PAGE.top - size;
    }
    pages.at(-1)?.push(`BT /${font} ${size} Tf ${PAGE.side} ${y.toFixed(2)} Td (${escapeText(text)}) Tj ET`);
  }
  return pages.map((page) => page.join('\n'));
}

/** Escapes for a literal string; the result is ASCII, so its length is its length in bytes. */
function escapeText(text: string): string {
  return [...text]
    .map((sign) => {
      const code = WINDOWS.get(sign) ?? sign.codePointAt(0) ?? 63;
      if (code > 255) throw new Error(`${sign} is not in the encoding of the PDF`);
      if (code > 126) return `\\${code.toString(8)}`;
      return '()\\'.includes(sign) ? `\\${sign}` : sign;
    })
    .join('');
}

function printInfo({ title, head }: Content): string {
  const created = `D:${(head['date'] ?? '').replaceAll('-', '')}090000Z`;
  return `<< /Title (${escapeText(title)}) /Author (${escapeText(head['author'] ?? '')}) /CreationDate (${created}) >>`;
}

function assemble(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const start = text.length;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table}`;
  text += `trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
