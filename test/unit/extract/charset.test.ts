import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../src/extract/charset.ts';

const GERMAN = '<p>Grüße aus Köln: für fünf Euro übernachten wir schön, sagt Jürgen Müller.';
const RUSSIAN = '<p>Возврат товара возможен в течение тридцати дней после получения посылки на складе.';
const JAPANESE = '<p>返品は商品の到着後三十日以内にお申し込みください。送料はお客様のご負担となります。';
const KOREAN = '<p>반품은 상품을 받은 날부터 삼십 일 안에 신청할 수 있습니다. 배송비는 고객이 부담합니다.';
const THAI = '<p>ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวันหลังจากได้รับพัสดุ โดยลูกค้าเป็นผู้ชำระค่าจัดส่งเอง';
const TURKISH =
  '<p>İade süresi ürünün teslim alınmasından sonra otuz gündür; kargo ücretini müşteri öder, iş günü değildir.';

/** The same for charsets of two bytes a character. */
function encodePairs(text: string, charset: string): Buffer {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, readonly number[]>();
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) table.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail]);
  }
  return Buffer.from(Array.from(text, (char) => table.get(char) ?? [char.charCodeAt(0)]).flat());
}

/** A text as the bytes of a single-byte charset: the reverse of the platform's own decoder. */
function encode(text: string, charset: string): Buffer {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(charset).decode(Uint8Array.of(byte)), byte]),
  );
  return Buffer.from(Array.from(text, (char) => table.get(char) ?? 0x3f));
}

const utf16 = (text: string, mark: boolean) => Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le');
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
const withMeta = (charset: string, text: string) => `<meta charset="${charset}">${text}`;

test('Big5 has the characters of Hong Kong', () => {
  const bytes = Buffer.from('a7da925dfb489dcf9df6a94fabd7', 'hex');
  expect(decodeText(bytes, 'text/html; charset=big5')).toEqual({ text: '我哋嘅嘢喺呢度', charset: 'big5' });
  expect(decodeText(bytes, 'text/html; charset=big5-hkscs').text).toBe('我哋嘅嘢喺呢度');
});

test.each([
  ['big5', 'a7da925d9def9dcf9df6a94fabd79df2', '我哋嘅嘢喺呢度𨋢'],
  ['euc-kr', '8c63b9e6b0a2c7cfbfcd20bc84bdc3c4ddb6f32c20c164', '똠방각하와 펲시콜라, 햏'],
  ['gbk', 'd6ece946bbf9a1a286b4a1a287e520a95a', '朱镕基、喆、囧 ㈱'],
  ['shift_jis', 'fbfc8bb48740878acadd815c8160', '髙橋①㈱ﾊﾝ―～'],
])('%s has its rarer characters, and none of private use', (charset, bytes, text) => {
  expect(decodeText(Buffer.from(bytes, 'hex'), `text/html; charset=${charset}`)).toEqual({ text, charset });
});

test('bytes that no Big5 has are not read as it', () => {
  expect(decodeText(Buffer.from('a7da80', 'hex'), 'text/html; charset=big5').charset).not.toBe('big5');
});

