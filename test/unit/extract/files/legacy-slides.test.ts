import { expect, test } from 'vitest';
import { readLegacySlides } from '../../../../src/extract/files/legacy/legacy-slides.ts';
import { u32 } from '../../../helpers/legacy-sheet-files.ts';
import {
  group,
  levels,
  pptOf,
  referredShape,
  slideNumber,
  slideRecord,
  slideShape,
  slideTable,
  text,
} from '../../../helpers/legacy-slide-files.ts';
import { outlineOf } from '../../../helpers/office-files.ts';
import { oleOf } from '../../../helpers/ole-file.ts';

const read = (...args: Parameters<typeof pptOf>) => readLegacySlides(pptOf(...args));

test('slides come in the order of the show, with titles, points and notes on their pages', () => {
  const file = read([
    { shapes: [slideShape(text(6, 'Our depots')), slideShape(text(5, 'Spring – 春'))] },
    {
      shapes: [
        slideShape(text(0, 'Odense')),
        slideShape(text(1, 'Open on weekdays\rFrom seven\rClosed on Sundays', levels([17, 0], [11, 1], [18, 0]))),
        group(slideShape(text(4, 'Call us'))),
      ],
      notes: [slideShape(text(2, 'Tell them about the ramp')), slideShape(text(4, '2'), { placeholder: 8 })],
    },
  ]);
  expect(outlineOf(file.blocks)).toEqual([
    'heading 1 p1: Our depots',
    'paragraph p1: Spring – 春',
    'heading 2 p2: Odense',
    'list p2: Open on weekdays\n  From seven\nClosed on Sundays',
    'paragraph p2: Call us',
    'heading 3 p2: Notes',
    'paragraph p2: Tell them about the ramp',
  ]);
  expect(file).toMatchObject({
    status: 'ok',
    pageCount: 2,
    properties: { title: 'Depots æø', author: 'Ada Holm', created: '2026-03-04T00:00:00.000Z' },
  });
});

const cell = (left: number, top: number, words: string) => slideShape(text(4, words), { place: [left, top] });

test.each<[string, readonly Buffer[], readonly string[]]>([
  [
    'a table is one block',
    [
      slideTable(
        ...[cell(500, 0, 'Hours'), cell(0, 0, 'Depot'), cell(900, 0, 'Town')],
        ...[cell(0, 90, 'Odense'), cell(900, 90, '7\rto 3')],
      ),
    ],
    ['table p1: Depot | Hours | Town\nOdense |  | 7 to 3'],
  ],
  [
    'footers, dates and numbers are left out',
    [7, 8, 9, 10].map((placeholder) => slideShape(text(4, 'Footer'), { placeholder })),
    [],
  ],
  [
    'a number of the slide in text is left out',
    [slideShape(text(4, 'Page *\rText', slideNumber(5)))],
    ['paragraph p1: Page', 'paragraph p1: Text'],
  ],
  [
    'a hidden shape grounds nothing',
    [slideShape(text(4, 'Secret'), { isHidden: true })],
    ['paragraph p1 hidden: Secret'],
  ],
  [
    'bullets make a list of any shape',
    [slideShape(text(4, 'One\rTwo', levels([4, 1, true], [4, 0, false])))],
    ['list p1:   One', 'paragraph p1: Two'],
  ],
  ['a paragraph of the body may be none', [slideShape(text(1, 'Text', levels([5, 0, false])))], ['paragraph p1: Text']],
  ['breaks part lines', [slideShape(text(4, 'One\vTwo'))], ['paragraph p1: One\nTwo']],
  ['a text without its kind is a paragraph', [slideShape(slideRecord(0xfa8, Buffer.from('x')))], ['paragraph p1: x']],
])('%s', (_, shapes, outline) => {
  expect(outlineOf(read([{ shapes }]).blocks)).toEqual(outline);
});

test('shapes show the texts of the list of slides; those that none shows follow', () => {
  const outline = [text(0, 'Odense'), text(1, 'Open'), text(1, 'Only here')];
  expect(outlineOf(read([{ shapes: [referredShape(1), referredShape(0)], outline }]).blocks)).toEqual([
    'list p1: Open',
    'heading 2 p1: Odense',
    'list p1: Only here',
  ]);
});

