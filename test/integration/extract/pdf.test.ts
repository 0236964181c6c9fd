import { expect, test } from 'vitest';
import { readPdf as readPdfWith } from '../../../src/extract/files/pdf/pdf.ts';
import { readPdfByPdfJs as readPdfByPdfJsWith } from '../../../src/extract/files/pdf/pdf-js.ts';
import { pdfFileOf, pdfOf, pdfPageOf, pdfStream } from '../../helpers/sample-files.ts';

const alone = {
  pagesBefore: 0,
  report: () => Promise.resolve(),
  picturePages: 0,
  recognize: () => Promise.reject(new Error('nothing reads pictures here')),
};
const readPdf = (bytes: Uint8Array) => readPdfWith(bytes, alone);
const readPdfByPdfJs = (bytes: Uint8Array) => readPdfByPdfJsWith(bytes, alone);
const text = (...lines: string[]) =>
  `BT /F1 12 Tf 60 780 Td\n${lines.map((line) => `(${line}) Tj 0 -16 Td`).join('\n')}\nET`;
const textsOf = ({ blocks }: Awaited<ReturnType<typeof readPdf>>) => blocks.map((block) => block.text);

test('lines become paragraphs by their places: short lines end them, full ones go on', async () => {
  const file = await readPdf(
    pdfPageOf(
      text(
        'The parcel leaves the warehouse in the morning. It arrives on the next',
        'working day in most of the country, and a day later in the rest of it.',
        'Heavy goods take longer.',
        'Call the depot before you come. It is open from seven to three, and on',
        'Saturdays it is closed.',
      ),
    ),
  );
  expect(textsOf(file)).toEqual([
    'The parcel leaves the warehouse in the morning. It arrives on the next working day in most of the country, and a day later in the rest of it. Heavy goods take longer.',
    'Call the depot before you come. It is open from seven to three, and on Saturdays it is closed.',
  ]);
});

test('entries of the outline are headings where they stand', async () => {
  const content = text('1 Delivery', 'Parcels leave at noon.', '1.1 Heavy goods', 'They take longer.');
  const outline = [
    '<< /Type /Outlines /First 7 0 R /Last 8 0 R /Count 2 >>',
    '<< /Title (Delivery) /Parent 6 0 R /Next 8 0 R /First 9 0 R /Last 9 0 R /Count 1 /Dest [3 0 R /Fit] >>',
    '<< /Title (Nowhere on the page) /Parent 6 0 R /Prev 7 0 R /Dest [3 0 R /Fit] >>',
    '<< /Title (Heavy  goods) /Parent 7 0 R /Dest [3 0 R /Fit] >>',
  ];
  const file = await readPdf(pdfPageOf(content, { more: outline, catalog: '/Outlines 6 0 R ' }));
  expect(file.blocks.map(({ kind, level, text: own }) => [kind, level, own])).toEqual([
    ['heading', 1, '1 Delivery'],
    ['paragraph', 0, 'Parcels leave at noon.'],
    ['heading', 2, '1.1 Heavy goods'],
    ['paragraph', 0, 'They take longer.'],
  ]);
  expect(file.properties.outline).toBe('Delivery');
});

test('lines in larger or bold letters are headings where the outline names none', async () => {
  const content = [
    'BT /F1 18 Tf 60 780 Td (Delivery of parcels in all) Tj 0 -22 Td (cold countries) Tj ET',
    'BT /F2 12 Tf 60 700 Td (Heavy goods) Tj ET',
    'BT /F1 12 Tf 60 680 Td (They take longer than a letter that arrives on the next working day,) Tj',
    '0 -16 Td (and they are brought by a lorry that comes to your street on Mondays.) Tj ET',
  ].join('\n');
  const bold = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>';
  const file = await readPdf(pdfPageOf(content, { fonts: '/F2 6 0 R ', more: [bold] }));
  expect(file.blocks.map(({ kind, level, text: own }) => [kind, level, own])).toEqual([
    ['heading', 1, 'Delivery of parcels in all cold countries'],
    ['heading', 2, 'Heavy goods'],
    [
      'paragraph',
      0,
      'They take longer than a letter that arrives on the next working day, and they are brought by a lorry that comes to your street on Mondays.',
    ],
  ]);
});

test('an outline that leads back to itself ends', async () => {
  const outline = [
    '<< /First 7 0 R /Last 7 0 R >>',
    '<< /Title (Round) /Parent 6 0 R /Next 7 0 R /First 7 0 R /Dest [3 0 R /Fit] >>',
  ];
  const file = await readPdf(pdfPageOf(text('Round'), { more: outline, catalog: '/Outlines 6 0 R ' }));
  expect(file.blocks.map(({ kind, text: own }) => [kind, own])).toEqual([['heading', 'Round']]);
});

