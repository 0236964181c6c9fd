import { describe, expect, test } from 'vitest';
import { readLegacySheets } from '../../../../src/extract/files/legacy/legacy-sheets.ts';
import {
  biff,
  cells,
  chars,
  format,
  type LegacyWorkbook,
  link,
  longText,
  sharedStrings,
  style,
  textObject,
  u16,
  u32,
  xlsOf,
} from '../../../helpers/legacy-sheet-files.ts';
import { outlineOf } from '../../../helpers/office-files.ts';
import { oleOf } from '../../../helpers/ole-file.ts';

const one = (records: readonly Buffer[], workbook: LegacyWorkbook = {}) =>
  outlineOf(readLegacySheets(xlsOf([{ name: 'Depots', records }], workbook)).blocks).slice(1);

test('sheets are headings in their order, rows are tables below their header', () => {
  const file = readLegacySheets(
    xlsOf([
      {
        name: 'Depots',
        records: [
          cells.label(4, 0, 'Odense'),
          cells.label(4, 1, 'seven'),
          cells.label(0, 0, 'Town'),
          cells.label(0, 1, 'Opens'),
        ],
      },
      { name: 'Hidden', state: 1, records: [cells.label(0, 0, 'Margin'), textObject(6, 'Secret')] },
      { name: 'Very hidden', state: 2, records: [cells.label(0, 0, 'Cost')] },
      { name: 'Chart', kind: 2, records: [cells.label(0, 0, 'Axis')] },
      { name: 'Spät – 東京', records: [] },
    ]),
  );
  expect(outlineOf(file.blocks)).toEqual([
    'heading 1: Depots',
    'table: Town | Opens\nOdense | seven',
    'heading 1 hidden: Hidden',
    'table hidden: Margin',
    'paragraph hidden: Secret',
    'heading 1 hidden: Very hidden',
    'table hidden: Cost',
    'heading 1: Spät – 東京',
  ]);
  expect(file).toMatchObject({
    status: 'ok',
    properties: { title: 'Depots æø', author: 'Ada Holm', created: '2026-03-04T00:00:00.000Z' },
  });
});

const RICH = Buffer.concat([u16(6), Buffer.of(8), u16(2), Buffer.from('Odense'), Buffer.alloc(8)]);
const GUIDED = Buffer.concat([u16(2), Buffer.of(5), u32(10), Buffer.from('東京', 'utf16le'), Buffer.alloc(10, 65)]);

test.each<[string, readonly Buffer[]]>([
  ['in one record', [Buffer.concat([longText('Town'), RICH, GUIDED, longText('end')])]],
  ['that part between strings', [longText('Town'), Buffer.concat([RICH, GUIDED]), longText('end')]],
  [
    'that part within characters, formatting and guides',
    [
      Buffer.concat([longText('Town').subarray(0, 5)]),
      Buffer.concat([Buffer.of(0), Buffer.from('wn'), RICH.subarray(0, 14)]),
      Buffer.concat([RICH.subarray(14), GUIDED.subarray(0, 9)]),
      Buffer.concat([Buffer.of(1), GUIDED.subarray(9, 14)]),
      Buffer.concat([GUIDED.subarray(14), longText('end')]),
    ],
  ],
  [
    'whose characters change their width',
    [
      Buffer.concat([u16(4), Buffer.of(1), Buffer.from('To', 'utf16le')]),
      Buffer.concat([Buffer.of(0), Buffer.from('wn'), RICH, GUIDED.subarray(0, 7)]),
      Buffer.concat([Buffer.of(1), GUIDED.subarray(7), longText('end')]),
    ],
  ],
])('shared strings %s', (_, parts) => {
  const records = [0, 1, 2, 3, 9].map((index, column) => cells.shared(0, column, index));
  expect(one(records, { globals: [sharedStrings(4, ...parts)] })).toEqual(['table: Town | Odense | 東京 | end']);
});