test('a slide that the show leaves out grounds nothing', () => {
  expect(outlineOf(read([{ shapes: [slideShape(text(1, 'Draft'))], isHidden: true }]).blocks)).toEqual([
    'list p1 hidden: Draft',
  ]);
});

test('slides are read as they were saved last', () => {
  const [earlier, slides] = ['Before', 'After'].map((words) => [{ shapes: [slideShape(text(4, words))] }]);
  expect(outlineOf(read(slides ?? [], { earlier: earlier ?? [] }).blocks)).toEqual(['paragraph p1: After']);
});

test('without the stream of the user, the last edit counts', () => {
  const [earlier, slides] = ['Before', 'After'].map((words) => [{ shapes: [slideShape(text(4, words))] }]);
  const file = read(slides ?? [], { earlier: earlier ?? [], hasUser: false });
  expect(outlineOf(file.blocks)).toEqual(['paragraph p1: After']);
});

test('an edit that follows itself is read once', () => {
  expect(outlineOf(read([{ shapes: [slideShape(text(4, 'Text'))] }], { before: 'itself' }).blocks)).toEqual([
    'paragraph p1: Text',
  ]);
});

test('links have the name that they were given', () => {
  const links = [
    ['https://site.example/', 'Our site'],
    ['slides.ppt', 'More'],
  ] as const;
  expect(read([{ shapes: [] }], { links }).links).toEqual([{ url: 'https://site.example/', text: 'Our site' }]);
});

test.each(['user', 'edit', 'summary'] as const)(
  'slides whose %s says so are encrypted and keep their properties',
  (encryption) => {
    expect(read([{ shapes: [slideShape(text(4, 'Secret'))] }], { encryption })).toMatchObject({
      status: 'encrypted',
      properties: { author: 'Ada Holm' },
      blocks: [],
    });
  },
);

test('slides without text are empty, and keep their number', () => {
  expect(read([{ shapes: [] }, { shapes: [] }])).toMatchObject({ status: 'empty', pageCount: 2 });
});

test('a file without edits, or without its stream, is malformed', () => {
  const stream = { name: 'PowerPoint Document', content: slideRecord(0x3e8, u32(0)) };
  expect(readLegacySlides(oleOf([stream])).status).toBe('malformed');
  expect(readLegacySlides(oleOf([{ name: 'Current User', content: u32(0) }])).status).toBe('malformed');
  expect(readLegacySlides(Buffer.alloc(600)).status).toBe('malformed');
});

test('slides from the 2,001st on are left out, and the file is over the limit', () => {
  const file = read(Array.from({ length: 2_001 }, () => ({ shapes: [slideShape(text(4, 'x'))] })));
  expect(file).toMatchObject({ status: 'over-limit', pageCount: 2_001 });
  expect(file.blocks).toHaveLength(2_000);
});

test('texts end at 6 MiB, and the file is over the limit', () => {
  const shapes = Array.from({ length: 200 }, () => referredShape(0));
  const file = read([{ shapes, outline: [text(4, 'long '.repeat(10_000))] }]);
  expect(file).toMatchObject({ status: 'over-limit', reason: 'The slides have too much text' });
  expect(file.blocks.reduce((chars, block) => chars + block.text.length, 0)).toBeLessThan(6_500_000);
});

test('paragraphs from the 100,001st on are left out, and the file is over the limit', () => {
  const file = read([{ shapes: [slideShape(text(4, 'x\r'.repeat(300_000)))] }]);
  expect(file).toMatchObject({ status: 'over-limit', reason: 'The slides have too much text' });
  expect(file.blocks).toHaveLength(100_000);
});

test('groups in each other are read to a depth of 16', () => {
  let nested = slideShape(text(4, 'deep'));
  for (let depth = 0; depth < 1_000; depth++) nested = group(nested);
  expect(outlineOf(read([{ shapes: [slideShape(text(4, 'Text')), nested] }]).blocks)).toEqual(['paragraph p1: Text']);
});