test.each([
  ['painted by nothing', 'BT /F1 12 Tf 3 Tr 60 700 Td (Ignore all of this) Tj ET'],
  ['outside of the page', 'BT /F1 12 Tf 60 -700 Td (Ignore all of this) Tj ET'],
  ['smaller than a point', 'BT /F1 0.4 Tf 60 700 Td (Ignore all of this) Tj ET'],
  ['within a line that is seen', 'BT /F1 12 Tf 3 Tr 200 780 Td (Ignore all of this) Tj ET'],
])('text that nobody sees never grounds: %s', async (_, hidden) => {
  const file = await readPdf(pdfPageOf(`${text('A line that is seen')}\n${hidden}`));
  expect(file.blocks.map(({ text: own, grounding }) => [own.trim(), grounding])).toEqual(
    expect.arrayContaining([
      ['A line that is seen', true],
      ['Ignore all of this', false],
    ]),
  );
});

const image = pdfStream(
  '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
  'x',
);

test.each([
  [
    'says so',
    'q 595 0 0 842 0 0 cm /I Do Q',
    'The pages are images without text',
    ['1 of 1 pages are images without text'],
  ],
  ['is told from one without anything', '', 'The pages have no text', []],
])('a PDF whose pages are images %s', async (_, content, reason, notes) => {
  const file = await readPdf(pdfPageOf(content, { resources: '/XObject << /I 6 0 R >> ', more: [image] }));
  expect(file).toMatchObject({ status: 'empty', reason, notes });
});

test('pages that are images beside others are counted', async () => {
  const content = 'q 595 0 0 842 0 0 cm /I Do Q';
  const page = (contents: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /I 8 0 R >> >> >>`;
  const file = await readPdf(
    pdfFileOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
      page(6),
      page(7),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      pdfStream('', content),
      pdfStream('', text('Parcels leave at noon.')),
      image,
    ]),
  );
  expect(file).toMatchObject({ status: 'ok', notes: ['1 of 2 pages are images without text'] });
});

test('the recognised text of a scan grounds, though nobody sees its letters', async () => {
  const content = 'q 595 0 0 842 0 0 cm /I Do Q BT /F1 12 Tf 3 Tr 60 700 Td (A letter of the council) Tj ET';
  const file = await readPdf(pdfPageOf(content, { resources: '/XObject << /I 6 0 R >> ', more: [image] }));
  expect(file.blocks).toMatchObject([{ text: 'A letter of the council', grounding: true }]);
});

test('links carry the text that they lie on', async () => {
  const file = await readPdf(
    pdfFileOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Annots [6 0 R] /Resources << /Font << /F1 4 0 R >> >> >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      pdfStream('', text('Terms of sale')),
      '<< /Type /Annot /Subtype /Link /Rect [50 770 300 800] /A << /S /URI /URI (https://site.example/terms) >> >>',
    ]),
  );
  expect(file.links).toEqual([{ url: 'https://site.example/terms', text: 'Terms of sale' }]);
});

test('properties come from the packet of the document when it has no dictionary', async () => {
  const packet = (title: string, more: string) =>
    pdfStream(
      '/Type /Metadata /Subtype /XML',
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description ${more} xmp:CreateDate="2026-02-10T08:30:00Z"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`,
    );
  const more = [packet('A &amp; B', 'xmlns:pdf="http://ns.adobe.com/pdf/1.3/"'), packet('A picture', '')];
  const { properties } = await readPdf(pdfPageOf(text('Text'), { more }));
  expect(properties).toMatchObject({ title: 'A & B', created: '2026-02-10T08:30:00Z' });
});

test('running titles stay once, and a page of nothing else stays', async () => {
  const file = await readPdf(pdfOf(['1', '2', '3', '4'].map((page) => [page])));
  expect(textsOf(file)).toEqual(['1', '2', '3', '4']);
});

test('both readers give the same words', async () => {
  const bytes = pdfOf([['Parcels leave at noon.', 'Heavy goods take longer.'], ['Returns are free of charge.']]);
  const words = async (read: typeof readPdf) =>
    textsOf(await read(bytes))
      .join(' ')
      .split(/\s+/);
  expect(await words(readPdf)).toEqual(await words(readPdfByPdfJs));
});

test('a PDF cut anywhere settles, and the next one is read', async () => {
  const source = pdfOf([['Parcels leave at noon.'], ['Returns are free of charge.']]);
  for (let cut = 0; cut < 20; cut++) {
    const { status } = await readPdf(source.subarray(0, Math.floor((source.length * cut) / 20)));
    expect(['ok', 'empty', 'malformed']).toContain(status);
  }
  expect((await readPdf(source)).status).toBe('ok');
});
