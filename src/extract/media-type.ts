import type { MediaKind } from './extraction.ts';

/** Bytes that are looked at. `%PDF-` may stand anywhere in the first 1,024. */
const HEAD_BYTES = 4_096;
const PDF_BYTES = 1_024;

const TEXT_TYPES = /^(?:text\/(?:plain|markdown|csv|tab-separated-values)|application\/(?:json|x-ndjson))$/;
const TEXT_EXTENSIONS = /\.(?:txt|md|markdown|csv|tsv|json|log)$/i;
const HTML_TYPES = /^(?:text\/html|application\/xhtml\+xml)$/;
const HTML_START =
  /^<(?:!doctype html|html|head|body|title|meta|link|script|style|h[1-6]|div|p|a|b|i|table|main|article|section|nav|header|footer|ul|ol|span|br|img|form|iframe|center|font)\b/i;
const FEED_ROOTS = new Set(['rss', 'feed', 'rdf:rdf']);
const SITEMAP_ROOTS = new Set(['urlset', 'sitemapindex']);

export type MediaSource = {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  readonly url: string;
};

/** What a body is: its bytes first, then the header, then the extension of its URL. */
export function mediaKindOf({ body, contentType, url }: MediaSource): MediaKind {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_BYTES));
  const byMagic = kindByMagic(head, body);
  if (byMagic !== undefined) return byMagic;
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const text = startOf(head);
  if (text.startsWith('<?xml') || /^<(?:urlset|sitemapindex|rss|feed|rdf:rdf)\b/i.test(text)) return kindByRoot(text);
  if (HTML_START.test(text)) return 'html';
  if (looksBinary(head)) return 'unsupported';
  return HTML_TYPES.test(type) ? 'html' : kindOfText(text, type, url);
}

function kindOfText(text: string, type: string, url: string): MediaKind {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  if (TEXT_TYPES.test(type) || TEXT_EXTENSIONS.test(path)) return 'text';
  if (text.startsWith('<')) return type.endsWith('xml') ? kindByRoot(text) : 'html';
  return type === '' || type.startsWith('text/') ? 'text' : 'unsupported';
}

const MIN_NUL_SHARE = 0.3;

/** `utf-16be` has its zeros on even places, `utf-16le` on odd ones (at least 30 % of the bytes there). */
export function utf16Of(head: Uint8Array): 'utf-16be' | 'utf-16le' | undefined {
  const places = Math.floor(Math.min(head.length, HEAD_BYTES) / 2);
  if (places < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < places * 2; i += 2) {
    if (head[i] === 0) even++;
    if (head[i + 1] === 0) odd++;
  }
  if (even / places >= MIN_NUL_SHARE && odd / places < 0.1) return 'utf-16be';
  return odd / places >= MIN_NUL_SHARE && even / places < 0.1 ? 'utf-16le' : undefined;
}

function kindByMagic(head: Buffer, body: Uint8Array): MediaKind | undefined {
  if (head.subarray(0, PDF_BYTES).includes('%PDF-') && !startOf(head).startsWith('<')) return 'pdf';
  if (head.subarray(0, 4).toString('latin1') === 'PK\x03\x04')
    return hasEntry(body, 'word/document') ? 'docx' : 'unsupported';
  if (head.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') {
    return hasEntry(body, Buffer.from('EncryptedPackage', 'utf16le')) ? 'encrypted-office' : 'unsupported';
  }
  return head.subarray(0, 5).toString('latin1') === '{\\rtf' ? 'unsupported' : undefined;
}

/** Names of a zip stand uncompressed in its local headers and directory; those of an OLE file in its directory. */
function hasEntry(body: Uint8Array, name: string | Buffer): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.length).includes(name);
}

/** Text of the head behind marks, blanks and comments. ASCII is enough: it is compared with tag names. */
function startOf(head: Buffer): string {
  const utf16 = utf16Of(head);
  const text = utf16 === undefined ? head.toString('latin1') : new TextDecoder(utf16).decode(head);
  return text.replace(/^(?:\xef\xbb\xbf|\ufeff|\s|<!--.*?-->)+/s, '');
}

function kindByRoot(text: string): MediaKind {
  const root = /<([a-z][\w:.-]*)/i.exec(text.replace(/<\?.*?\?>|<!--.*?-->|<!doctype[^>]*>/gis, ''))?.[1];
  const name = root?.toLowerCase() ?? '';
  if (name === 'html') return 'html';
  if (SITEMAP_ROOTS.has(name)) return 'sitemap';
  return FEED_ROOTS.has(name) ? 'feed' : 'xml';
}

/** Zero bytes outside of UTF-16, or more than 1 in 100 control characters that no text has. */
function looksBinary(head: Buffer): boolean {
  if (utf16Of(head) !== undefined) return false;
  if (head.includes(0)) return true;
  let controls = 0;
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls++;
  return controls * 100 > head.length;
}
