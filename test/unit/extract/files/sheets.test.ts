import { expect, test } from 'vitest';
import { readSheets } from '../../../../src/extract/files/sheets.ts';
import { outlineOf, xlsxOf } from '../../../helpers/office-files.ts';

const inline = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (number: number, ...cells: string[]) => `<row r="${number}">${cells.join('')}</row>`;
const outline = (...args: Parameters<typeof xlsxOf>) => outlineOf(readSheets(xlsxOf(...args)).blocks);
const one = (data: string, parts = {}) => outline([{ name: 'Depots', data }], parts).slice(1);

test('sheets are headings, rows are tables below their header', () => {
  const file = readSheets(
    xlsxOf([
      {
        name: 'Depots',
        data:
          row(1, inline('A1', 'Town'), inline('B1', 'Opens')) + row(2, inline('A2', 'Odense'), inline('B2', 'seven')),
      },
      { name: 'Secret', state: 'hidden', data: row(1, inline('A1', 'Margin')) },
      { name: 'Later', data: '' },
    ]),
  );
  expect(outlineOf(file.blocks)).toEqual([
    'heading 1: Depots',
    'table: Town | Opens\nOdense | seven',
    'heading 1 hidden: Secret',
    'table hidden: Margin',
    'heading 1: Later',
  ]);
  expect(file).toMatchObject({ status: 'ok', pageCount: undefined, properties: { title: 'Depots & hours' } });
});

const STRINGS =
  '<sst><si><t>Town</t></si><si><r><t>Ode</t></r><r><t>nse</t></r><rPh><t>guide</t></rPh></si><si><t>a_x000D_b</t></si></sst>';
const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="&quot;kr&quot; #,##0"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="10"/></cellXfs></styleSheet>';

test.each<[string, string, string[]]>([
  [
    'shared strings, without phonetic guides',
    '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>',
    ['Town | Odense'],
  ],
  ['escaped characters', '<c r="A1" t="s"><v>2</v></c>', ['a b']],
  ['a string that is not there', '<c r="A1" t="s"><v>9</v></c><c r="B1" t="s"><v/></c><c r="C1"><v>1</v></c>', ['1']],
  [
    'numbers in their formats',
    '<c r="A1" s="1"><v>1500</v></c><c r="B1" s="2"><v>45000</v></c><c r="C1" s="3"><v>0.125</v></c>',
    ['kr 1,500 | 2023-03-15 | 12.50%'],
  ],
  [
    'last results of formulas',
    '<c r="A1" t="str"><f>A2&amp;"x"</f><v>text</v></c><c r="B1"><f>1+1</f><v>2</v></c>',
    ['text | 2'],
  ],
  [
    'booleans, faults and dates',
    '<c r="A1" t="b"><v>1</v></c><c r="B1" t="e"><v>#N/A</v></c><c r="C1" t="d"><v>2026-03-04</v></c>',
    ['TRUE | #N/A | 2026-03-04'],
  ],
  ['cells without places', '<c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c>', ['a | b']],
  ['a value that is no number', '<c r="A1"><v>n/a</v></c>', ['n/a']],
])('%s', (_, cells, lines) => {
  expect(one(row(1, cells), { 'xl/sharedStrings.xml': STRINGS, 'xl/styles.xml': STYLES })).toEqual(
    lines.map((text) => `table: ${text}`),
  );
});

test('a value stays below its header, columns that nobody uses are left out', () => {
  const data =
    row(1, inline('A1', 'Town'), inline('C1', 'Opens'), inline('D1', 'Closes')) +
    row(2, inline('A2', 'Odense'), inline('D2', 'three'));
  expect(one(data)).toEqual(['table: Town | Opens | Closes\nOdense |  | three']);
});

test('cells that stand far apart are joined without the borders between', () => {
  const data = Array.from({ length: 20 }, (_, i) =>
    row(i + 1, inline(`${String.fromCharCode(65 + i)}${i + 1}`, `v${i}`)),
  ).join('');
  expect(one(data)).toEqual([`table: ${Array.from({ length: 20 }, (_, i) => `v${i}`).join('\n')}`]);
});

test('columns from the 16,385th on are left out', () => {
  expect(one(row(1, inline('XFD1', 'last'), inline('XFE1', 'beyond')))).toEqual(['table: last']);
});

