import { describe, expect, test } from 'vitest';
import { pdfBlocks } from '../../../../src/extract/files/pdf/pdf-text.ts';
import type { PdfLine } from '../../../../src/extract/files/pdf/pdfium-page.ts';

type Written = { readonly size?: number; readonly isBold?: boolean; readonly left?: number; readonly drop?: number };

/** A page of lines below each other; `drop` is the way down to a line, 0 for one beside the line before. */
function pageOf(lines: readonly (readonly [string, Written?])[]): readonly PdfLine[] {
  let bottom = 800;
  return lines.map(([text, { size = 10, isBold = false, left = 60, drop } = {}]) => {
    bottom -= drop ?? 1.3 * size;
    const box = { left, right: left + text.length * size * 0.5, top: bottom + size, bottom, height: size };
    return { text, box, style: { size, isBold }, isHidden: false };
  });
}

const TEXT = 'Parcels leave the warehouse in the morning, and they arrive on the next working day.';
const text = (lines = 4): readonly (readonly [string, Written?])[] =>
  Array.from({ length: lines }, () => [TEXT] as const);
const BOLD = { isBold: true };
const LARGE = { size: 14, drop: 24 };

const headings = (pages: readonly (readonly PdfLine[])[]) =>
  pdfBlocks(pages, []).flatMap(({ kind, level, text: own, page }) => (kind === 'heading' ? [[page, level, own]] : []));

/** Pages of which each begins with its own heading in this style. */
const withHeadings = (style: Written, names: readonly string[]) =>
  names.map((name) => pageOf([[name, style], ...text()]));

describe('what stands out from the text is a heading', () => {
  test('larger letters, by size; bold ones of the size of the text stand lowest', () => {
    const pages = ['Aarhus', 'Bergen', 'Cadiz', 'Dover'].map((name) =>
      pageOf([[`Depot of ${name}`, LARGE], ...text(), [`Hours in ${name}`, BOLD], ...text()]),
    );
    expect(headings(pages).slice(0, 4)).toEqual([
      [1, 1, 'Depot of Aarhus'],
      [1, 2, 'Hours in Aarhus'],
      [2, 1, 'Depot of Bergen'],
      [2, 2, 'Hours in Bergen'],
    ]);
  });

  test('the title of the first page over all of its lines, and not the names below it', () => {
    const first = pageOf([
      ['Delivery of parcels in cold countries: a model of', { size: 17, drop: 30 }],
      ['warehouses, depots and reindeer', { size: 17, drop: 21 }],
      ['Ada Holm', { size: 12, isBold: true, drop: 30 }],
      ['Depot of Aarhus', { size: 11 }],
      ...text(),
    ]);
    expect(headings([first, pageOf(text()), pageOf(text()), pageOf(text())])).toEqual([
      [1, 1, 'Delivery of parcels in cold countries: a model of warehouses, depots and reindeer'],
    ]);
  });
});

describe('what is no heading', () => {
  const names = ['Aarhus', 'Bergen', 'Cadiz', 'Dover'];
  test.each<[string, (name: string) => readonly PdfLine[]]>([
    ['a bold line that fills its line', () => pageOf([...text(), [TEXT.slice(0, -1), BOLD], ...text()])],
    ['a bold sentence', (name) => pageOf([...text(), [`Note well, ${name}.`, BOLD], ...text()])],
    ['a bold label before a text', (name) => pageOf([...text(), [`${name}:`, BOLD], ...text()])],
    ['a line that only begins bold', (name) => pageOf([...text(), [`${name} is open`], ...text()])],
    ['a caption', (name) => pageOf([...text(), [`Figure 3 Depot of ${name}`, BOLD], ...text()])],
    [
      'a bold cell beside another one',
      (name) => pageOf([...text(), [name, BOLD], ['open', { left: 300, drop: 0 }], ...text()]),
    ],
    ['an entry of a table of contents', (name) => pageOf([...text(), [`${name} . . . . . . 12`, LARGE], ...text()])],
    [
      'entries that end in numbers',
      (name) => pageOf([...text(), [`1 ${name} 3`, LARGE], [`2 Roads of ${name} 4`, LARGE], ...text()]),
    ],
    ['signs and notes', () => pageOf([...text(), ['h h h', { size: 24 }], ...text()])],
    ['a paragraph in large letters', () => pageOf([...text(), ...Array(6).fill([TEXT, { size: 13 }]), ...text()])],
  ])('%s', (_, page) => {
    expect(headings([pageOf(text()), ...names.map(page)])).toEqual([]);
  });

  test('a style that stands once in a long document', () => {
    const pages = [pageOf(text()), ...withHeadings(LARGE, ['Depots']), pageOf(text()), pageOf(text())];
    expect(headings(pages)).toEqual([]);
  });

  test('bold letters where most of the text is bold', () => {
    const page = (name: string) => pageOf([...text().map(([own]) => [own, BOLD] as const), [name, BOLD], [TEXT, BOLD]]);
    expect(headings(names.map(page))).toEqual([]);
  });
});

test('an outline that names the headings is believed alone', () => {
  const pages = withHeadings(LARGE, ['Depots', 'Roads', 'Tolls', 'Ferries']);
  const outline = [
    { title: 'Depots', level: 1, page: 0 },
    { title: 'Tolls', level: 2, page: 2 },
  ];
  const found = pdfBlocks(pages, outline).filter(({ kind }) => kind === 'heading');
  expect(found.map(({ level, text: own }) => [level, own])).toEqual([
    [1, 'Depots'],
    [2, 'Tolls'],
  ]);
});

test('no word of the text is lost or said twice', () => {
  const pages = withHeadings(LARGE, ['Depots', 'Roads', 'Tolls', 'Ferries']);
  const words = (of: readonly (readonly PdfLine[])[]) =>
    pdfBlocks(of, [])
      .flatMap(({ text: own }) => own.split(' '))
      .join(' ');
  expect(words(pages)).toBe(words(pages.map((page) => page.map((line) => ({ ...line, style: undefined })))));
});
