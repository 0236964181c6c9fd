import iconv from 'iconv-lite';
import jschardet from 'jschardet';

export type DecodedText = { readonly text: string; readonly charset: string };

const DECLARATION_BYTES = 4_096;
const DETECTOR_BYTES = 64 * 1024;
/**
 * Surer guesses are taken if they decode strictly. The detector is right but unsure of texts in Turkish, Czech or Big5
 * (.13 to .57): `npm run eval:extract -- <data folder> --set charset` without a hint is .55 right from .5 on, .99 so.
 */
const MIN_CONFIDENCE = 0.1;
/** Invalid places up to this share of the bytes are damage in a UTF-8 page, beyond it another charset. */
const MAX_INVALID_RATIO = 0.001;
/** Valid multi-byte characters from which a page that declares a single-byte charset is taken for UTF-8. */
const MIN_MULTIBYTE = 3;

/** Not looked into for a declaration (HTML section 13.2.3.2); one that is not closed hides the rest. */
const COMMENTS = /<!--(?:>|->|[\s\S]*?(?:-->|$))/g;

const DECLARED = [
  /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i,
  /<meta[^>]+content\s*=\s*["'][^"'>]*charset\s*=\s*([\w.:-]+)/i,
  /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i,
] as const;

/**
 * Text of a body. The first that decodes strictly wins: byte order mark, pattern of zero bytes (texts in other charsets
 * have none, whatever is declared), header, declaration in the page, UTF-8, detector; windows-1252 decodes everything.
 */
export function decodeText(body: Uint8Array, contentType: string | undefined): DecodedText {
  const marked = markOf(body);
  if (marked !== undefined) return { text: new TextDecoder(marked).decode(body), charset: marked };
  const utf16 = strictly(body, utf16Of(body));
  if (utf16 !== undefined) return utf16;
  for (const label of declaredLabels(body, contentType)) {
    const declared = decodeDeclared(body, label);
    if (declared !== undefined) return declared;
  }
  return strictly(body, 'utf-8') ?? strictly(body, detect(body)) ?? decodeLatin(body);
}

function markOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

function declaredLabels(body: Uint8Array, contentType: string | undefined): readonly string[] {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, DECLARATION_BYTES)).toString('latin1');
  const header = /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  const shown = head.replace(COMMENTS, '');
  const inPage = DECLARED.map((pattern) => pattern.exec(shown)?.[1]);
  return [header, ...inPage].filter((label) => label !== undefined);
}

function decodeDeclared(body: Uint8Array, label: string): DecodedText | undefined {
  const charset = canonical(label);
  if (charset === undefined) return undefined;
  // UTF-16 is told by its bytes: a declaration that could be read as ASCII is not in it.
  if (charset.startsWith('utf-16')) return undefined;
  if (charset === 'utf-8') return strictly(body, charset) ?? damagedUtf8(body);
  const isLie = isSingleByte(charset) && multibyteCount(body) >= MIN_MULTIBYTE;
  return isLie ? strictly(body, 'utf-8') : strictly(body, charset);
}

function canonical(label: string): string | undefined {
  try {
    return new TextDecoder(label.toLowerCase()).encoding;
  } catch {
    return undefined;
  }
}

function isSingleByte(charset: string): boolean {
  return /^(?:windows-|iso-8859-|koi8|macintosh|x-mac|ibm866)/.test(charset);
}

function strictly(body: Uint8Array, charset: string | undefined): DecodedText | undefined {
  if (charset === undefined) return undefined;
  const table = TABLES.get(charset);
  if (table !== undefined) return byTable(body, { charset, table });
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(body), charset };
  } catch {
    return undefined;
  }
}

/**
 * Charsets that the Encoding standard has with more characters than the platform's decoders, which put characters of
 * private use or controls in their place: those of Hong Kong, and 8,822 syllables of Korean.
 */
const TABLES: ReadonlyMap<string, string> = new Map([
  ['big5', 'big5-hkscs'],
  ['euc-kr', 'cp949'],
]);

