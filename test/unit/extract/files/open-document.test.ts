import { expect, test } from 'vitest';
import { readOpenDocument } from '../../../../src/extract/files/open-document.ts';
import { odfOf, outlineOf } from '../../../helpers/office-files.ts';

const outline = (...args: Parameters<typeof odfOf>) => outlineOf(readOpenDocument(odfOf(...args)).blocks);
const p = (text: string) => `<text:p>${text}</text:p>`;
const cell = (text: string, more = '') => `<table:table-cell${more}>${text === '' ? '' : p(text)}</table:table-cell>`;
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;

test('a text has its headings, lists, tables and properties', () => {
  const file = readOpenDocument(
    odfOf(
      'text',
      '<text:h text:outline-level="2">Opening hours</text:h>' +
        p('Open from <text:span>seven</text:span><text:s text:c="2"/>to<text:line-break/>three.') +
        `<text:list><text:list-item>${p('One')}<text:list><text:list-item>${p('Inner')}</text:list-item></text:list></text:list-item></text:list>` +
        `<table:table table:name="T">${row(cell('Town'), cell('Opens'))}${row(cell('Odense'), cell('seven'))}</table:table>`,
    ),
  );
  expect(outlineOf(file.blocks)).toEqual([
    'heading 2: Opening hours',
    'paragraph: Open from seven to\nthree.',
    'list: One\n  Inner',
    'table: Town | Opens\nOdense | seven',
  ]);
  expect(file).toMatchObject({
    status: 'ok',
    pageCount: 3,
    properties: {
      title: 'Depots',
      author: 'Ada Holm',
      language: 'da',
      created: '2026-03-04T09:30:00',
      modified: '2026-05-06T10:00:00',
    },
  });
});

test.each<[string, string, string[]]>([
  [
    'notes come at the end, without their marks',
    p(
      'Text<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note</text:p></text:note-body></text:note> goes on.',
    ) + p('More.'),
    ['paragraph: Text goes on.', 'paragraph: More.', 'paragraph: A note'],
  ],
  [
    'deleted text is left out',
    `<text:tracked-changes>${p('Deleted')}</text:tracked-changes>${p('Kept')}`,
    ['paragraph: Kept'],
  ],
  [
    'remarks come at the end, without author and date, and ground nothing',
    p(
      'Kept<office:annotation><dc:creator>Ada</dc:creator><dc:date>2026-03-04</dc:date><text:p>Is this so?</text:p></office:annotation> text.',
    ) + p('More.'),
    ['paragraph: Kept text.', 'paragraph: More.', 'paragraph hidden: Is this so?'],
  ],
  [
    'what describes pictures comes at the end, each once, and grounds nothing',
    p(
      '<draw:frame draw:name="Image1"><svg:title>A ramp</svg:title><svg:desc>A ramp by the door</svg:desc></draw:frame>Text',
    ) + p('<draw:frame><svg:title>A ramp</svg:title><svg:desc>ramp.png</svg:desc></draw:frame>'),
    ['paragraph: Text', 'paragraph hidden: A ramp', 'paragraph hidden: A ramp by the door'],
  ],
  [
    'text boxes are paragraphs of their own',
    p(`Around<draw:frame><draw:text-box>${p('Boxed')}</draw:text-box><svg:title>Picture</svg:title></draw:frame>`),
    ['paragraph: Boxed', 'paragraph: Around', 'paragraph hidden: Picture'],
  ],
  ['line ends of the file are blanks', p('one\n   two'), ['paragraph: one two']],
])('%s', (_, body, lines) => {
  expect(outline('text', body)).toEqual(lines);
});

test('a remark on a cell is no text of it', () => {
  const remark = '<office:annotation><dc:creator>Ada</dc:creator><text:p>Ask again</text:p></office:annotation>';
  const body = `<table:table table:name="Depots">${row(cell('Town'), cell('Opens'))}${row(`<table:table-cell>${remark}${p('Odense')}</table:table-cell>`, cell('seven'))}</table:table>`;
  expect(outline('spreadsheet', body)).toEqual([
    'heading 1: Depots',
    'table: Town | Opens\nOdense | seven',
    'paragraph hidden: Ask again',
  ]);
});

test('links have their text', () => {
  const remark = '<office:annotation><text:p>Broken?</text:p></office:annotation>';
  const link = `<text:a xlink:href="https://site.example/">our <text:span>site</text:span>${remark}</text:a>`;
  const { links } = readOpenDocument(odfOf('text', p(`See ${link}.`)));
  expect(links).toEqual([{ url: 'https://site.example/', text: 'our site' }]);
});

test('sheets are headings, repeated cells keep the places of those behind them, hidden sheets ground nothing', () => {
  const styles =
    '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>';
  const body =
    `<table:table table:name="Depots">${row(cell('Town'), cell('Opens'), cell('Closes'))}${row(cell('Odense'), cell('', ' table:number-columns-repeated="1"'), cell('three'))}` +
    '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="1024"/></table:table-row></table:table>' +
    `<table:table table:name="Margins" table:style-name="h">${row(cell('12'))}</table:table>`;
  expect(outline('spreadsheet', body, { styles })).toEqual([
    'heading 1: Depots',
    'table: Town | Opens | Closes\nOdense |  | three',
    'heading 1 hidden: Margins',
    'table hidden: 12',
  ]);
});

test('names that a program gave its sheets are left out, others are headings', () => {
  const body = ['Sheet1', 'Tabelle2', 'Sheet7'].map(
    (name) => `<table:table table:name="${name}">${row(cell(`in ${name}`))}</table:table>`,
  );
  expect(outline('spreadsheet', body.join(''))).toEqual([
    'table: in Sheet1',
    'table: in Tabelle2',
    'heading 1: Sheet7',
    'table: in Sheet7',
  ]);
});

test('slides are pages with titles and notes', () => {
  const slide = (title: string, text: string, notes = '') =>
    `<draw:page><draw:frame presentation:class="title"><draw:text-box>${p(title)}</draw:text-box></draw:frame><draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item>${p(text)}</text:list-item></text:list></draw:text-box></draw:frame>${notes}</draw:page>`;
  const notes = `<presentation:notes><draw:frame presentation:class="notes"><draw:text-box>${p('Mention the ramp')}</draw:text-box></draw:frame></presentation:notes>`;
  const file = readOpenDocument(odfOf('presentation', slide('Odense', 'Open', notes) + slide('Aarhus', 'Closed')));
  expect(outlineOf(file.blocks)).toEqual([
    'heading 2 p1: Odense',
    'list p1: Open',
    'heading 3 p1: Notes',
    'paragraph p1: Mention the ramp',
    'heading 2 p2: Aarhus',
    'list p2: Closed',
  ]);
  expect(file.pageCount).toBe(2);
});

test('a file with a password is encrypted', () => {
  const manifest = '<manifest:file-entry><manifest:encryption-data manifest:checksum="x"/></manifest:file-entry>';
  expect(readOpenDocument(odfOf('text', '', { manifest }))).toMatchObject({ status: 'encrypted', blocks: [] });
});

test('a sheet without cells is empty', () => {
  expect(readOpenDocument(odfOf('spreadsheet', '<table:table table:name="Sheet1"></table:table>')).status).toBe(
    'empty',
  );
});

test('cells from the 50,001st on are left out, and the file is over the limit', () => {
  const body = `<table:table table:name="T">${row(...Array.from({ length: 100 }, () => cell('1'))).repeat(501)}</table:table>`;
  expect(readOpenDocument(odfOf('spreadsheet', body)).status).toBe('over-limit');
});
