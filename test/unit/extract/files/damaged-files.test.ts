import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileExtraction } from '../../../../src/extract/extraction.ts';
import { readEpub } from '../../../../src/extract/files/epub.ts';
import { readLegacySheets } from '../../../../src/extract/files/legacy/legacy-sheets.ts';
import { readLegacySlides } from '../../../../src/extract/files/legacy/legacy-slides.ts';
import { readLegacyWord, readLegacyWordPieces } from '../../../../src/extract/files/legacy/legacy-word.ts';
import { readOpenDocument } from '../../../../src/extract/files/open-document.ts';
import { readRtf } from '../../../../src/extract/files/rtf.ts';
import { readSheets } from '../../../../src/extract/files/sheets.ts';
import { readSlides } from '../../../../src/extract/files/slides.ts';
import { cells, link, longText, sharedStrings, textObject, xlsOf } from '../../../helpers/legacy-sheet-files.ts';
import { levels, pptOf, slideShape, slideTable, text } from '../../../helpers/legacy-slide-files.ts';
import { docOf, epubOf, line, odfOf, partsOf, pptxOf, shape, xlsxOf } from '../../../helpers/office-files.ts';

type Reader = (bytes: Uint8Array) => FileExtraction | Promise<FileExtraction>;

const TEXT = 'Opening hours of the depots ';
const ROWS = '<row><c t="inlineStr"><is><t>Town</t></is></c><c s="1"><v>45000</v></c></row>'.repeat(20);
const FILES: readonly (readonly [string, Reader, Buffer])[] = [
  [
    'slides',
    readSlides,
    pptxOf([
      { shapes: shape('title', line(TEXT)), notes: shape('body', line(TEXT)) },
      { shapes: shape('', line(TEXT)) },
    ]),
  ],
  [
    'a workbook',
    readSheets,
    xlsxOf([
      { name: 'Depots', data: ROWS },
      { name: 'More', data: ROWS },
    ]),
  ],
  ['an OpenDocument text', readOpenDocument, odfOf('text', `<text:h>${TEXT}</text:h><text:p>${TEXT}</text:p>`)],
  [
    'a book',
    readEpub,
    epubOf(
      { 'a.xhtml': `<h1>${TEXT}</h1><p>${TEXT}</p>` },
      { navigation: '<ol><li><a href="text/a.xhtml">A</a></li></ol>' },
    ),
  ],
  [
    'RTF',
    readRtf,
    Buffer.from(
      `{\\rtf1{\\fonttbl{\\f0\\fcharset204 A;}}{\\info{\\title T}}\\f0 ${TEXT}\\'e9\\par\\trowd a\\cell b\\cell\\row {\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt y}}{\\footnote n}\\u8364?}`,
    ),
  ],
  ['an old Word document', readLegacyWord, docOf({ text: `${TEXT}\ra\x07b\x07\x07` })],
  [
    'an old Word document by its pieces',
    readLegacyWordPieces,
    docOf({ text: `${TEXT}\ra\x07b\x07\x07`, notes: 'n\r' }),
  ],
  [
    'old slides',
    readLegacySlides,
    pptOf(
      [
        {
          shapes: [slideShape(text(0, TEXT)), slideShape(text(1, `${TEXT}\r${TEXT}`, levels([20, 0], [40, 1, true])))],
        },
        {
          shapes: [slideTable(slideShape(text(4, TEXT), { place: [0, 0] }))],
          notes: [slideShape(text(2, TEXT))],
          outline: [text(1, TEXT)],
        },
      ],
      { links: [['https://site.example/', TEXT]], earlier: [{ shapes: [slideShape(text(4, TEXT))] }] },
    ),
  ],
  [
    'an old workbook',
    readLegacySheets,
    xlsOf(
      [
        {
          name: 'Depots',
          records: [cells.shared(0, 0, 0), cells.compacts(1, 0, [6, 10]), cells.formula(2, 0, 1), textObject(6, TEXT)],
        },
        { name: 'More', records: [cells.label(0, 0, TEXT), link(0, 0, 'https://site.example/')] },
      ],
      { globals: [sharedStrings(2, longText(TEXT), longText(TEXT))] },
    ),
  ],
];
const SETTLED = ['ok', 'empty', 'malformed', 'over-limit', 'encrypted'];

