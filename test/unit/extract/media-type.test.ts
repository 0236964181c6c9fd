import { expect, test } from 'vitest';
import { mediaKindOf } from '../../../src/extract/extract.ts';
import type { MediaKind } from '../../../src/extract/extraction.ts';
import { docxOf, paragraph, zipOf } from '../../helpers/sample-files.ts';

const ole = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504), Buffer.from(stream, 'utf16le')]);

const zip = (...names: string[]) => zipOf(names.map((name) => ({ name, content: Buffer.from('x') })));

/** A zip whose first entry, not compressed, says what it is. */
function stored(mimetype: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt32LE(mimetype.length, 18);
  header.writeUInt32LE(mimetype.length, 22);
  header.writeUInt16LE('mimetype'.length, 26);
  return Buffer.concat([header, Buffer.from(`mimetype${mimetype}`), zip('content.xml')]);
}

test.each<[string, Buffer | string, string | undefined, string, MediaKind]>([
  ['PDF', '%PDF-1.7', undefined, '/a', 'pdf'],
  ['PDF behind a line', '\n\n%PDF-1.7', 'text/html', '/a.html', 'pdf'],
  ['PDF under another name', '%PDF-1.4', 'application/octet-stream', '/a.txt', 'pdf'],
  ['page about PDF', '<!doctype html><p>%PDF-', 'text/html', '/a', 'html'],
  ['Word', docxOf(paragraph('x')), 'application/zip', '/a', 'docx'],
  ['another zip', zipOf([{ name: 'a.txt', content: Buffer.from('a') }]), 'application/zip', '/a.zip', 'unsupported'],
  ['encrypted office', ole('EncryptedPackage'), undefined, '/a.docx', 'encrypted-office'],
  ['a workbook', zip('xl/workbook.xml', 'docProps/core.xml'), undefined, '/a.xlsm', 'xlsx'],
  ['a binary workbook', zip('xl/workbook.bin'), undefined, '/a.xlsx', 'xlsb'],
  ['slides', zip('ppt/presentation.xml'), undefined, '/a.zip', 'pptx'],
  ['a book without its mark', zip('META-INF/container.xml'), undefined, '/a', 'epub'],
  ['a book', stored('application/epub+zip'), undefined, '/a', 'epub'],
  ['OpenDocument text', stored('application/vnd.oasis.opendocument.text'), undefined, '/a', 'odt'],
  ['OpenDocument template', stored('application/vnd.oasis.opendocument.text-template'), undefined, '/a', 'odt'],
  ['OpenDocument sheets', stored('application/vnd.oasis.opendocument.spreadsheet'), undefined, '/a', 'ods'],
  ['OpenDocument slides', stored('application/vnd.oasis.opendocument.presentation'), undefined, '/a', 'odp'],
  ['a cut Word file', docxOf(paragraph('x')).subarray(0, 900), undefined, '/a', 'docx'],
  ['old Word', ole('WordDocument'), 'application/msword', '/a.doc', 'doc'],
  ['an old workbook', ole('Workbook'), undefined, '/a.xls', 'xls'],
  ['an old workbook of another program', ole('BOOK'), undefined, '/a.xls', 'xls'],
  ['old slides', ole('PowerPoint Document'), undefined, '/a.ppt', 'ppt'],
  ['another compound file', ole('Catalog'), undefined, '/Thumbs.db', 'unsupported'],
  ['RTF', '{\\rtf1 text}', 'application/rtf', '/a.rtf', 'rtf'],
  ['HTML', '<!DOCTYPE html><html>', undefined, '/a', 'html'],
  ['HTML behind a comment', '<!-- made by -->\n<html>', 'text/plain', '/a', 'html'],
  ['HTML behind a mark', '\ufeff<head>', undefined, '/a', 'html'],
  ['HTML fragment', '<p>text', 'text/html', '/a', 'html'],
  ['HTML that starts with text', 'Hello <b>you</b>', 'text/html; charset=utf-8', '/a', 'html'],
  ['HTML in UTF-16', Buffer.from('<html><body>text and more text', 'utf16le'), 'text/html', '/a', 'html'],
  ['HTML that says it is a PDF', '<html>Log in', 'application/pdf', '/a.pdf', 'html'],
  ['XHTML', '<?xml version="1.0"?><!DOCTYPE html><html xmlns="x">', undefined, '/a', 'html'],
  ['sitemap', '<?xml version="1.0"?>\n<urlset xmlns="x">', 'text/xml', '/sitemap.xml', 'sitemap'],
  ['sitemap without declaration', '<urlset>', 'text/xml', '/s', 'sitemap'],
  ['sitemap index', '<?xml version="1.0"?><!-- a --><sitemapindex>', undefined, '/s', 'sitemap'],
  ['RSS', '<?xml version="1.0"?><rss version="2.0">', 'text/xml', '/feed', 'feed'],
  ['Atom', '<feed xmlns="http://www.w3.org/2005/Atom">', 'application/atom+xml', '/feed', 'feed'],
  ['other XML', '<?xml version="1.0"?><note>', 'text/xml', '/a.xml', 'xml'],
  ['other XML without declaration', '<note>text</note>', 'application/xml', '/a.xml', 'xml'],
  ['plain text', 'text', 'text/plain; charset=utf-8', '/a', 'text'],
  ['Markdown', '# Title', 'text/markdown', '/a', 'markdown'],
  ['Markdown as text', '# Title', 'text/plain', '/README.md', 'markdown'],
  ['Markdown that starts with a tag', '<h1 align="center">Title</h1>', 'text/markdown', '/a.md', 'markdown'],
  ['a page under the name of Markdown', '<!doctype html><p>x', 'text/markdown', '/a.md', 'html'],
  ['AsciiDoc', '= Title', 'text/asciidoc; charset=utf-8', '/a', 'asciidoc'],
  ['AsciiDoc as text', '= Title', 'text/plain', '/README.adoc', 'asciidoc'],
  ['JSON', '{"a":1}', 'application/json', '/a', 'json'],
  ['JSON by extension', '{"a":1}', 'application/octet-stream', '/a.json', 'json'],
  ['delimited text', 'a,b', 'application/octet-stream', '/a.csv?x=1', 'delimited'],
  ['delimited text by header', 'a\tb', 'text/tab-separated-values', '/a', 'delimited'],
  ['a log', 'a line', 'application/octet-stream', '/a.log', 'text'],
  ['text of nothing', 'just text', undefined, '/a', 'text'],
  ['unknown media', 'just text', 'application/x-thing', '/a', 'unsupported'],
  ['PNG', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png', '/a.png', 'unsupported'],
  ['bytes that say HTML', Buffer.from('00010203040506070809', 'hex'), 'text/html', '/a', 'unsupported'],
  ['control characters', Buffer.alloc(100, 7), 'text/plain', '/a.txt', 'unsupported'],
  ['no bytes', '', 'text/html', '/a', 'html'],
  ['no bytes, no header', '', undefined, '/a', 'text'],
])('%s', (...[, body, contentType, path, kind]) => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  expect(mediaKindOf({ body: bytes, contentType, url: `https://site.example${path}` })).toBe(kind);
});

test('an OpenDocument file may say what it is in any entry, compressed or not', () => {
  const parts = { 'content.xml': 'x', mimetype: 'application/vnd.oasis.opendocument.text' };
  const body = zipOf(Object.entries(parts).map(([name, content]) => ({ name, content: Buffer.from(content) })));
  expect(mediaKindOf({ body, contentType: undefined, url: 'https://site.example/a' })).toBe('odt');
});
