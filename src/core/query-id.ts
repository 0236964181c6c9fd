import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whose searches a query id belongs to. */
export type QueryIdOwner = { readonly customerId: number; readonly engineId: number };

const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/;
const VERSION = '8';
/** Variant 10: the digit holds two more bits of randomness. */
const VARIANT_DIGITS = '89ab';
const TAG_BYTES = 6;

/** The number of values that `randomBits` can take: 26 bits. */
export const QUERY_ID_RANDOMS = 2 ** 26;

/**
 * A query id that proves by itself that it was issued for its owner: UUID version 8 of 48 bits of time, 26 random
 * bits and a tag of 48 bits. `randomBits` is below `QUERY_ID_RANDOMS`. Contract: 1.8.
 */
export function makeQueryId(
  secret: string,
  owner: QueryIdOwner,
  { timeMs, randomBits }: { readonly timeMs: number; readonly randomBits: number },
): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const first = (randomBits >>> 14).toString(16).padStart(3, '0');
  const second = (0x8000 | (randomBits & 0x3fff)).toString(16);
  const tag = tagOf(secret, owner, { timeMs, randomBits }).toString('hex');
  return [time.slice(0, 8), time.slice(8), VERSION + first, second, tag].join('-');
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