const STYLES = [format(164, '"kr" #,##0'), style(0), style(164), style(14), style(10)];

test.each<[string, readonly Buffer[], string]>([
  ['labels', [cells.label(0, 0, 'Ærø'), cells.label(0, 1, '東京')], 'Ærø | 東京'],
  [
    'numbers in their formats',
    [cells.number(0, 0, 1_500, 1), cells.number(0, 1, 45_000, 2), cells.number(0, 2, 0.125, 3)],
    'kr 1,500 | 2023-03-15 | 12.50%',
  ],
  [
    'numbers in 30 bits',
    [
      cells.compact(0, 0, (1_234 << 2) | 2),
      cells.compact(0, 1, (1_234 << 2) | 3),
      cells.compact(0, 2, 0x3ff80000),
      cells.compact(0, 3, 0xffffffda),
      cells.compact(0, 4, 0x3ff80001),
    ],
    '1234 | 12.34 | 1.5 | -10 | 0.015',
  ],
  ['several numbers in one record', [cells.compacts(0, 1, [6, 10, 14])], '1 | 2 | 3'],
  [
    'truths and faults',
    [cells.truth(0, 0, 1), cells.truth(0, 1, 0), cells.truth(0, 2, 0x2a, 1), cells.truth(0, 3, 0x55, 1)],
    'TRUE | FALSE | #N/A',
  ],
  [
    'last results of formulas',
    [
      cells.formula(0, 0, 2.5),
      cells.formula(0, 1, [0, 0, 0, 0, 0, 0, 255, 255], 'text'),
      cells.formula(0, 2, [1, 0, 1, 0, 0, 0, 255, 255]),
      cells.formula(0, 3, [2, 0, 7, 0, 0, 0, 255, 255]),
      cells.formula(0, 4, [3, 0, 0, 0, 0, 0, 255, 255], 'stray'),
    ],
    '2.5 | text | TRUE | #DIV/0!',
  ],
  ['a string that is not there', [cells.shared(0, 0, 7), cells.label(0, 1, 'x')], 'x'],
  [
    'records that are too short',
    [biff(0xfd, [0]), biff(0x203, []), biff(6, [1, 2]), biff(0xbd, [0, 0]), biff(0x204, [0]), cells.label(0, 0, 'x')],
    'x',
  ],
  ['a label that says it is longer', [biff(0x204, Buffer.concat([u16(0, 0, 0, 60_000), chars('x')]))], 'x'],
])('%s', (_, records, line) => {
  expect(one(records, { globals: STYLES })).toEqual([`table: ${line}`]);
});

test('days may count from 1904', () => {
  expect(one([cells.number(0, 0, 43_538, 2)], { globals: [...STYLES, biff(0x22, [1, 0])] })).toEqual([
    'table: 2023-03-15',
  ]);
});

test.each<[string, number, Buffer, string]>([
  ['windows-1252', 1252, Buffer.from('c6 72 f8'.replaceAll(' ', ''), 'hex'), 'Ærø'],
  ['windows-1251', 1251, Buffer.from('ced2eaf0fbf2ee', 'hex'), 'ОТкрыто'],
])('a workbook of Excel 95 is in %s by its code page', (_, page, bytes, text) => {
  const globals = [biff(0x42, u16(page))];
  expect(one([cells.bytes(0, 0, bytes)], { globals, version: 5, stream: 'Book' })).toEqual([`table: ${text}`]);
});

test('text boxes are read; labels of controls, remarks and charts are not', () => {
  const chart = Buffer.concat([biff(0x809, u16(0x600, 0x20)), cells.label(3, 0, 'Axis'), biff(0x0a, [])]);
  const records = [textObject(7, 'Submit'), textObject(0x19, 'Ada: check this'), chart, textObject(6, 'Read\nthis 東')];
  expect(one(records)).toEqual(['paragraph: Read', 'paragraph: this 東']);
});

