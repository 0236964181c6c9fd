import type { Fields } from '../core/document.ts';
import { isAbsoluteUrl } from '../core/url.ts';

/** Names that the system answers itself: sent values are not stored. Contract: 2.8. */
const SYSTEM_FIELDS: ReadonlySet<string> = new Set(['Id', '_type']);

/** The fields of a request that are stored. */
export function storedFields(sent: Fields): Fields {
  return new Map([...sent].filter(([name]) => !SYSTEM_FIELDS.has(name)));
}

/** A document without `Url` is found at its id when that is an address. Contract: 8.1. */
export function withUrl(id: string, fields: Fields): Fields {
  if (fields.has('Url') || !isAbsoluteUrl(id)) return fields;
  return new Map([...fields, ['Url', [id]]]);
}
