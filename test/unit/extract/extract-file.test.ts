import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textBehindContent } from '../../../src/core/document.ts';
import { extract } from '../../../src/extract/extract.ts';
import { compileContent } from '../../../src/extract/extract-settings.ts';
import {
  DEFAULT_EXTRACT_SETTINGS,
  type ExtractInput,
  type FileExtraction,
  type ParseFile,
} from '../../../src/extract/extraction.ts';
import { unreadFile } from '../../../src/extract/files/file-status.ts';
import { contentSettings } from '../../helpers/content-settings.ts';

const read = (changes: Partial<ExtractInput>, parseFile: ParseFile) =>
  extract(
    { parseFile },
    {
      url: 'https://site.example/a%20guide.pdf',
      body: Buffer.from('%PDF-1.7'),
      headers: {},
      settings: DEFAULT_EXTRACT_SETTINGS,
      now: Date.parse('2026-11-20T10:00:00Z'),
      ...changes,
    },
    new AbortController().signal,
  );
const pdf = (changes: Partial<ExtractInput> = {}, parsed: FileExtraction = file) => read(changes, async () => parsed);
const noFiles: ParseFile = () => Promise.reject(new Error('this is no file for a parser'));

const line = (text: string, page: number) => ({ kind: 'paragraph', level: 0, text, page, grounding: true }) as const;
const file: FileExtraction = {
  status: 'ok',
  reason: '',
  properties: { title: 'Microsoft Word - draft.doc', author: 'Ada Holm', created: '2026-02-10T08:30:00+01:00' },
  blocks: [line('How to send a parcel', 1), line('Wrap it.', 1), line('Then bring it to us.', 3)],
  pageCount: 3,
  links: [],
  notes: [],
  cuts: [],
};

test.each(['No Slide Title', 'Kein Folientitel', 'Ingen lysbildetittel', '没有幻灯片标题', '幻灯片 1'])(
  'what PowerPoint writes for want of a title is none: %s',
  async (title) => {
    expect((await pdf({}, { ...file, properties: { title } })).fields.get('Title')).toEqual(['How to send a parcel']);
  },
);

test('control characters and halves of pairs are in no field, section or link of a file', async () => {
  const parsed: FileExtraction = {
    ...file,
    properties: { title: 'A guide\u0007 to parcels', author: '\0' },
    blocks: [line('Wrap\fit.\u0000', 1), line('\u0001', 1), line('One\ttwo\nthree \ud83d', 1)],
    links: [{ url: 'https://site.example/a', text: 'Terms\u0002' }],
  };

  const { fields, structure, outlinks } = await pdf({}, parsed);

  expect(fields.get('Title')).toEqual(['A guide to parcels']);
  expect(fields.get('Author')).toBeUndefined();
  expect(fields.get('Content')).toEqual(['Wrap it.\nOne\ttwo\nthree ']);
  expect(structure.sections.flatMap(({ blocks }) => blocks.map(({ text }) => text))).toEqual([
    'Wrap it.',
    'One\ttwo\nthree ',
  ]);
  expect(outlinks.map(({ text }) => text)).toEqual(['Terms']);
});

test('a parsed file becomes a document with its pages', async () => {
  const { kind, fields, structure, status } = await pdf();
  expect([kind, status]).toEqual(['FileContent', 'ok']);
  expect(Object.fromEntries(fields)).toEqual({
    Title: ['How to send a parcel'],
    Content: ['How to send a parcel\nWrap it.\n\nThen bring it to us.'],
    Date: ['2026-02-10T08:30:00+01:00'],
    Language: ['en'],
    Published_date: ['2026-02-10T08:30:00+01:00'],
    Author: ['Ada Holm'],
    File_type: ['pdf'],
    File_name: ['a guide.pdf'],
    File_size_number: ['8'],
    Page_count_number: ['3'],
  });
  expect(structure.sections.map((section) => section.page)).toEqual([1, 3]);
});

test.each<[string, Partial<ExtractInput>, FileExtraction, string]>([
  ['property', {}, { ...file, properties: { title: 'Sending' } }, 'Sending'],
  ['outline', {}, { ...file, properties: { title: 'draft.pdf', outline: 'All about parcels' } }, 'All about parcels'],
  ['first heading', {}, { ...file, blocks: [...file.blocks, { ...line('Parcels', 2), kind: 'heading' }] }, 'Parcels'],
  ['link', { linkText: 'Guide for senders' }, { ...file, blocks: [line('Short', 1)] }, 'Guide for senders'],
  ['name', {}, { ...file, blocks: [] }, 'a guide.pdf'],
  [
    'name of the header',
    { headers: { contentDisposition: 'attachment; filename="x y.pdf"' } },
    { ...file, blocks: [] },
    'x y.pdf',
  ],
])('the title comes from the %s', async (_, changes, parsed, title) => {
  expect((await pdf(changes, parsed)).fields.get('Title')).toEqual([title]);
});

