import { expect, test } from 'vitest';
import { readEpub } from '../../../../src/extract/files/epub.ts';
import { epubOf, outlineOf } from '../../../helpers/office-files.ts';

const PAGES = {
  'cover.xhtml': '<p>A book about depots</p>',
  'one.xhtml':
    '<h1>Odense</h1><p>Open from <a href="https://site.example/">seven</a>.</p><h2>Ramp</h2><ul><li>Wide</li><li>Dry</li></ul>',
  'two page.xhtml': '<script src="x"/><p>Closed on Sundays.</p><h2>Gate</h2><p>Ring twice.</p>',
};
const PLAIN = [
  'paragraph: A book about depots',
  'heading 1: Odense',
  'paragraph: Open from seven.',
  'heading 2: Ramp',
  'list: Wide\nDry',
];

test('a book is read in the order of its spine, with the properties of its package', () => {
  const file = readEpub(epubOf(PAGES));
  expect(outlineOf(file.blocks)).toEqual([
    ...PLAIN,
    'paragraph: Closed on Sundays.',
    'heading 2: Gate',
    'paragraph: Ring twice.',
  ]);
  expect(file).toMatchObject({
    status: 'ok',
    links: [{ url: 'https://site.example/', text: 'seven' }],
    properties: {
      title: 'The depot',
      author: 'Ada Holm, Bo Lind',
      language: 'en',
      created: '2026-03-04',
      modified: '2026-05-06T10:00:00Z',
    },
  });
});

const NAVIGATION =
  '<ol><li><a href="text/one.xhtml#top">Odense</a></li><li><a>Part</a><ol><li><a href="text/two%20page.xhtml">Aarhus</a></li></ol></li></ol>';
const NCX =
  '<navPoint><navLabel><text>Odense</text></navLabel><content src="text/one.xhtml"/></navPoint><navPoint><navLabel><text>Part</text></navLabel><content src="text/none.xhtml"/>' +
  '<navPoint><navLabel><text>Aarhus</text></navLabel><content src="text/two%20page.xhtml"/></navPoint></navPoint>';

test.each([
  ['EPUB 3', { navigation: NAVIGATION }],
  ['EPUB 2', { ncx: NCX }],
])('the table of contents of %s tells the levels of chapters, and titles that pages lack', (_, options) => {
  expect(outlineOf(readEpub(epubOf(PAGES, options)).blocks)).toEqual([
    ...PLAIN,
    'heading 2: Aarhus',
    'paragraph: Closed on Sundays.',
    'heading 3: Gate',
    'paragraph: Ring twice.',
  ]);
});

test('of two entries for one page the first names it', () => {
  const navigation =
    '<ol><li><a href="text/two%20page.xhtml">Aarhus</a></li><li><a href="text/two%20page.xhtml#gate">Gate and bell</a></li></ol>';
  expect(outlineOf(readEpub(epubOf(PAGES, { navigation })).blocks)).toContain('heading 1: Aarhus');
});

const encrypted = (name: string) =>
  `<encryption><EncryptedData><CipherData><CipherReference URI="${name}"/></CipherData></EncryptedData></encryption>`;

test('a protected chapter makes the book encrypted, a scrambled font does not', () => {
  expect(readEpub(epubOf(PAGES, { encryption: encrypted('OEBPS/text/one.xhtml') }))).toMatchObject({
    status: 'encrypted',
    properties: { title: 'The depot' },
  });
  expect(readEpub(epubOf(PAGES, { encryption: encrypted('OEBPS/fonts/a.otf') })).status).toBe('ok');
});