describe.each(FILES)('%s', (_, read, bytes) => {
  test('is read when it is whole', async () => {
    expect((await read(bytes)).status).toBe('ok');
  });

  test.each(Array.from({ length: 20 }, (_entry, i) => i))('cut at %d of 20 places it settles', async (place) => {
    expect(SETTLED).toContain((await read(bytes.subarray(0, Math.floor((bytes.length * place) / 20)))).status);
  });

  test('with changed bytes it settles', async () => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const damaged = Buffer.from(bytes);
        for (const { at, byte } of changes) damaged[at] = byte;
        expect(SETTLED).toContain((await read(damaged)).status);
      }),
      { numRuns: 150 },
    );
  });
});

const markup = (unit: string) => fc.string({ unit: fc.constantFrom(...unit.split('¦')), maxLength: 60 });
const TAGS =
  '<a:p>¦</a:p>¦<a:t>x¦</a:t>¦<p:sp>¦</p:sp>¦<a:tbl>¦</a:tbl>¦<a:tr>¦<a:tc>¦<p:ph type="title"/>¦<mc:Fallback>¦</mc:Fallback>¦<a:fld type="slidenum">';
const ODF_TAGS =
  '<text:p>x¦</text:p>¦<text:h>¦</text:h>¦<table:table table:name="t">¦</table:table>¦<table:table-row>¦</table:table-row>¦<table:table-cell>¦</table:table-cell>¦<draw:page>¦<presentation:notes>¦<draw:frame presentation:class="title">¦</draw:frame>¦<text:note-body>¦</text:note-body>¦<text:list>¦<text:a xlink:href="u">¦</text:a>';
const SHEET_TAGS =
  '<row>¦</row>¦<c>¦<c t="s">¦<c r="ZZ9">¦</c>¦<v>1¦</v>¦<is>¦<t>x¦</t>¦<rPh>¦<hyperlink ref="A1" r:id="l"/>';
const RTF_TOKENS =
  "{¦}¦\\par ¦\\cell ¦\\row ¦\\*¦\\footnote ¦\\field ¦\\fldinst ¦\\fldrslt ¦\\upr ¦\\ud ¦\\u8364?¦\\'e9¦\\bin9 ¦\\uc3 ¦\\v ¦\\intbl ¦\\info ¦\\title ¦\\listtext ¦x";

test.each<[string, string, Reader, (text: string) => Buffer]>([
  ['slides', TAGS, readSlides, (shapes) => pptxOf([{ shapes }])],
  ['sheets', SHEET_TAGS, readSheets, (data) => xlsxOf([{ name: 'S', data }])],
  ['OpenDocument sheets', ODF_TAGS, readOpenDocument, (body) => odfOf('spreadsheet', body)],
  ['OpenDocument slides', ODF_TAGS, readOpenDocument, (body) => odfOf('presentation', body)],
  ['RTF', RTF_TOKENS, readRtf, (body) => Buffer.from(`{\\rtf1 ${body}`)],
])('%s of tags in any order settle', async (_, unit, read, fileOf) => {
  await fc.assert(
    fc.asyncProperty(markup(unit), async (text) => {
      const { status, blocks } = await read(fileOf(text));
      expect(['ok', 'empty']).toContain(status);
      expect(blocks.every((block) => block.text.trim() !== '')).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test.each<[string, Reader, string]>([
  ['slides', readSlides, 'ppt/presentation.xml'],
  ['a workbook', readSheets, 'xl/workbook.xml'],
  ['an OpenDocument text', readOpenDocument, 'content.xml'],
])('%s that inflates too much is over the limit', async (_, read, part) => {
  expect((await read(partsOf({ [part]: ' '.repeat(3_000_000) }))).status).toBe('over-limit');
});