/** None of these charsets has U+FFFD, so one in the text stands for bytes that are no character. */
function byTable(body: Uint8Array, { charset, table }: { readonly charset: string; readonly table: string }) {
  const text = iconv.decode(Buffer.from(body.buffer, body.byteOffset, body.length), table);
  return text.includes('\ufffd') ? undefined : { text, charset };
}

function damagedUtf8(body: Uint8Array): DecodedText | undefined {
  const text = new TextDecoder('utf-8').decode(body);
  let replaced = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) replaced++;
  return replaced <= body.length * MAX_INVALID_RATIO ? { text, charset: 'utf-8' } : undefined;
}

/** Multi-byte characters when the body is valid UTF-8, else 0. */
function multibyteCount(body: Uint8Array): number {
  const decoded = strictly(body, 'utf-8');
  if (decoded === undefined) return 0;
  let count = 0;
  for (const byte of body) if (byte >= 0xc0) count++;
  return count;
}

function detect(body: Uint8Array): string | undefined {
  const sample = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, DETECTOR_BYTES));
  const withoutTags = sample.toString('latin1').replace(/<[^>]{0,200}>/g, ' ');
  const found = jschardet.detect(Buffer.from(withoutTags, 'latin1'));
  if (found.confidence < MIN_CONFIDENCE || !found.encoding) return undefined;
  return canonical(CODE_PAGES.get(found.encoding) ?? found.encoding);
}

/** Names of the detector that are no labels of the platform's decoders. */
const CODE_PAGES: ReadonlyMap<string, string> = new Map([
  ['CP874', 'windows-874'],
  ['CP932', 'shift_jis'],
  ['CP949', 'euc-kr'],
]);

function decodeLatin(body: Uint8Array): DecodedText {
  return { text: new TextDecoder('windows-1252').decode(body), charset: 'windows-1252' };
}

/** Bytes that are looked at. */
const HEAD_BYTES = 4_096;
const MIN_NUL_SHARE = 0.3;
/** Blanks and a tag, its first letters or `!doctype`, one character per byte. */
const TAG_START = /^\s*<[!?a-z]/i;
const TAG_BYTES = 64;

export type Utf16 = 'utf-16be' | 'utf-16le';

const MARKS: ReadonlyMap<number, Utf16> = new Map([
  [0xfeff, 'utf-16be'],
  [0xfffe, 'utf-16le'],
]);

/**
 * A byte order mark before what decodes strictly, else zero bytes: `utf-16be` has them on even places, `utf-16le` on
 * odd ones, at least 30 % of the bytes there. Of scripts beyond U+00FF few units have a zero byte: a tag in front, every
 * other byte of it zero, tells as much.
 */
export function utf16Of(head: Uint8Array): Utf16 | undefined {
  const positions = Math.floor(Math.min(head.length, HEAD_BYTES) / 2);
  if (positions < 4) return undefined;
  const marked = MARKS.get(((head[0] ?? 0) << 8) | (head[1] ?? 0));
  if (marked !== undefined && isStrictly(head.subarray(0, positions * 2), marked)) return marked;
  const even = zerosAt(head, 0, positions);
  const odd = zerosAt(head, 1, positions);
  if (even / positions >= MIN_NUL_SHARE && odd / positions < 0.1) return 'utf-16be';
  if (odd / positions >= MIN_NUL_SHARE && even / positions < 0.1) return 'utf-16le';
  if (even + odd === 0) return undefined;
  return startsWithTag(head, 0) ? 'utf-16be' : startsWithTag(head, 1) ? 'utf-16le' : undefined;
}

function zerosAt(head: Uint8Array, offset: 0 | 1, positions: number): number {
  let zeros = 0;
  for (let i = 0; i < positions; i++) if (head[i * 2 + offset] === 0) zeros++;
  return zeros;
}

/** Half a pair of surrogates at the end is none of its faults. */
function isStrictly(head: Uint8Array, charset: Utf16): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** `high` is the place of the zero in each pair of bytes. */
function startsWithTag(head: Uint8Array, high: 0 | 1): boolean {
  let text = '';
  for (let at = 0; at + 1 < Math.min(head.length, TAG_BYTES) && head[at + high] === 0; at += 2) {
    text += String.fromCharCode(head[at + 1 - high] ?? 0);
  }
  return TAG_START.test(text);
}
