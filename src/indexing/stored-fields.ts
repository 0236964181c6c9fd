import type { Fields } from '../core/document.ts';

/** Names that the system answers itself: sent values are not stored. Contract: 2.8. */
const SYSTEM_FIELDS: ReadonlySet<string> = new Set(['Id', '_type']);

/** The fields of a request that are stored. */
export function storedFields(sent: Fields): Fields {
  return new Map([...sent].filter(([name]) => !SYSTEM_FIELDS.has(name)));
}

/** UTF-8 bytes of all values: the text of a document. Contract: 1.9. */
export function textBytes(fields: Fields): number {
  let bytes = 0;
  for (const values of fields.values()) {
    for (const value of values) bytes += Buffer.byteLength(value);
  }
  return bytes;
}

/** A document without `Url` is found at its id when that is an address. Contract: 8.1. */
export function withUrl(id: string, fields: Fields): Fields {
  if (fields.has('Url') || !isWebAddress(id)) return fields;
  return new Map([...fields, ['Url', [id]]]);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
