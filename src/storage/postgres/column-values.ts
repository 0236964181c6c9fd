import type { CustomTypesConfig } from 'pg';

const BOOL = 16;
const BYTEA = 17;
const INTEGERS = [20, 21, 23];
const FLOATS = [700, 701];
const NUMERIC = 1700;

/**
 * Values as SQLite gives them: whole numbers as number while that is exact and as bigint above, truth as 1 or 0, bytes
 * as `Uint8Array`, everything else as text.
 */
export const COLUMN_TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number) => PARSERS.get(oid) ?? asText) as CustomTypesConfig['getTypeParser'],
};

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [BYTEA, (text) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex'))],
  ...INTEGERS.map((oid) => [oid, wholeNumber] as const),
  ...FLOATS.map((oid) => [oid, Number] as const),
  // Sums of whole numbers, and means.
  [NUMERIC, (text) => (text.includes('.') ? Number(text) : wholeNumber(text))],
]);

function wholeNumber(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function asText(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(ESCAPED, (pair) => (pair[1] === ESCAPE ? ESCAPE : '\0')) : text;
}

/** No text of PostgreSQL holds U+0000. A character that Unicode gives to nobody escapes it, and itself. */
const ESCAPE = '\uFDD0';
const ESCAPED = /\uFDD0[\uFDD0\uFDD1]/g;
const TO_ESCAPE = /[\0\uFDD0]/g;

/** A value as it is sent; texts are read as they were. */
export function sentAs(value: unknown): unknown {
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(ESCAPE))) return value;
  return value.replaceAll(TO_ESCAPE, (found) => (found === ESCAPE ? ESCAPE + ESCAPE : `${ESCAPE}\uFDD1`));
}
