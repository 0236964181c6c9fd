import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

type Entry = { readonly name: string; readonly content: Buffer; readonly isStored?: boolean };

/** A zip archive. */
export function zipOf(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored = false } of entries) {
    const data = isStored ? content : deflateRawSync(content, { level: 6 });
    const method = isStored ? '00' : '08';
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(content), 0);
    sizes.writeUInt32LE(data.length, 4);
    sizes.writeUInt32LE(content.length, 8);
    const nameSizes = Buffer.from([name.length & 255, name.length >> 8, 0, 0]);
    const local = Buffer.concat([
      Buffer.from(`504b030414000000${method}0000000000`, 'hex'),
      sizes,
      nameSizes,
      Buffer.from(name),
      data,
    ]);
    const where = Buffer.alloc(4);
    where.writeUInt32LE(offset);
    directory.push(
      Buffer.concat([
        Buffer.from(`504b0102140014000000${method}0000000000`, 'hex'),
        sizes,
        nameSizes,
        Buffer.alloc(10),
        where,
        Buffer.from(name),
      ]),
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

const RELATIONS =
  '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
const TYPES =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const CORE =
  '<?xml version="1.0" encoding="UTF-8"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>Returns &amp; repairs</dc:title><dc:creator>Ada Holm</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">2026-03-04T09:30:00Z</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">2026-05-06T10:00:00Z</dcterms:modified></cp:coreProperties>';

const WORD_SPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

/** A Word document around a body of document.xml; `parts` by name within `word/`, where NAMESPACES stands for the declarations. */
export function docxOf(body: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  const document = `<w:document ${WORD_SPACES}><w:body>${body}</w:body></w:document>`;
  const own = Object.entries({ ...parts, 'document.xml': document }).map(([name, xml]) => ({
    name: `word/${name}`,
    content: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${xml.replaceAll('NAMESPACES', WORD_SPACES)}`),
  }));
  return zipOf([
    { name: '[Content_Types].xml', content: Buffer.from(TYPES) },
    { name: '_rels/.rels', content: Buffer.from(RELATIONS) },
    { name: 'docProps/core.xml', content: Buffer.from(CORE) },
    ...own,
  ]);
}

export const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** A PDF of one page; `more` objects follow from number 6. */
export function pdfPageOf(
  content: string,
  { resources = '', fonts = '', more = [] as readonly string[], catalog = '' } = {},
): Buffer {
  return pdfFileOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog}>>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R ${fonts}>> ${resources}>> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    pdfStream('', content),
    ...more,
  ]);
}

/** A few kilobytes of forms that stand in each other `fan` times per depth: `fan ** depth` words. */
export function pdfBombOf(fan: number, depth: number): Buffer {
  const more = nestedForms({ fan, depth, firstAt: 6, font: '4 0 R' });
  return pdfPageOf('/X Do', { resources: '/XObject << /X 6 0 R >> ', more });
}

type NestedForms = {
  readonly fan: number;
  readonly depth: number;
  /** Number of the first object. */
  readonly firstAt: number;
  readonly font: string;
};

function nestedForms({ fan, depth, firstAt, font }: NestedForms): readonly string[] {
  return Array.from({ length: depth }, (_, i) => {
    const isLast = i === depth - 1;
    const inner = isLast ? '' : `/XObject << /X ${firstAt + 1 + i} 0 R >>`;
    const resources = `/Resources << /Font << /F1 ${font} >> ${inner} >>`;
    const data = isLast ? 'BT /F1 12 Tf 10 10 Td (word) Tj ET' : '/X Do '.repeat(fan);
    return pdfStream(`/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${resources}`, data);
  });
}

/** Pages of one line each, and one behind them that is a bomb as `pdfBombOf` makes it. */
export function pdfEndingInBomb(lines: readonly string[]): Buffer {
  const count = lines.length + 1;
  const formAt = 4 + 2 * count;
  const kids = Array.from({ length: count }, (_, i) => `${4 + 2 * i} 0 R`).join(' ');
  const pages = [...lines.map((line) => `BT /F1 12 Tf 60 780 Td (${line}) Tj ET`), '/X Do'].flatMap((content, i) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> /XObject << /X ${formAt} 0 R >> >> >>`,
    pdfStream('', content),
  ]);
  return pdfFileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages,
    ...nestedForms({ fan: 10, depth: 12, firstAt: formAt, font: '3 0 R' }),
  ]);
}

/** A PDF whose pages are grey pictures of 8 bits per pixel. */
export function pdfOfPictures(
  pictures: readonly { readonly width: number; readonly height: number; readonly pixels: Uint8Array }[],
): Buffer {
  const kids = pictures.map((_, i) => `${3 + 3 * i} 0 R`).join(' ');
  const pages = pictures.flatMap(({ width, height, pixels }, i) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${4 + 3 * i} 0 R /Resources << /XObject << /I ${5 + 3 * i} 0 R >> >> >>`,
    pdfStream('', 'q 595 0 0 842 0 0 cm /I Do Q'),
    pdfStream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
      deflateSync(pixels).toString('latin1'),
    ),
  ]);
  return pdfFileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pictures.length} >>`,
    ...pages,
  ]);
}

/** A PDF of the given lines per page; `trailer` adds to the trailer. */
export function pdfOf(pages: readonly (readonly string[])[], trailer = ''): Buffer {
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((lines, i) => {
      const text = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj 0 -16 Td`).join('\n');
      const stream = `BT /F1 12 Tf 60 780 Td\n${text}\nET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + i * 2} 0 R >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
    "<< /Title (Delivery guide) /Author (Ada Holm) /CreationDate (D:20260210083000+01'00') /ModDate (D:20260301) >>",
  ];
  return pdfFileOf(objects, `/Info ${objects.length} 0 R ${trailer}`);
}

/** A stream object; `entries` stand in its dictionary. */
export function pdfStream(entries: string, data: string): string {
  return `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

/** A PDF of objects, numbered from 1; the first is its catalog. */
export function pdfFileOf(objects: readonly string[], trailer = ''): Buffer {
  let out = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = out.length;
    out += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const xref = out.length;
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  out += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(out, 'latin1');
}
