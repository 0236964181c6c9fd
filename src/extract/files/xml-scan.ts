export type XmlHandler = {
  /** `attributes` is the text between name and end of the tag: read it with `attributeOf`. */
  readonly open?: (name: string, attributes: string) => void;
  /** Follows `open` at once for an element without content. Ends that nothing opened come too. */
  readonly close?: (name: string) => void;
  /** Entities decoded; one run of text may come in several parts. */
  readonly text?: (text: string) => void;
  /** True ends the scan; asked before every tag. */
  readonly isDone?: () => boolean;
};

/**
 * Walks over the tags of an XML text, O(length), without building anything. Five entities and numeric ones are known;
 * a document type is passed over with all that it declares, so no entity grows or reaches outside. What is not well
 * formed is read as far as it goes; never throws.
 */
export function scanXml(xml: string, handler: XmlHandler): void {
  let at = 0;
  while (at < xml.length && handler.isDone?.() !== true) {
    const tag = xml.indexOf('<', at);
    const textEnd = tag < 0 ? xml.length : tag;
    if (textEnd > at) handler.text?.(decodeEntities(xml.slice(at, textEnd)));
    at = tag < 0 ? xml.length : scanTag(xml, tag, handler);
  }
}

/** The place behind the tag that starts at `tag`. */
function scanTag(xml: string, tag: number, { open, close, text }: XmlHandler): number {
  const mark = xml.charCodeAt(tag + 1);
  if (mark === EXCLAMATION || mark === QUESTION) {
    const special = specialAt(xml, tag);
    if (special.text !== '') text?.(special.text);
    return special.end;
  }
  const end = tagEnd(xml, tag + 1);
  if (end < 0) return xml.length;
  if (mark === SLASH) close?.(xml.slice(tag + 2, end).trimEnd());
  else openTag(xml.slice(tag + 1, end), open, close);
  return end + 1;
}

/** Value of an attribute by its name as written, entities decoded. O(length of the tag). */
export function attributeOf(attributes: string, name: string): string | undefined {
  if (!attributes.includes(name)) return undefined;
  for (const [, found, double, single] of attributes.matchAll(ATTRIBUTE)) {
    if (found === name) return decodeEntities(double ?? single ?? '');
  }
  return undefined;
}

/** `w:p` → `p`. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const EXCLAMATION = 0x21;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const GREATER = 0x3e;
const QUESTION = 0x3f;
/** A name starts behind a blank, so that a long run of anything is tried once. */
const ATTRIBUTE = /\s([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const LAST_CODE_POINT = 0x10ffff;

/** Five named entities and numeric ones; every other one stays as it is written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= LAST_CODE_POINT && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '';
  });
}

function openTag(tag: string, open: XmlHandler['open'], close: XmlHandler['close']): void {
  const isEmpty = tag.charCodeAt(tag.length - 1) === SLASH;
  const inner = isEmpty ? tag.slice(0, -1) : tag;
  let nameEnd = 0;
  while (nameEnd < inner.length && !isBlank(inner.charCodeAt(nameEnd))) nameEnd++;
  const name = inner.slice(0, nameEnd);
  open?.(name, inner.slice(nameEnd));
  if (isEmpty) close?.(name);
}

/** Place of the `>` that ends a tag, those in quotes passed over; -1 when there is none. */
function tagEnd(xml: string, from: number): number {
  let quote = 0;
  for (let at = from; at < xml.length; at++) {
    const unit = xml.charCodeAt(at);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (unit === GREATER) return at;
    else if (unit === DOUBLE_QUOTE || unit === SINGLE_QUOTE) quote = unit;
  }
  return -1;
}

/** Comment, processing instruction, document type or CDATA at `<`; only the last has text. */
function specialAt(xml: string, at: number): { readonly text: string; readonly end: number } {
  if (xml.startsWith('<![CDATA[', at)) {
    const end = endOf(xml, ']]>', at);
    return { text: xml.slice(at + 9, Math.max(at + 9, end - 3)), end };
  }
  if (xml.startsWith('<!--', at)) return { text: '', end: endOf(xml, '-->', at + 4) };
  if (xml.startsWith('<?', at)) return { text: '', end: endOf(xml, '?>', at) };
  const simple = endOf(xml, '>', at);
  const hasSubset = xml.slice(at, simple).includes('[');
  return { text: '', end: hasSubset ? endOf(xml, ']', simple - 1, '>') : simple };
}

function endOf(xml: string, mark: string, from: number, then = ''): number {
  const at = xml.indexOf(mark, from);
  const end = at < 0 || then === '' ? at : xml.indexOf(then, at);
  return end < 0 ? xml.length : end + (then || mark).length;
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
