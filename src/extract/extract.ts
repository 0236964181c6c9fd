import { decodeText, utf16Of } from './charset.ts';
import type { ExtractInput, Extraction, MediaKind, ParseFile } from './extraction.ts';
import { extractFile } from './files/extract-file.ts';
import { unreadFile } from './files/file-status.ts';
import { openOle } from './files/legacy/ole.ts';
import { readTextFile } from './files/readers.ts';
import { zipNames } from './files/zip.ts';
import {
  FILE_FORMATS,
  FILE_KINDS,
  type FileKind,
  TEXT_KINDS,
  type TextKind,
  textKindOfName,
  textKindOfType,
  UNREAD_FORMATS,
} from './formats.ts';
import { builtInModel, type ContentModel } from './html/content-model.ts';
import { extractPage } from './html/extract-page.ts';

export type ExtractDeps = {
  readonly parseFile: ParseFile;
  /** The product's own when absent. */
  readonly contentModel?: ContentModel | undefined;
};

/**
 * The document, links and directives of a page or file. The same input gives the same result; nothing that the body
 * holds makes it throw: what cannot be read is a status with a reason. Rejects by the signal only.
 */
export async function extract(deps: ExtractDeps, input: ExtractInput, signal: AbortSignal): Promise<Extraction> {
  const { body, url, headers } = input;
  const media = mediaKindOf({ body, contentType: headers.contentType, url });
  if (media === 'html' || media === 'xml') {
    const decoded = decodeText(body, headers.contentType);
    return extractPage(deps.contentModel ?? builtInModel(), input, { decoded, media });
  }
  if (isFileKind(media)) return extractFile(input, await deps.parseFile(body, media, signal), media);
  if (isTextKind(media)) {
    const decoded = decodeText(body, headers.contentType);
    return extractFile(input, await readTextFile(decoded, media), media, decoded.charset);
  }
  if (media === 'encrypted-office')
    return extractFile(input, unreadFile('encrypted', 'The file needs a password'), media);
  return extractFile(input, unreadFile('unsupported', UNREAD_FORMATS[media].reason), media);
}

function isFileKind(media: MediaKind): media is FileKind {
  return (FILE_KINDS as readonly MediaKind[]).includes(media);
}

function isTextKind(media: MediaKind): media is TextKind {
  return (TEXT_KINDS as readonly MediaKind[]).includes(media);
}

/** Bytes that are looked at. `%PDF-` may stand anywhere in the first 1,024. */
const HEAD_BYTES = 4_096;
const PDF_BYTES = 1_024;

const HTML_TYPES = /^(?:text\/html|application\/xhtml\+xml)$/;
const HTML_START =
  /^<(?:!doctype html|html|head|body|title|meta|link|script|style|h[1-6]|div|p|a|b|i|table|main|article|section|nav|header|footer|ul|ol|span|br|img|form|iframe|center|font)\b/i;
/** What a page starts with, and a fragment of HTML at the top of a Markdown file does not. */
const PAGE_START = /^<(?:!doctype html|html|head|body|title|meta|link)\b/i;
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
  const named = textKindOf(type, url);
  if (named === 'markdown' && !PAGE_START.test(text) && !looksBinary(head)) return named;
  if (HTML_START.test(text)) return 'html';
  if (looksBinary(head)) return 'unsupported';
  return HTML_TYPES.test(type) ? 'html' : (named ?? kindOfUnnamed(text, type));
}

/** The extension tells kinds of text apart where the header says no more than that it is text. */
function textKindOf(type: string, url: string): TextKind | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const byType = textKindOfType(type);
  if ((byType !== undefined && byType !== 'text') || HTML_TYPES.test(type)) return byType;
  return textKindOfName(path) ?? byType;
}

function kindOfUnnamed(text: string, type: string): MediaKind {
  if (text.startsWith('<')) return type.endsWith('xml') ? kindByRoot(text) : 'html';
  return type === '' || type.startsWith('text/') ? 'text' : 'unsupported';
}

function kindByMagic(head: Buffer, body: Uint8Array): MediaKind | undefined {
  if (head.subarray(0, PDF_BYTES).includes('%PDF-') && !startOf(head).startsWith('<')) return 'pdf';
  if (head.subarray(0, 4).toString('latin1') === 'PK\x03\x04') return kindOfZip(body);
  if (head.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') return kindOfOle(body);
  return head.subarray(0, 5).toString('latin1') === '{\\rtf' ? 'rtf' : undefined;
}

/** Documents, templates and files with macros of one program have the same names inside. */
function kindOfZip(body: Uint8Array): MediaKind {
  const { names, mimetype } = zipNames(body);
  const declared = FILE_KINDS.find((kind) => {
    const { zipType } = FILE_FORMATS[kind];
    return zipType !== undefined && mimetype.startsWith(zipType);
  });
  if (declared !== undefined) return declared;
  const has = (start: string | undefined) =>
    start !== undefined && names.some((name) => name.toLowerCase().startsWith(start));
  if (has(UNREAD_FORMATS.xlsb.zipName)) return 'xlsb';
  return FILE_KINDS.find((kind) => has(FILE_FORMATS[kind].zipName)) ?? 'unsupported';
}

const ENCRYPTED_STREAM = 'EncryptedPackage';

/** Streams of the root tell the program; of a file whose directory is damaged, names anywhere do. */
function kindOfOle(body: Uint8Array): MediaKind {
  const names = openOle(body)?.names;
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.length);
  const has = (name: string) => (names === undefined ? buffer.includes(name, 0, 'utf16le') : names.has(name));
  if (has(ENCRYPTED_STREAM)) return 'encrypted-office';
  return FILE_KINDS.find((kind) => FILE_FORMATS[kind].streams?.some(has)) ?? 'unsupported';
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