test('links have the text of their cell', () => {
  const records = [cells.label(2, 1, 'Our site'), link(2, 1, 'https://site.example/'), link(0, 0, 'C:\\notes.txt')];
  expect(readLegacySheets(xlsOf([{ name: 'Depots', records }])).links).toEqual([
    { url: 'https://site.example/', text: 'Our site' },
  ]);
});

test.each(['Workbook', 'WORKBOOK', 'Book', 'BOOK'])('the stream may be named %s', (stream) => {
  expect(one([cells.label(0, 0, 'Town')], { stream })).toEqual(['table: Town']);
});

describe('what cannot be read', () => {
  test('a workbook with a password is encrypted and keeps its properties', () => {
    const globals = [biff(0x2f, [1, 0, 1, 0, 1, 0])];
    expect(readLegacySheets(xlsOf([{ name: 'Depots', records: [] }], { globals }))).toMatchObject({
      status: 'encrypted',
      properties: { author: 'Ada Holm' },
      blocks: [],
    });
  });

  test('a workbook without cells is empty', () => {
    expect(readLegacySheets(xlsOf([{ name: 'Depots', records: [] }]))).toMatchObject({ status: 'empty' });
  });

  test('a stream that does not start as a workbook is malformed', () => {
    expect(readLegacySheets(xlsOf([], { stream: 'Sheets' })).status).toBe('malformed');
    const noise = { name: 'Workbook', content: Buffer.alloc(600, 9) };
    expect(readLegacySheets(oleOf([noise])).status).toBe('malformed');
    expect(readLegacySheets(Buffer.alloc(600)).status).toBe('malformed');
  });

  test('cells from the 50,001st on are left out, and the file is over the limit', () => {
    const records = Array.from({ length: 501 }, (_, row) =>
      cells.compacts(row, 0, Array(100).fill(row === 0 ? 10 : 6)),
    );
    const file = readLegacySheets(xlsOf([{ name: 'Depots', records }]));
    expect(file).toMatchObject({ status: 'over-limit', reason: 'The workbook has too many cells or too much text' });
    expect(file.blocks.flatMap(({ text }) => text.match(/1/g) ?? [])).toHaveLength(49_900);
  });

  test('cells that share a long string end at 6 MiB of text', () => {
    const text = 'long '.repeat(13_000);
    const records = Array.from({ length: 1_000 }, (_, row) => cells.shared(row, 0, 0));
    const file = readLegacySheets(
      xlsOf([{ name: 'Depots', records }], { globals: [sharedStrings(1, longText(text))] }),
    );
    expect(file.status).toBe('over-limit');
    expect(file.blocks.reduce((sum, block) => sum + block.text.length, 0)).toBeLessThan(8_000_000);
  });

  test('sheets that lie in each other end at 2,000,000 records', () => {
    const sheets = Array.from({ length: 999 }, () => ({ name: 'S', records: [] }));
    const records = Array.from({ length: 3_000 }, () => biff(0x01, []));
    const workbook = [...sheets, { name: 'All', records: [cells.label(0, 0, 'x'), ...records] }];
    const file = readLegacySheets(xlsOf(workbook, { at: startOfLast(sheets.length) }));
    expect(file.status).toBe('over-limit');
    expect(file.blocks.filter(({ kind }) => kind === 'table')).toHaveLength(667);
  });

  test('sheets that lie in each other have 20,000 links together', () => {
    const sheets = Array.from({ length: 99 }, () => ({ name: 'S', records: [] }));
    const records = Array.from({ length: 500 }, () => link(0, 0, 'https://site.example/'));
    const file = readLegacySheets(xlsOf([...sheets, { name: 'All', records }], { at: startOfLast(sheets.length) }));
    expect(file.links).toHaveLength(20_000);
  });
});

/** Where "All" starts behind the names and bodies of sheets of one letter. */
function startOfLast(count: number): number {
  return 12 + count * 13 + 15 + 4 + count * 16;
}
