import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whose searches a query id belongs to. */
export type QueryIdOwner = { readonly customerId: number; readonly engineId: number };

const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/;
const VERSION = '8';
/** Variant 10: the digit holds two more bits of randomness. */
const VARIANT_DIGITS = '89ab';
const TAG_BYTES = 6;

/** The number of values that `random` can take: 25 bits. */
export const QUERY_ID_RANDOMS = 2 ** 25;
/** The highest of the 26 bits after the time is set in ids of calls that do not count as a search. */
const UNCOUNTED_BIT = QUERY_ID_RANDOMS;
/** Place of the hexadecimal digit that begins with that bit. */
const FLAG_DIGIT = 15;

type QueryIdParts = {
  readonly timeMs: number;
  /** Below `QUERY_ID_RANDOMS`. */
  readonly random: number;
  /** False: what is logged under the id is left out of statistics. */
  readonly counted: boolean;
};

/**
 * A query id that proves by itself that it was issued for its owner: UUID version 8 of 48 bits of time, 26 bits of
 * which one says whether the call counts as a search, and a tag of 48 bits. Contract: 1.8.
 */
export function makeQueryId(secret: string, owner: QueryIdOwner, { timeMs, random, counted }: QueryIdParts): string {
  const randomBits = counted ? random : random + UNCOUNTED_BIT;
  const time = timeMs.toString(16).padStart(12, '0');
  const first = (randomBits >>> 14).toString(16).padStart(3, '0');
  const second = (0x8000 | (randomBits & 0x3fff)).toString(16);
  const tag = tagOf(secret, owner, { timeMs, randomBits }).toString('hex');
  return [time.slice(0, 8), time.slice(8), VERSION + first, second, tag].join('-');
}

/** Whether a verified id is one of a search that counts: no autocomplete, no SAYT, nothing internal. */
export function isCountedQueryId(id: string): boolean {
  return Number.parseInt(id.charAt(FLAG_DIGIT), 16) < 8;
}

/**
 * The id in lower case with dashes when it was issued for this owner, else undefined. Reads it with or without
 * dashes, in any case; constant time in the tag.
 */
export function verifyQueryId(secret: string, owner: QueryIdOwner, id: string): string | undefined {
  const lower = id.toLowerCase();
  if (!UUID.test(lower)) return undefined;
  const digits = lower.replaceAll('-', '');
  if (digits.charAt(12) !== VERSION || !VARIANT_DIGITS.includes(digits.charAt(16))) return undefined;
  const timeMs = Number.parseInt(digits.slice(0, 12), 16);
  const first = Number.parseInt(digits.slice(13, 16), 16);
  const second = Number.parseInt(digits.slice(16, 20), 16) & 0x3fff;
  const tag = tagOf(secret, owner, { timeMs, randomBits: (first << 14) | second });
  if (!timingSafeEqual(tag, Buffer.from(digits.slice(20), 'hex'))) return undefined;
  return [8, 12, 16, 20, 32].map((end, i, ends) => digits.slice(ends[i - 1] ?? 0, end)).join('-');
}

function tagOf(
  secret: string,
  { customerId, engineId }: QueryIdOwner,
  { timeMs, randomBits }: { readonly timeMs: number; readonly randomBits: number },
): Buffer {
  const signed = `qid:${customerId}:${engineId}:${timeMs}:${randomBits}`;
  return createHmac('sha256', secret).update(signed).digest().subarray(0, TAG_BYTES);
}
