import { expect, test } from 'vitest';
import { readSlides } from '../../../../src/extract/files/slides.ts';
import { line, outlineOf, pptxOf, shape } from '../../../helpers/office-files.ts';

const body = (...texts: string[]) => shape('body', texts.map((text) => line(text)).join(''));
const read = (...args: Parameters<typeof pptxOf>) => readSlides(pptxOf(...args));
const TABLE =
  '<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Depot</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Hours</a:t></a:r></a:p></a:txBody></a:tc></a:tr>' +
  '<a:tr><a:tc><a:txBody><a:p><a:r><a:t>Odense</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>7</a:t></a:r></a:p><a:p><a:r><a:t>to 3</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>';

test('slides come in the order of the show, with titles, points and notes on their pages', () => {
  const file = read([
    { shapes: shape('ctrTitle', line('Our depots')) + shape('subTitle', line('Spring')) },
    {
      shapes:
        shape('title', line('Odense')) + body('Open on weekdays', 'Closed on Sundays') + shape('', line('Call us')),
      notes: shape('body', line('Tell them about the ramp')) + shape('sldNum', line('2')),
    },
  ]);
  expect(outlineOf(file.blocks)).toEqual([
    'heading 1 p1: Our depots',
    'paragraph p1: Spring',
    'heading 2 p2: Odense',
    'list p2: Open on weekdays\nClosed on Sundays',
    'paragraph p2: Call us',
    'heading 3 p2: Notes',
    'paragraph p2: Tell them about the ramp',
  ]);
  expect(file).toMatchObject({
    status: 'ok',
    pageCount: 2,
    properties: {
      title: 'Depots & hours',
      author: 'Ada Holm',
      language: 'en-GB',
      created: '2026-03-04T09:30:00Z',
      modified: '2026-05-06T10:00:00Z',
    },
  });
});

test.each<[string, string, string[]]>([
  ['a table is one block', TABLE, ['table p1: Depot | Hours\nOdense | 7 to 3']],
  [
    'footers, dates and numbers are left out',
    shape('ftr', line('Footer')) + shape('sldNum', line('1')) + shape('dt', line('May')),
    [],
  ],
  [
    'a number of the slide in text is left out',
    shape('', '<a:p><a:fld type="slidenum"><a:t>4</a:t></a:fld><a:r><a:t>Text</a:t></a:r></a:p>'),
    ['paragraph p1: Text'],
  ],
  ['a hidden shape grounds nothing', shape('', line('Secret'), ' hidden="1"'), ['paragraph p1 hidden: Secret']],
  [
    'bullets make a list of any shape',
    shape('', line('One', '<a:pPr lvl="1"><a:buChar char="-"/></a:pPr>')),
    ['list p1:   One'],
  ],
  [
    'a paragraph of the body may be none',
    shape('body', line('Text', '<a:pPr><a:buNone/></a:pPr>')),
    ['paragraph p1: Text'],
  ],
  [
    'breaks part lines',
    shape('', '<a:p><a:r><a:t>One</a:t></a:r><a:br/><a:r><a:t>Two</a:t></a:r></a:p>'),
    ['paragraph p1: One\nTwo'],
  ],
  [
    'what stands in for newer content is left out',
    `<mc:AlternateContent><mc:Choice>${shape('', line('New'))}</mc:Choice><mc:Fallback>${shape('', line('Old'))}</mc:Fallback></mc:AlternateContent>`,
    ['paragraph p1: New'],
  ],
])('%s', (_, shapes, outline) => {
  expect(outlineOf(read([{ shapes }]).blocks)).toEqual(outline);
});

test('a slide that the show leaves out grounds nothing', () => {
  expect(outlineOf(read([{ shapes: body('Draft'), attributes: ' show="0"' }]).blocks)).toEqual([
    'list p1 hidden: Draft',
  ]);
});

test('links have the text of their run', () => {
  const run =
    '<a:p><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>Our site</a:t></a:r><a:r><a:t> and more</a:t></a:r></a:p>';
  const relations = [{ id: 'l', type: 'hyperlink', target: 'https://site.example/', external: true }];
  expect(read([{ shapes: shape('', run), relations }]).links).toEqual([
    { url: 'https://site.example/', text: 'Our site' },
  ]);
});

test('titles of charts and texts of diagrams are read', () => {
  const relations = [
    { id: 'c', type: 'chart', target: '../charts/chart1.xml' },
    { id: 'd', type: 'diagramData', target: '../diagrams/data1.xml' },
  ];
  const parts = {
    'ppt/charts/chart1.xml': `<c:chart><c:title>${line('Parcels per year')}</c:title><c:v>12</c:v></c:chart>`,
    'ppt/diagrams/data1.xml': `<dgm:pt><dgm:t>${line('Pack')}</dgm:t></dgm:pt><dgm:pt><dgm:t>${line('Send')}</dgm:t></dgm:pt>`,
  };
  expect(outlineOf(read([{ shapes: '', relations }], parts).blocks)).toEqual([
    'list p1: Pack\nSend',
    'paragraph p1: Parcels per year',
  ]);
});

test('slides without text are empty, and keep their number', () => {
  expect(read([{ shapes: '' }, { shapes: '' }])).toMatchObject({ status: 'empty', pageCount: 2 });
});

test('slides that share a long part end at 6 MiB of text, and the file is over the limit', () => {
  const relations = [{ id: 'd', type: 'diagramData', target: '../diagrams/data1.xml' }];
  const slides = Array.from({ length: 20 }, () => ({ shapes: '', relations }));
  const file = read(slides, { 'ppt/diagrams/data1.xml': line('long '.repeat(100_000)) });
  expect(file).toMatchObject({ status: 'over-limit', pageCount: 20 });
  expect(file.blocks.reduce((chars, { text }) => chars + text.length, 0)).toBeLessThan(8_000_000);
});
