import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { LEGACY_OFFICE } from './hostile-legacy-office.ts';
import type { HostileInput, Lures } from './hostile-markup.ts';
import { docxOf, paragraph, pdfBombOf, pdfFileOf, pdfOf, pdfPageOf, pdfStream, zipOf } from './sample-files.ts';

const MB = 1024 * 1024;
const SENTENCE = 'Parcels are sent back within thirty days. ';

type Options = Partial<Pick<HostileInput, 'contentType' | 'isHeavy'>>;
const file = (name: string, as: string, body: () => Uint8Array, options: Options = {}): HostileInput => ({
  name,
  file: as,
  contentType: '',
  body,
  ...options,
});
const heavy = { isHeavy: true };
const part = (name: string, content: string | Uint8Array) => ({ name, content: Buffer.from(content) });
const xml = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>${content}`;
const numbered = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => of(i)).join('');
const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));

/** A workbook of the given parts. */
function xlsxOf(sheet: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const all = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...parts,
  };
  return zipOf(Object.entries(all).map(([name, content]) => part(name, xml(content))));
}
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

function openDocumentOf(
  type: string,
  content: string,
  more: readonly { name: string; content: Buffer }[] = [],
): Buffer {
  const mimetype = { ...part('mimetype', `application/vnd.oasis.opendocument.${type}`), isStored: true };
  const body = `<office:document-content><office:body>${content}</office:body></office:document-content>`;
  return zipOf([mimetype, part('content.xml', xml(body)), ...more]);
}

function epubOf(opf: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  const container = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>';
  const all = { 'META-INF/container.xml': container, 'book.opf': opf, ...parts };
  return zipOf([
    part('mimetype', 'application/epub+zip'),
    ...Object.entries(all).map(([name, content]) => part(name, xml(content))),
  ]);
}
const spineOf = (count: number) =>
  `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${numbered(count, (i) => `<itemref idref="a" id="i${i}"/>`)}</spine></package>`;

/** A document whose directory says that its text is short. */
function lyingZip(): Buffer {
  const bytes = docxOf(paragraph(SENTENCE.repeat(50_000)));
  bytes.writeUInt32LE(100, bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
  return bytes;
}

const PDFS: readonly HostileInput[] = [
  file('a PDF of forms in forms', 'bomb.pdf', () => pdfBombOf(10, 12), heavy),
  file('a PDF whose pages are their own parents', 'cycle.pdf', () =>
    pdfFileOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']),
  ),
  file('a PDF whose form draws itself', 'self.pdf', () =>
    pdfPageOf('/X Do', {
      resources: '/XObject << /X 6 0 R >> ',
      more: [
        pdfStream(
          '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>',
          '/X Do /X Do',
        ),
      ],
    }),
  ),
  file('a PDF of nested lists', 'lists.pdf', () =>
    pdfFileOf(['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids ${'['.repeat(200_000)} /Count 1 >>`]),
  ),
  file('a PDF of nested dictionaries', 'dictionaries.pdf', () =>
    pdfFileOf(['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /A ${'<< /A '.repeat(100_000)} >>`]),
  ),
  file(
    'a PDF of an inflating stream',
    'inflate.pdf',
    () =>
      pdfFileOf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
        pdfStream('/Filter /FlateDecode', deflateSync(Buffer.alloc(100 * MB, 'q Q ')).toString('latin1')),
      ]),
    heavy,
  ),
  file('a PDF of an inflating object stream', 'objects.pdf', () =>
    pdfFileOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [] /Count 0 >>',
      pdfStream(
        '/Type /ObjStm /N 1000000 /First 10 /Filter /FlateDecode',
        deflateSync(Buffer.alloc(50 * MB, '1 0 ')).toString('latin1'),
      ),
    ]),
  ),
  file('a PDF that says it has a billion pages', 'count.pdf', () =>
    pdfFileOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>',
      '<< /Type /Page /Parent 2 0 R >>',
    ]),
  ),
  file('a PDF whose cross references go in circles', 'xref.pdf', () =>
    Buffer.from(
      `%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF`,
    ),
  ),
  file('a PDF of 50,000 outline entries in a circle', 'outline.pdf', () =>
    pdfPageOf('BT /F1 12 Tf 9 9 Td (word) Tj ET', {
      catalog: '/Outlines 6 0 R ',
      more: ['<< /First 7 0 R /Last 7 0 R /Count 9 >>', '<< /Title (a) /Next 7 0 R /First 7 0 R /Parent 6 0 R >>'],
    }),
  ),
  file('a PDF of one text of 4 MB', 'long.pdf', () =>
    pdfPageOf(`BT /F1 12 Tf 9 9 Td (${'word '.repeat(800_000)}) Tj ET`),
  ),
  file('a PDF of 20,000 tiny texts', 'tiny.pdf', () => pdfPageOf(`BT /F1 1 Tf ${'1 0 Td (a) Tj '.repeat(20_000)}ET`)),
  file('a PDF of a metadata bomb', 'xmp.pdf', () =>
    Buffer.concat([pdfOf([[SENTENCE]]), Buffer.from(`<x:xmpmeta>${'<dc:title>'.repeat(100_000)}`)]),
  ),
  file('a PDF cut in the middle', 'cut.pdf', () => cut(pdfOf([[SENTENCE], [SENTENCE]]), 0.5)),
  file('a PDF of noise', 'noise.pdf', () =>
    Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.from(Uint8Array.from({ length: MB }, (_, i) => (i * 2_654_435_761) >>> 11)),
    ]),
  ),
  file('an encrypted PDF without a key', 'key.pdf', () =>
    pdfOf([['secret']], '/Encrypt << /Filter /Standard /V 5 /R 6 >> '),
  ),
];

