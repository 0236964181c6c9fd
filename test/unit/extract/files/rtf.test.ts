import { expect, test } from 'vitest';
import { readRtf } from '../../../../src/extract/files/rtf.ts';
import { outlineOf } from '../../../helpers/office-files.ts';

const read = (body: string) => readRtf(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252${body}}`, 'latin1'));
const FONTS =
  '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 Mincho;}{\\f3\\fcharset2 Symbol;}}';

test.each<[string, string, string[]]>([
  ['paragraphs', 'One\\par Two \\b bold\\b0  more\\par', ['paragraph: One', 'paragraph: Two bold more']],
  ['lines of the file are no text', 'On\r\ne\\par\nTwo', ['paragraph: One', 'paragraph: Two']],
  ['characters of the code page', "caf\\'e9 \\{x\\} a\\~b", ['paragraph: café {x} a b']],
  ['another code page', "\\ansicpg1250 \\'9elu\\'9dou\\'e8k\\'fd", ['paragraph: žluťoučký']],
  ['the charset of a font', `${FONTS}{\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2} {\\f0 \\'e9}`, ['paragraph: Привет é']],
  [
    'characters of two bytes, the second of which may be a letter',
    `${FONTS}{\\f2 \\'83\\'5c\\'83A}`,
    ['paragraph: ソア'],
  ],
  ['Unicode with a replacement', '\\u8364?\\u-10179?\\u-8704? \\uc2\\u233 ee\\uc0\\u233', ['paragraph: €😀 éé']],
  ['a replacement in a group of its own', "{\\uc1\\u1055\\'3f}\\uc1 x", ['paragraph: Пx']],
  ['named characters', '\\ldblquote a\\rdblquote\\emdash b\\tab c\\line d', ['paragraph: “a”—b c\nd']],
  [
    'headings by style',
    '{\\stylesheet{\\s1 heading 1;}{\\s2 Title;}{\\s3 Normal;}}\\pard\\s1 Hours\\par\\pard\\s3 Text\\par',
    ['heading 1: Hours', 'paragraph: Text'],
  ],
  [
    'headings by outline level',
    '\\pard\\outlinelevel1 Hours\\par\\pard Text\\par',
    ['heading 2: Hours', 'paragraph: Text'],
  ],
  [
    'lists with their numbers, without their bullets',
    `${FONTS}{\\listtext 1.\\tab}\\pard\\ls1 One\\par{\\listtext\\f3\\'b7\\tab}\\pard\\ls2 Two\\par`,
    ['list: 1. One\nTwo'],
  ],
  [
    'tables',
    '\\trowd\\pard\\intbl Town\\cell Opens\\cell\\row\\trowd\\pard\\intbl Odense\\par north\\cell seven\\cell\\row\\pard After\\par',
    ['table: Town | Opens\nOdense north | seven', 'paragraph: After'],
  ],
  [
    'notes at the end',
    'Text{\\footnote\\pard A note}goes on\\par More\\par',
    ['paragraph: Textgoes on', 'paragraph: More', 'paragraph: A note'],
  ],
  [
    'remarks behind all, without their authors',
    'Text{\\*\\atnid AH}{\\*\\atnauthor Ada Holm}{\\*\\annotation{\\*\\atndate 1234}\\pard\\plain {\\chatn }Is this so?}goes on{\\footnote A note}\\par',
    ['paragraph: Textgoes on', 'paragraph: A note', 'paragraph hidden: Is this so?'],
  ],
  [
    'hidden text grounds nothing',
    'Seen {\\v not seen} more\\par',
    ['paragraph: Seen more', 'paragraph hidden: not seen'],
  ],
  [
    'pictures, headers and what may be left out',
    '{\\header Top\\par}{\\pict 00ff00ff}{\\*\\unknown gone}{\\info{\\comment gone}}Text',
    ['paragraph: Text'],
  ],
  ['binary data', 'a{\\pict\\bin4 }{}\\}b', ['paragraph: ab']],
  ['a mark of what may be left out in the middle of a group', '{\\f0\\*\\cs7 Text}', ['paragraph: Text']],
  ['the Unicode form of what stands twice', '{\\upr{ansi}{\\*\\ud{unicode}}}', ['paragraph: unicode']],
  [
    'text boxes',
    '{\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv value}}{\\shptxt Boxed\\par}}{\\shprslt Again}}',
    ['paragraph: Boxed'],
  ],
  ['groups that never end', '{{{{Text', ['paragraph: Text']],
  ['groups that end too often', 'a}}}}b', ['paragraph: ab']],
])('%s', (_, body, lines) => {
  expect(outlineOf(read(body).blocks)).toEqual(lines);
});

test('properties come from the information group', () => {
  const info =
    "{\\info{\\title Caf\\'e9}{\\author Ada Holm}{\\creatim\\yr2026\\mo3\\dy4\\hr9\\min30}{\\revtim\\yr2026\\mo5\\dy6}{\\nofpages3}}";
  expect(read(`${info}Text`)).toMatchObject({
    status: 'ok',
    pageCount: 3,
    properties: { title: 'Café', author: 'Ada Holm', created: '2026-03-04T09:30', modified: '2026-05-06' },
  });
});

test('links have the text of their field', () => {
  const field = '{\\field{\\*\\fldinst HYPERLINK "https://site.example/a"}{\\fldrslt{\\ul our site}}}';
  const { links, blocks } = read(`See ${field} now`);
  expect(links).toEqual([{ url: 'https://site.example/a', text: 'our site' }]);
  expect(outlineOf(blocks)).toEqual(['paragraph: See our site now']);
});

test('a million open groups end', () => {
  expect(outlineOf(read(`${'{'.repeat(1_000_000)}Text`).blocks)).toEqual(['paragraph: Text']);
});

test('a file without text is empty', () => {
  expect(read('').status).toBe('empty');
});