test('cells that share a long string end at 6 MiB of text, and the file is over the limit', () => {
  const cells = Array.from({ length: 20 }, () => '<c t="s"><v>0</v></c>').join('');
  const strings = `<sst><si><t>${'long '.repeat(200_000)}</t></si></sst>`;
  const file = readSheets(xlsxOf([{ name: 'Depots', data: row(1, cells) }], { 'xl/sharedStrings.xml': strings }));
  expect(file.status).toBe('over-limit');
  expect(file.blocks.reduce((chars, { text }) => chars + text.length, 0)).toBeLessThan(8_000_000);
});

test('sheets that share a long drawing end at 6 MiB of text, and the file is over the limit', () => {
  const relations = [{ id: 'd', type: 'drawing', target: '../drawings/drawing1.xml' }];
  const sheets = Array.from({ length: 20 }, () => ({ name: 'Depots', data: '', relations }));
  const text = `<a:p><a:r><a:t>${'long '.repeat(100_000)}</a:t></a:r></a:p>`;
  const file = readSheets(xlsxOf(sheets, { 'xl/drawings/drawing1.xml': text }));
  expect(file.status).toBe('over-limit');
  expect(file.blocks.reduce((chars, { text }) => chars + text.length, 0)).toBeLessThan(8_000_000);
});

test.each([
  ['runs a macro', '<xdr:sp macro="[0]!Send"><a:p><a:r><a:t>Submit</a:t></a:r></a:p></xdr:sp>'],
  [
    'stands in for a form control',
    '<xdr:sp macro=""><xdr:cNvPr hidden="1"><a14:compatExt spid="_x0000_s1"/></xdr:cNvPr><a:p><a:r><a:t>Submit</a:t></a:r></a:p></xdr:sp>',
  ],
])('text of a shape that %s is left out', (_, shape) => {
  const relations = [{ id: 'd', type: 'drawing', target: '../drawings/drawing1.xml' }];
  const text = '<xdr:sp macro=""><a:p><a:r><a:t>Read this first</a:t></a:r></a:p></xdr:sp>';
  const parts = { 'xl/drawings/drawing1.xml': `<xdr:wsDr>${shape}${text}</xdr:wsDr>` };
  expect(outline([{ name: 'Depots', data: '', relations }], parts)).toEqual([
    'heading 1: Depots',
    'paragraph: Read this first',
  ]);
});

test('cells from the 50,001st on are left out, and the file is over the limit', () => {
  const cells = Array.from({ length: 100 }, () => '<c><v>1</v></c>').join('');
  const header = Array.from({ length: 100 }, () => '<c t="str"><v>h</v></c>').join('');
  const data = Array.from({ length: 501 }, (_, i) => row(i + 1, i === 0 ? header : cells)).join('');
  const file = readSheets(xlsxOf([{ name: 'Depots', data }]));
  expect(file).toMatchObject({ status: 'over-limit', reason: 'The workbook has too many cells or too much text' });
  expect(
    file.blocks
      .map(({ text }) => text)
      .join(' ')
      .match(/1/g),
  ).toHaveLength(49_900);
});

test('long tables come in several blocks below the same header', () => {
  const data = Array.from({ length: 2_000 }, (_, i) =>
    row(i + 1, inline(`A${i + 1}`, i === 0 ? 'Header' : 'x'.repeat(100))),
  ).join('');
  const tables = one(data);
  expect(tables.length).toBeGreaterThan(1);
  expect(tables.every((text) => text.startsWith('table: Header\n'))).toBe(true);
});

test('links have the text of their cell; text boxes are read', () => {
  const file = readSheets(
    xlsxOf(
      [
        {
          name: 'Depots',
          data: row(1, inline('A1', 'Our site')),
          after: '<hyperlinks><hyperlink ref="A1" r:id="l"/></hyperlinks>',
          relations: [
            { id: 'l', type: 'hyperlink', target: 'https://site.example/', external: true },
            { id: 'd', type: 'drawing', target: '../drawings/drawing1.xml' },
          ],
        },
      ],
      { 'xl/drawings/drawing1.xml': '<xdr:sp><a:p><a:r><a:t>Read this first</a:t></a:r></a:p></xdr:sp>' },
    ),
  );
  expect(file.links).toEqual([{ url: 'https://site.example/', text: 'Our site' }]);
  expect(outlineOf(file.blocks)).toContain('paragraph: Read this first');
});

test('a workbook without cells is empty', () => {
  expect(readSheets(xlsxOf([{ name: 'Sheet1', data: '' }]))).toMatchObject({ status: 'empty' });
});
