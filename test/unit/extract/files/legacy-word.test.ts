import { expect, test } from 'vitest';
import { readLegacyWord, readLegacyWordPieces } from '../../../../src/extract/files/legacy/legacy-word.ts';
import { docOf, outlineOf } from '../../../helpers/office-files.ts';
import { oleOf } from '../../../helpers/ole-file.ts';

const TEXT =
  'Depots of the shop\rTown\x07Opens\x07\x07Odense\x07seven\x07\x07See \x13 HYPERLINK "https://site.example/" \x14our site\x15.\rÆrø – 東京\x02\r';
const LINES = [
  'paragraph: Depots of the shop',
  'table: Town | Opens\nOdense | seven',
  'paragraph: See our site.',
  'paragraph: Ærø – 東京',
];

test('a document of pieces has its paragraphs, tables, notes, links and properties', async () => {
  const file = await readLegacyWordPieces(docOf({ text: TEXT, notes: '\x02 A note\r' }));
  expect(outlineOf(file.blocks)).toEqual([...LINES, 'paragraph: A note']);
  expect(file).toMatchObject({
    status: 'ok',
    pageCount: 7,
    links: [{ url: 'https://site.example/', text: 'our site' }],
    properties: { title: 'Depots æø', author: 'Ada Holm', created: '2026-03-04T00:00:00.000Z' },
  });
});

test('a document that word-extractor does not read is read by its pieces', async () => {
  const bytes = docOf({ text: TEXT });
  // Bookmarks that are not there.
  bytes.writeUInt32LE(4, bytes.indexOf('eca5c100', 'hex') + 0x146);
  expect(outlineOf((await readLegacyWord(bytes)).blocks)).toEqual(LINES);
});

test('pieces that name the same text again and again give no more text than the document has', async () => {
  const bytes = docOf({ text: 'Depots of the shop\r', pieceCount: 1_000 });
  const { status, blocks } = await readLegacyWord(bytes);
  const chars = blocks.reduce((sum, { text }) => sum + text.length, 0);
  expect({ status, isShort: chars < bytes.length }).toEqual({ status: 'ok', isShort: true });
});

/** Place of the number that says how many sectors the allocation table has. */
const TABLE_SIZE_AT = 44;

test('a document whose allocation table claims 2,000,000 sectors is read', async () => {
  const bytes = docOf({ text: 'Depots of the shop\r' });
  bytes.writeUInt32LE(2_000_000, TABLE_SIZE_AT);
  expect(outlineOf((await readLegacyWord(bytes)).blocks)).toEqual(['paragraph: Depots of the shop']);
});

/** Bytes of a text by asking what each byte stands for. */
function encoded(text: string, charset: string): Buffer {
  const signs = Array.from({ length: 256 }, (_, byte) => new TextDecoder(charset).decode(Buffer.of(byte)));
  return Buffer.from([...text].map((sign) => signs.indexOf(sign)));
}

test.each<[string, number, string]>([
  ['windows-1252', 0x409, 'Ærø'],
  ['windows-1251', 0x419, 'Открыто'],
  ['windows-1250', 0x405, 'žluťoučký'],
])('a document of Word 95 is in %s by its language', async (charset, language, text) => {
  const file = await readLegacyWord(
    docOf({ text: `${text}\r`, version: 95, language, charset: (all) => encoded(all, charset) }),
  );
  expect(outlineOf(file.blocks)).toEqual([`paragraph: ${text}`]);
});

test('a file with a password is encrypted, and keeps its properties', async () => {
  expect(await readLegacyWord(docOf({ text: TEXT, flags: 0x100 }))).toMatchObject({
    status: 'encrypted',
    properties: { title: 'Depots æø' },
    blocks: [],
  });
});

test('a file without its streams is malformed', async () => {
  const empty = oleOf([{ name: 'WordDocument', content: Buffer.alloc(40) }]);
  expect((await readLegacyWord(empty)).status).toBe('malformed');
  expect((await readLegacyWord(Buffer.from('no compound file'))).status).toBe('malformed');
});
