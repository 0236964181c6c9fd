import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attributeOf, scanXml } from '../../../../src/extract/files/xml-scan.ts';
import { cpuMs } from '../../../helpers/cpu-time.ts';

function eventsOf(xml: string): string[] {
  const events: string[] = [];
  scanXml(xml, {
    open: (name, attributes) => events.push(`<${`${name} ${attributes.trim()}`.trim()}>`),
    close: (name) => events.push(`</${name}>`),
    text: (text) => events.push(text),
  });
  return events;
}

test.each<[string, string, string[]]>([
  ['elements', '<a><b>x</b></a>', ['<a>', '<b>', 'x', '</b>', '</a>']],
  ['empty elements', '<a/><b />', ['<a>', '</a>', '<b>', '</b>']],
  ['names with prefixes', '<w:p>x</w:p >', ['<w:p>', 'x', '</w:p>']],
  ['attributes with brackets', '<a b=">" c=\'<\'>x', ['<a b=">" c=\'<\'>', 'x']],
  ['entities', '&lt;&amp;&quot;&apos;&gt; &#65;&#x42;', ['<&"\'> AB']],
  ['numbers that are no characters', '&#0;&#xD800;&#x110000;x', ['x']],
  ['entities that nobody knows', '&nbsp;&testent;', ['&nbsp;&testent;']],
  ['comments, instructions, marked text', '<?xml version="1.0"?><!-- <a> --><![CDATA[<b>]]>', ['<b>']],
  ['a document type with entities', '<!DOCTYPE a [<!ENTITY b "c"> <!ENTITY d SYSTEM "file:///x">]>&b;', ['&b;']],
  ['an open tag at the end', 'x<a b="', ['x']],
  ['an open comment at the end', 'x<!-- a', ['x']],
])('%s', (_, xml, events) => {
  expect(eventsOf(xml)).toEqual(events);
});

test.each<[string, string, string | undefined]>([
  [' w:val="a &amp; b"', 'w:val', 'a & b'],
  [" a='1' b = '2'", 'b', '2'],
  [' xw:val="a"', 'w:val', undefined],
  [` a=" w:val='x'" w:val="y"`, 'w:val', 'y'],
])('of %s the value of %s is %s', (attributes, name, value) => {
  expect(attributeOf(attributes, name)).toBe(value);
});

test('a scan stops when it is told to', () => {
  let seen = 0;
  scanXml('<a/>'.repeat(100), { isDone: () => seen >= 10, open: () => seen++ });
  expect(seen).toBe(10);
});

test('any text ends, and what is escaped comes back', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '/',
    '!',
    '?',
    '[',
    ']',
    '"',
    "'",
    '&',
    ';',
    '-',
    'a',
    ' ',
    '<!DOCTYPE',
    '<![CDATA[',
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => void eventsOf(pieces.join(''))));
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      expect(eventsOf(`<a>${escaped}</a>`).slice(1, -1).join('')).toBe(text);
    }),
  );
});

test.each([
  ['open tags', '<a '.repeat(300_000)],
  ['open quotes', '<a b="'.repeat(200_000)],
  ['declarations', '<!a>'.repeat(300_000)],
  ['open declarations', '<![CDATA['.repeat(100_000)],
  ['one long attribute', `<a ${'b'.repeat(1_000_000)}>`],
  ['ampersands', '&'.repeat(1_000_000)],
  ['nested elements', '<a>'.repeat(300_000)],
])('hostile text ends soon: %s', (_, xml) => {
  const scan = () => scanXml(xml, { open: (__, attributes) => attributeOf(attributes, 'c') });
  expect(cpuMs(scan)).toBeLessThan(2_000);
});