test('sections follow headings, pages and what a reader sees', async () => {
  const heading = (text: string, level: number) => ({ ...line(text, 1), kind: 'heading' as const, level });
  const blocks = [
    line('Before all.', 1),
    heading('Sending', 1),
    line('Wrap it.', 1),
    heading('Heavy goods', 2),
    { ...line('Call us.', 1), kind: 'list' as const },
    { ...line('Not seen.', 1), grounding: false },
    line('On the next page.', 2),
    { ...line('Returning', 2), kind: 'heading' as const, level: 1 },
    line('Send it back.', 2),
  ];
  const { structure, fields } = await pdf({}, { ...file, properties: { title: 'Guide' }, blocks });
  expect(
    structure.sections.map(({ headings, page: at, grounding, blocks: own }) => [
      headings.map(({ text }) => text).join(' > '),
      at,
      grounding,
      own.map(({ text }) => text).join(),
    ]),
  ).toEqual([
    ['Guide', 1, true, 'Before all.'],
    ['Sending', 1, true, 'Wrap it.'],
    ['Sending > Heavy goods', 1, true, 'Call us.'],
    ['Sending > Heavy goods', 1, false, 'Not seen.'],
    ['Sending > Heavy goods', 2, true, 'On the next page.'],
    ['Returning', 2, true, 'Send it back.'],
  ]);
  expect(fields.get('Content')?.[0]).toContain('Not seen.\n\nOn the next page.\nReturning');
  expect(new Set(structure.sections.map(({ id }) => id)).size).toBe(6);
});

test('links of a file are absolute, one per URL, with the longest text', async () => {
  const links = [
    { url: '/terms#a', text: 'Terms' },
    { url: 'https://site.example/terms', text: 'Terms of sale' },
    { url: 'mailto:a@site.example', text: 'Mail' },
    { url: '#page=2', text: 'Here' },
  ];
  expect((await pdf({}, { ...file, links })).outlinks).toEqual([
    {
      url: 'https://site.example/terms',
      text: 'Terms of sale',
      texts: ['Terms of sale'],
      region: 'content',
      follow: true,
    },
  ]);
});

test('text that Content has no room for stays in the sections', async () => {
  const blocks = [
    line('a'.repeat(900_000), 1),
    line('b'.repeat(90_000), 2),
    line('c'.repeat(200_000), 2),
    line('d', 3),
  ];
  const { fields, structure, trace, cuts } = await pdf({}, { ...file, blocks });
  expect(fields.get('Content')?.[0]?.length).toBe(990_002);
  expect(structure.sections.map(({ page, blocks: own }) => [page, own.map(({ text }) => text[0])])).toEqual([
    [1, ['a']],
    [2, ['b']],
    [2, ['c']],
    [3, ['d']],
  ]);
  expect(textBehindContent({ structure })).toBe(`${fields.get('Title')?.[0]}\n${'c'.repeat(200_000)}\nd`);
  expect(trace.notes).toEqual(['Content is full: the text from page 2 on is searched as sections alone']);
  expect(cuts).toEqual([]);
});

test('a block that is longer than Content may be loses nothing', async () => {
  const { fields, structure } = await pdf({}, { ...file, blocks: [line('words '.repeat(400_000).trim(), 1)] });
  const read = structure.sections.flatMap(({ blocks }) => blocks.map(({ text }) => text)).join('');
  expect([fields.get('Content')?.[0]?.length, read.length]).toEqual([999_996 - 1, 2_399_999]);
});

test('a rule that gives another Content leaves nothing of the text behind it', async () => {
  const content = compileContent(
    contentSettings({ fields: [{ name: 'Content', constant: 'Mine.' }] }),
    () => () => true,
  );
  const blocks = [line('a'.repeat(900_000), 1), line('b'.repeat(200_000), 2)];
  const { structure } = await pdf({ settings: { ...DEFAULT_EXTRACT_SETTINGS, content } }, { ...file, blocks });
  expect([structure.sections.length, structure.contentSections]).toEqual([1, undefined]);
});

test('what was not read is told', async () => {
  const over = { status: 'over-limit', reason: 'The file has more than 2000 pages', cuts: ['truncated'] } as const;
  const { cuts, trace } = await pdf({}, { ...file, ...over });
  expect([cuts, trace.notes]).toEqual([
    ['truncated', over.reason],
    ['truncated', over.reason],
  ]);
});

test('a file that may not be quoted never grounds an answer', async () => {
  const { structure } = await pdf({ headers: { robots: 'nosnippet' } });
  expect(structure.sections.map(({ grounding }) => grounding)).toEqual([false, false]);
});

test('a file without text keeps its name and status', async () => {
  const unread = unreadFile('encrypted', 'The file needs a password');
  expect(await pdf({}, unread)).toMatchObject({ status: 'encrypted', reason: 'The file needs a password' });
});

test('a text file is read where it is', async () => {
  const body = readFileSync(new URL('../../fixtures/files/notes.txt', import.meta.url));
  const found = await read({ body, url: 'https://site.example/notes.txt' }, noFiles);
  expect(found).toMatchObject({ status: 'ok', kind: 'FileContent' });
  expect(found.fields.get('Title')).toEqual(['Opening hours of the depot']);
  expect(found.structure.sections[0]?.blocks).toHaveLength(3);
});

test.each([
  [Buffer.from('89504e470d0a1a0a0000', 'hex'), 'unsupported'],
  [Buffer.from('<?xml version="1.0"?><urlset>'), 'unsupported'],
  [Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]), 'encrypted'],
])('bytes that nobody reads have a status: %#', async (body, status) => {
  expect((await read({ body }, noFiles)).status).toBe(status);
});
