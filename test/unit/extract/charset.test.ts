import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../src/extract/charset.ts';

const GERMAN = '<p>Grüße aus Köln: für fünf Euro übernachten wir schön, sagt Jürgen Müller.';
const RUSSIAN = '<p>Возврат товара возможен в течение тридцати дней после получения посылки на складе.';

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
    ['Cyrillic by the detector', encode(RUSSIAN.repeat(5), 'windows-1251'), undefined, 'windows-1251'],
  ])('%s', (_, body, contentType, charset) => {
    const decoded = decodeText(body, contentType);
    expect(decoded.charset).toBe(charset);
    expect(decoded.text).toMatch(/Grüße aus Köln|Возврат товара|<p>plain/);
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
