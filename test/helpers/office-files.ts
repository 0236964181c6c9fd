import { oleOf } from './ole-file.ts';
import { zipOf } from './sample-files.ts';

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export type Relation = {
  readonly id: string;
  readonly type: string;
  readonly target: string;
  readonly external?: boolean;
};

/** Archive of named texts. */
export function partsOf(parts: Readonly<Record<string, string>>): Buffer {
  return zipOf(Object.entries(parts).map(([name, content]) => ({ name, content: Buffer.from(content) })));
}

export function relations(list: readonly Relation[]): string {
  const entries = list.map(
    ({ id, type, target, external }) =>
      `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"${external === true ? ' TargetMode="External"' : ''}/>`,
  );
  return `<?xml version="1.0"?><Relationships>${entries.join('')}</Relationships>`;
}

const CORE =
  '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Depots &amp; hours</dc:title>' +
  '<dc:creator>Ada Holm</dc:creator><dc:language>en-GB</dc:language><dcterms:created>2026-03-04T09:30:00Z</dcterms:created>' +
  '<dcterms:modified>2026-05-06T10:00:00Z</dcterms:modified></cp:coreProperties>';

/** A shape of a slide; `place` is its placeholder. */
export function shape(place: string, paragraphs: string, more = ''): string {
  const ph = place === '' ? '' : `<p:ph${place === 'content' ? '' : ` type="${place}"`}/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"${more}/><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

export const line = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;

export type Slide = {
  readonly shapes: string;
  readonly notes?: string;
  readonly attributes?: string;
  readonly relations?: readonly Relation[];
};

/** Slides in the order given; their parts are numbered against it, so that numbers tell nothing. */
export function pptxOf(slides: readonly Slide[], more: Readonly<Record<string, string>> = {}): Buffer {
  const parts: Record<string, string> = {
    '_rels/.rels': relations([{ id: 'rId1', type: 'officeDocument', target: 'ppt/presentation.xml' }]),
    'docProps/core.xml': CORE,
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides
      .map((_, i) => `<p:sldId id="${256 + i}" r:id="s${i}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      slides.map((_, i) => ({ id: `s${i}`, type: 'slide', target: `slides/slide${slides.length - i}.xml` })),
    ),
    ...more,
  };
  slides.forEach(({ shapes, notes, attributes = '', relations: own = [] }, i) => {
    const number = slides.length - i;
    const target = `../notesSlides/notesSlide${number}.xml`;
    parts[`ppt/slides/slide${number}.xml`] =
      `<p:sld${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relations([
      ...own,
      ...(notes === undefined ? [] : [{ id: 'n', type: 'notesSlide', target }]),
    ]);
    if (notes !== undefined) parts[`ppt/notesSlides/notesSlide${number}.xml`] = `<p:notes>${notes}</p:notes>`;
  });
  return partsOf(parts);
}

export type Sheet = {
  readonly name: string;
  readonly data: string;
  readonly state?: string;
  readonly after?: string;
  readonly relations?: readonly Relation[];
};

/** A workbook; `parts` are added or replace what it has. */
export function xlsxOf(sheets: readonly Sheet[], parts: Readonly<Record<string, string>> = {}): Buffer {
  const entries = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${name}" sheetId="${i + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="s${i}"/>`,
  );
  const bodies = sheets.flatMap(({ data, after = '', relations: own = [] }, i) => [
    [`xl/worksheets/sheet${i + 1}.xml`, `<worksheet><sheetData>${data}</sheetData>${after}</worksheet>`] as const,
    [`xl/worksheets/_rels/sheet${i + 1}.xml.rels`, relations(own)] as const,
  ]);
  return partsOf({
    '_rels/.rels': relations([{ id: 'rId1', type: 'officeDocument', target: '/xl/workbook.xml' }]),
    'docProps/core.xml': CORE,
    'xl/workbook.xml': `<workbook><workbookPr/><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...sheets.map((_, i) => ({ id: `s${i}`, type: 'worksheet', target: `worksheets/sheet${i + 1}.xml` })),
      { id: 'strings', type: 'sharedStrings', target: 'sharedStrings.xml' },
      { id: 'styles', type: 'styles', target: 'styles.xml' },
    ]),
    ...Object.fromEntries(bodies),
    ...parts,
  });
}

const META =
  '<office:document-meta><office:meta><dc:title>Depots</dc:title><meta:initial-creator>Ada Holm</meta:initial-creator>' +
  '<meta:creation-date>2026-03-04T09:30:00</meta:creation-date><dc:date>2026-05-06T10:00:00</dc:date><dc:language>da</dc:language>' +
  '<meta:document-statistic meta:page-count="3"/></office:meta></office:document-meta>';

/** An OpenDocument file: `kind` is `text`, `spreadsheet` or `presentation`. */
export function odfOf(kind: string, body: string, { styles = '', manifest = '' } = {}): Buffer {
  return partsOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'meta.xml': META,
    'META-INF/manifest.xml': `<manifest:manifest>${manifest}</manifest:manifest>`,
  });
}

/** A book of pages in the order given; `navigation` is the inside of its table of contents. */
export function epubOf(
  pages: Readonly<Record<string, string>>,
  {
    navigation,
    ncx,
    encryption,
  }: { readonly navigation?: string; readonly ncx?: string; readonly encryption?: string } = {},
): Buffer {
  const names = Object.keys(pages);
  const items = names.map(
    (name, i) => `<item id="p${i}" href="text/${encodeURIComponent(name)}" media-type="application/xhtml+xml"/>`,
  );
  if (navigation !== undefined)
    items.push('<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>');
  if (ncx !== undefined) items.push('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>');
  return partsOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    ...(encryption === undefined ? {} : { 'META-INF/encryption.xml': encryption }),
    'OEBPS/book.opf':
      '<package><metadata><dc:title>The depot</dc:title><dc:creator>Ada Holm</dc:creator><dc:creator>Bo Lind</dc:creator>' +
      '<dc:language>en</dc:language><dc:date>2026-03-04</dc:date><meta property="dcterms:modified">2026-05-06T10:00:00Z</meta></metadata>' +
      `<manifest>${items.reverse().join('')}</manifest><spine>${names.map((_, i) => `<itemref idref="p${i}"/>`).join('')}</spine></package>`,
    ...(navigation === undefined
      ? {}
      : { 'OEBPS/nav.xhtml': `<html><body><nav epub:type="toc">${navigation}</nav></body></html>` }),
    ...(ncx === undefined ? {} : { 'OEBPS/toc.ncx': `<ncx><navMap>${ncx}</navMap></ncx>` }),
    ...Object.fromEntries(
      names.map((name) => [`OEBPS/text/${name}`, `<html><head><title/></head><body>${pages[name]}</body></html>`]),
    ),
  });
}

export type LegacyWord = {
  readonly text: string;
  readonly notes?: string;
  /** Bits of the header: 0x0100 is encrypted. */
  readonly flags?: number;
  /** Word 97 keeps pieces, Word 95 one run of bytes. */
  readonly version?: 97 | 95;
  readonly language?: number;
  readonly charset?: (text: string) => Buffer;
  /** How often the table of pieces names the text. */
  readonly pieceCount?: number;
};

/** A Word document of before 2007 by its header and pieces alone: enough for a reader of pieces, too little for Word. */
export function docOf(document: LegacyWord): Buffer {
  const { text, notes = '', flags = 0, version = 97, language = 0x409, charset, pieceCount = 1 } = document;
  const header = Buffer.alloc(0x400);
  header.writeUInt16LE(0xa5ec, 0);
  header.writeUInt16LE(version === 97 ? 0xc1 : 0x68, 2);
  header.writeUInt16LE(language, 6);
  header.writeUInt16LE(flags, 10);
  const bytes = charset?.(text + notes) ?? Buffer.from(text + notes, version === 97 ? 'utf16le' : 'latin1');
  header.writeUInt32LE(header.length, 0x18);
  header.writeUInt32LE(header.length + bytes.length, 0x1c);
  const pieces = Buffer.alloc(5 + 4 + pieceCount * 12);
  if (version === 95) {
    header.writeUInt32LE(text.length, 0x34);
    header.writeUInt32LE(notes.length, 0x38);
  } else {
    header.writeUInt32LE(text.length * pieceCount, 0x4c);
    header.writeUInt32LE(notes.length, 0x50);
    header.writeUInt32LE(0, 0x1a2);
    header.writeUInt32LE(pieces.length, 0x1a6);
    pieces[0] = 2;
    pieces.writeUInt32LE(pieces.length - 5, 1);
    for (let i = 0; i < pieceCount; i++) {
      pieces.writeUInt32LE((text.length + notes.length) * (i + 1), 9 + i * 4);
      pieces.writeUInt32LE(header.length, 9 + pieceCount * 4 + i * 8 + 2);
    }
  }
  return oleOf([
    { name: 'WordDocument', content: Buffer.concat([header, bytes]) },
    { name: '0Table', content: pieces },
    { name: '\u0005SummaryInformation', content: summary() },
  ]);
}

/** Title, author, creation and pages as a property set (MS-OLEPS). */
export function summary(): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.alloc(8 + Math.ceil((value.length + 1) / 4) * 4);
    bytes.writeUInt32LE(0x1e, 0);
    bytes.writeUInt32LE(value.length + 1, 4);
    bytes.write(value, 8, 'latin1');
    return bytes;
  };
  const time = Buffer.alloc(12);
  time.writeUInt32LE(0x40, 0);
  time.writeBigUInt64LE((BigInt(Date.UTC(2026, 2, 4)) + 11_644_473_600_000n) * 10_000n, 4);
  const number = (type: number, value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(type, 0);
    bytes.writeInt32LE(value, 4);
    return bytes;
  };
  const values: readonly (readonly [number, Buffer])[] = [
    [1, number(2, 1252)],
    [2, text('Depots \xe6\xf8')],
    [4, text('Ada Holm')],
    [12, time],
    [14, number(3, 7)],
  ];
  const head = Buffer.alloc(48);
  head.writeUInt32LE(48, 44);
  const list = Buffer.alloc(8 + values.length * 8);
  list.writeUInt32LE(values.length, 4);
  let at = list.length;
  values.forEach(([id, bytes], i) => {
    list.writeUInt32LE(id, 8 + i * 8);
    list.writeUInt32LE(at, 12 + i * 8);
    at += bytes.length;
  });
  return Buffer.concat([head, list, ...values.map(([, bytes]) => bytes)]);
}

/** Blocks as short lines: kind, level of a heading, page, text, whether it is seen. */
export function outlineOf(
  blocks: readonly { kind: string; level: number; text: string; page?: number; grounding: boolean }[],
): readonly string[] {
  return blocks.map(({ kind, level, text, page, grounding }) => {
    const name = kind === 'heading' ? `heading ${level}` : kind;
    return `${name}${page === undefined ? '' : ` p${page}`}${grounding ? '' : ' hidden'}: ${text}`;
  });
}
