import { createHash } from 'node:crypto';

/** SHA-256 of a key, the only form that is stored: hexadecimal, lower case. Keys are 256 random bits, so no salt. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** What lists show of a key. A key so short that four characters would give it away shows none. */
export function last4Of(key: string): string {
  return key.length >= 16 ? key.slice(-4) : '';
}
