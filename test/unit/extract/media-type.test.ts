import { expect, test } from 'vitest';
import type { MediaKind } from '../../../src/extract/extraction.ts';
import { mediaKindOf } from '../../../src/extract/media-type.ts';
import { docxOf, paragraph, zipOf } from '../../helpers/sample-files.ts';

const ole = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504), Buffer.from(stream, 'utf16le')]);

test.each<[string, Buffer | string, string | undefined, string, MediaKind]>([
  ['PDF', '%PDF-1.7', undefined, '/a', 'pdf'],
  ['PDF behind a line', '\n\n%PDF-1.7', 'text/html', '/a.html', 'pdf'],
  ['PDF under another name', '%PDF-1.4', 'application/octet-stream', '/a.txt', 'pdf'],
  ['page about PDF', '<!doctype html><p>%PDF-', 'text/html', '/a', 'html'],
  ['Word', docxOf(paragraph('x')), 'application/zip', '/a', 'docx'],
  ['another zip', zipOf([{ name: 'a.txt', content: Buffer.from('a') }]), 'application/zip', '/a.zip', 'unsupported'],
  ['encrypted office', ole('EncryptedPackage'), undefined, '/a.docx', 'encrypted-office'],
  ['old Word', ole('WordDocument'), 'application/msword', '/a.doc', 'unsupported'],
  ['RTF', '{\\rtf1 text}', 'application/rtf', '/a.rtf', 'unsupported'],
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
  ['Markdown', '# Title', 'text/markdown', '/a.md', 'text'],
  ['JSON', '{"a":1}', 'application/json', '/a', 'text'],
  ['text by extension', 'a,b', 'application/octet-stream', '/a.csv?x=1', 'text'],
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