const WORDS: readonly HostileInput[] = [
  file('a document that inflates to 400 MB', 'bomb.docx', () => docxOf(paragraph('x'.repeat(400 * MB))), heavy),
  file('a document that inflates to 30 MB', 'bomb2.docx', () => docxOf(paragraph('x'.repeat(30 * MB)))),
  file('an archive that lies about its sizes', 'lie.docx', lyingZip),
  file('a document of nested tables', 'tables.docx', () =>
    docxOf('<w:tbl><w:tr><w:tc>'.repeat(50_000) + paragraph('x')),
  ),
  file(
    'a document of a million runs',
    'runs.docx',
    () => docxOf(`<w:p>${'<w:r><w:t>x</w:t></w:r>'.repeat(300_000)}</w:p>`),
    heavy,
  ),
  file('a document of 100,000 paragraphs', 'paragraphs.docx', () =>
    docxOf(numbered(60_000, (i) => paragraph(`Some ${i} words`))),
  ),
  file('a document of an entity bomb', 'entities.docx', () =>
    docxOf(paragraph('x'), {
      'styles.xml': `<!DOCTYPE l [<!ENTITY a "${'lol'.repeat(100)}">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${'&a;'.repeat(50)}">`).join('')}]><w:styles>&a19;</w:styles>`,
    }),
  ),
  file('a document of tags without end', 'tags.docx', () => docxOf('<w:p '.repeat(200_000))),
  file('styles that are based on each other', 'styles.docx', () =>
    docxOf('<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>', {
      'styles.xml':
        '<w:styles NAMESPACES><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>',
    }),
  ),
  file('a gzip inside a document', 'gzip.docx', () =>
    zipOf([part('word/document.xml', gzipSync(Buffer.alloc(20 * MB)))]),
  ),
  file(
    'an archive of 60,000 entries',
    'entries.docx',
    () => zipOf(Array.from({ length: 60_000 }, (_, i) => part(`word/${i}.xml`, ''))),
    heavy,
  ),
  file('an archive of names that lead out', 'names.docx', () =>
    zipOf([
      part('../../../../etc/passwd', 'x'),
      part('word/document.xml', xml(`<w:document><w:body>${paragraph('x')}</w:body></w:document>`)),
    ]),
  ),
  file('a document cut in the middle', 'cut.docx', () => cut(docxOf(paragraph(SENTENCE)), 0.5)),
  file('a document that says it is a page', 'page.html', () => docxOf(paragraph(SENTENCE)), {
    contentType: 'text/html',
  }),
  file('a page that says it is a document', 'page.docx', () => Buffer.from(`<html><p>${SENTENCE}</p></html>`), {
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  }),
];

const SHEETS: readonly HostileInput[] = [
  file('a workbook of 300,000 cells', 'cells.xlsx', () =>
    xlsxOf(
      Array.from(
        { length: 3_000 },
        (_, row) =>
          `<row r="${row + 1}">${Array.from({ length: 100 }, (_, column) => cell(`A${column}`, `w${(row * 7_919 + column * 104_729) % 999_983}`)).join('')}</row>`,
      ).join(''),
    ),
  ),
  file('a cell in the last column of the last row', 'far.xlsx', () =>
    xlsxOf(`<row r="1048576">${cell('XFD1048576', 'far')}</row><row r="999999999999">${cell('ZZZZZZZ1', 'no')}</row>`),
  ),
  file('a workbook whose parts name each other', 'cycle.xlsx', () =>
    xlsxOf(`<row>${cell('A1', 'x')}</row>`, {
      'xl/worksheets/_rels/sheet1.xml.rels':
        '<Relationships><Relationship Id="d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing" Target="../worksheets/sheet1.xml"/></Relationships>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="workbook.xml"/></Relationships>',
    }),
  ),
  file('a workbook of 200,000 shared strings that are not there', 'strings.xlsx', () =>
    xlsxOf('<row><c r="A1" t="s"><v>99999999999</v></c><c r="B1" t="s"><v>-1</v></c></row>', {
      'xl/sharedStrings.xml': `<sst>${numbered(100_000, (i) => `<si><t>x${i}</t></si>`)}</sst>`,
    }),
  ),
  file('a number format of a million marks', 'format.xlsx', () =>
    xlsxOf('<row><c r="A1" s="0"><v>45000</v></c></row>', {
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${numbered(100_000, (i) => `[h]:mm${i};`)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
    }),
  ),
  file('a sheet of rows without end', 'rows.xlsx', () => xlsxOf(numbered(100_000, (i) => `<row r="${i}">`))),
];

const OTHERS: readonly HostileInput[] = [
  file('an ODT of nested sections', 'deep.odt', () =>
    openDocumentOf('text', `<office:text>${'<text:section>'.repeat(100_000)}<text:p>x</text:p>`),
  ),
  file('an ODT of a billion blanks', 'blanks.odt', () =>
    openDocumentOf('text', '<office:text><text:p>a<text:s text:c="1000000000"/>b</text:p></office:text>'),
  ),
  file('an ODS of repeated cells', 'repeat.ods', () =>
    openDocumentOf(
      'spreadsheet',
      '<office:spreadsheet><table:table table:name="t"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>',
    ),
  ),
  file('an encrypted ODT', 'secret.odt', () =>
    openDocumentOf('text', '', [
      part(
        'META-INF/manifest.xml',
        xml(
          '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
        ),
      ),
    ]),
  ),
  file('an EPUB whose spine has one chapter 100,000 times', 'spine.epub', () =>
    epubOf(spineOf(100_000), { 'a.xhtml': `<html><body><p>${SENTENCE.repeat(100)}</p></body></html>` }),
  ),
  file('an EPUB whose chapter is its package', 'self.epub', () =>
    epubOf(
      '<package><manifest><item id="a" href="book.opf" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    ),
  ),
  file('an EPUB of nested navigation', 'nav.epub', () =>
    epubOf(
      '<package><manifest><item id="a" href="a.xhtml"/><item id="n" href="n.xhtml" properties="nav"/></manifest><spine><itemref idref="a"/></spine></package>',
      {
        'a.xhtml': `<html><body><p>${SENTENCE}</p></body></html>`,
        'n.xhtml': `<html><body><nav>${'<ol><li><a href="a.xhtml">x</a>'.repeat(20_000)}</nav></body></html>`,
      },
    ),
  ),
  file('a slide show whose slide is its own relation', 'cycle.pptx', () =>
    zipOf([
      part(
        'ppt/presentation.xml',
        xml('<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>'),
      ),
      part(
        'ppt/_rels/presentation.xml.rels',
        xml(
          '<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="presentation.xml"/></Relationships>',
        ),
      ),
    ]),
  ),
  file('RTF of 200,000 groups', 'groups.rtf', () => Buffer.from(`{\\rtf1 ${'{'.repeat(200_000)}word`)),
  file('RTF of ends without a start', 'ends.rtf', () => Buffer.from(`{\\rtf1 word${'}'.repeat(200_000)}`)),
  file('RTF of a long number', 'number.rtf', () =>
    Buffer.from(`{\\rtf1\\uc${'9'.repeat(100_000)} \\u-99999999999 word}`),
  ),
  file('RTF of embedded bytes', 'bin.rtf', () =>
    Buffer.from(`{\\rtf1\\bin2147483647 word}${'{\\pict 0a'.repeat(50_000)}`),
  ),
  file('an OLE file whose sectors go in circles', 'cycle.doc', () => {
    const bytes = Buffer.alloc(4_096);
    Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
    bytes.writeUInt16LE(9, 30);
    bytes.writeUInt32LE(1, 44);
    return bytes;
  }),
  file('an archive in an archive', 'inner.zip', () =>
    zipOf([part('inner.zip', zipOf([part('inner.zip', deflateRawSync(Buffer.alloc(MB)))]))]),
  ),
];

const luring = ({ url, path }: Lures): readonly HostileInput[] => [
  file('a document of an entity from a file', 'entity.docx', () =>
    docxOf(paragraph('&a; some words'), {
      'settings.xml': `<!DOCTYPE l [<!ENTITY a SYSTEM "file://${path}">]><w:settings NAMESPACES>&a;</w:settings>`,
    }),
  ),
  file('a document whose template is elsewhere', 'template.docx', () =>
    docxOf(`<w:altChunk r:id="r9"/>${paragraph('Some words')}`, {
      '_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk" Target="${url}" TargetMode="External"/><Relationship Id="r8" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file://${path}" TargetMode="External"/></Relationships>`,
    }),
  ),
  file('a PDF that starts and asks for files', 'launch.pdf', () =>
    pdfPageOf('BT /F1 12 Tf 9 9 Td (Some words) Tj ET', {
      catalog: `/OpenAction << /S /URI /URI (${url}) >> /AF [ << /Type /Filespec /F (${path}) >> ] `,
    }),
  ),
  file('a PDF of a stream in another file', 'external.pdf', () =>
    pdfFileOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
      pdfStream(`/F (${path}) /FFilter /FlateDecode`, ''),
    ]),
  ),
  file('a workbook of links elsewhere', 'links.xlsx', () =>
    xlsxOf(`<row>${cell('A1', 'Some words')}</row>`, {
      'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships><Relationship Id="h" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${url}" TargetMode="External"/></Relationships>`,
    }),
  ),
  file('an EPUB of entities and pictures elsewhere', 'entity.epub', () =>
    epubOf(spineOf(1), {
      'a.xhtml': `<!DOCTYPE html [<!ENTITY a SYSTEM "file://${path}">]><html><body><img src="${url}"/><p>&a; Some words</p></body></html>`,
    }),
  ),
  file('RTF of a picture elsewhere', 'picture.rtf', () =>
    Buffer.from(
      `{\\rtf1 {\\field{\\*\\fldinst INCLUDEPICTURE "${url}"}{\\fldrslt x}}{\\field{\\*\\fldinst INCLUDETEXT "${path}"}} Some words}`,
    ),
  ),
];

const SLOW = new Set([
  'a PDF whose form draws itself',
  'a PDF whose pages are their own parents',
  'a PDF of nested lists',
  'a PDF of noise',
  'a PDF of one text of 4 MB',
  'a document of nested tables',
  'a document of 100,000 paragraphs',
  'a document of tags without end',
  'styles that are based on each other',
  'a workbook of 300,000 cells',
  'a workbook of 200,000 shared strings that are not there',
  'a number format of a million marks',
  'a sheet of rows without end',
  'an ODT of nested sections',
  'an EPUB whose spine has one chapter 100,000 times',
]);

/** Files, which are read in a child; the last ones ask it to read a file or an address. */
export function hostileFiles(lures: Lures): readonly HostileInput[] {
  const all = [...PDFS, ...WORDS, ...SHEETS, ...OTHERS, ...LEGACY_OFFICE, ...luring(lures)];
  return all.map((input) => ({ ...input, isHeavy: input.isHeavy === true || SLOW.has(input.name) }));
}