describe('the first that decodes strictly wins', () => {
  test.each<[string, Buffer, string | undefined, string]>([
    ['a UTF-8 mark over a lying header', Buffer.from(`\ufeff${GERMAN}`), 'text/html; charset=iso-8859-1', 'utf-8'],
    ['a UTF-16 mark', utf16(GERMAN, true), undefined, 'utf-16le'],
    ['a UTF-16 mark, big endian', swapped(utf16(GERMAN, true)), undefined, 'utf-16be'],
    ['the header', encode(GERMAN, 'windows-1252'), 'text/html; charset=windows-1252', 'windows-1252'],
    ['the header, an older label', encode(GERMAN, 'windows-1252'), 'text/html;charset="ISO-8859-1"', 'windows-1252'],
    ['the header over the page', encode(withMeta('utf-8', RUSSIAN), 'koi8-r'), 'text/html; charset=koi8-r', 'koi8-r'],
    ['the page', encode(withMeta('windows-1251', RUSSIAN), 'windows-1251'), 'text/html', 'windows-1251'],
    [
      'http-equiv',
      encode(`<meta http-equiv=Content-Type content="text/html; charset=koi8-r">${RUSSIAN}`, 'koi8-r'),
      undefined,
      'koi8-r',
    ],
    [
      'the XML declaration',
      encode(`<?xml version="1.0" encoding="windows-1251"?>${RUSSIAN}`, 'windows-1251'),
      undefined,
      'windows-1251',
    ],
    ['UTF-16 by its zero bytes', utf16(GERMAN, false), undefined, 'utf-16le'],
    ['UTF-16 by its zero bytes, big endian', swapped(utf16(GERMAN, false)), 'text/html', 'utf-16be'],
    ['UTF-16 of a script with few zero bytes', utf16(`<html><p>${JAPANESE}`, false), 'text/html', 'utf-16le'],
    ['UTF-16 under a lying header', utf16(GERMAN, false), 'text/html; charset=utf-8', 'utf-16le'],
    ['UTF-8 without a word', Buffer.from(GERMAN), undefined, 'utf-8'],
    ['UTF-8 under a false single-byte header', Buffer.from(GERMAN), 'text/html; charset=iso-8859-1', 'utf-8'],
    ['UTF-8 under a false single-byte page', Buffer.from(withMeta('windows-1252', GERMAN)), undefined, 'utf-8'],
    [
      'windows-1252 under a false UTF-8 header',
      encode(GERMAN, 'windows-1252'),
      'text/html; charset=utf-8',
      'windows-1252',
    ],
    ['an unknown label', Buffer.from(GERMAN), 'text/html; charset=x-none', 'utf-8'],
    ['ASCII that says UTF-16', Buffer.from('<meta charset="utf-16"><p>plain'), undefined, 'utf-8'],
    ['Japanese by the detector', encodePairs(JAPANESE.repeat(5), 'shift_jis'), undefined, 'shift_jis'],
    ['Korean by the detector', encodePairs(KOREAN.repeat(5), 'euc-kr'), undefined, 'euc-kr'],
    ['Thai by the detector', encode(THAI.repeat(5), 'windows-874'), undefined, 'windows-874'],
    ['Turkish, of which the detector is unsure', encode(TURKISH.repeat(5), 'windows-1254'), undefined, 'windows-1254'],
    ['Cyrillic by the detector', encode(RUSSIAN.repeat(5), 'windows-1251'), undefined, 'windows-1251'],
  ])('%s', (_, body, contentType, charset) => {
    const decoded = decodeText(body, contentType);
    expect(decoded.charset).toBe(charset);
    expect(decoded.text).toMatch(/Grüße aus Köln|Возврат товара|返品は商品|반품은 상품을|คืนสินค้า|İade süresi|<p>plain/);
    expect(decoded.text).not.toContain('\ufeff');
  });

  test('few damaged bytes do not make another charset of UTF-8', () => {
    const body = Buffer.concat([Buffer.from(GERMAN.repeat(50)), Buffer.from([0xff]), Buffer.from(GERMAN)]);
    expect(decodeText(body, 'text/html; charset=utf-8')).toMatchObject({ charset: 'utf-8' });
  });

  test.each([0, 1, 2, 3])('any %d bytes decode', (length) => {
    expect(decodeText(Buffer.alloc(length, 0xfe), undefined).text.length).toBeLessThanOrEqual(length);
  });
});

test.each([
  ['a closed comment', '<!-- <meta charset="koi8-r"> --><meta charset="windows-1252">'],
  ['a comment over lines', '<!--\n<meta charset="koi8-r">\n--><meta charset="windows-1252">'],
  ['a comment after the declaration', '<meta charset="windows-1252"><!-- <meta charset="koi8-r"> -->'],
])('a declaration inside of %s counts for nothing', (_, head) => {
  expect(decodeText(Buffer.concat([Buffer.from(head), encode(GERMAN, 'windows-1252')]), undefined)).toEqual({
    text: head + GERMAN,
    charset: 'windows-1252',
  });
});
