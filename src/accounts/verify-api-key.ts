import { timingSafeEqual } from 'node:crypto';
import type { ActiveKey } from '../storage/account-store.ts';

/** Compared when a customer has no key, so that unknown customers take the path of wrong keys. */
const NO_DIGEST = Buffer.alloc(32);

/**
 * The customer's key with the digest that was sent, or undefined: a wrong, revoked and expired key and an unknown
 * customer look alike, in the answer and in time. Looks at every key, also after a match. Contract: 1.6.
 */
export function verifyApiKey(keys: readonly ActiveKey[], sha256: string, now: number): ActiveKey | undefined {
  const sent = Buffer.from(sha256, 'hex');
  let found: ActiveKey | undefined;
  timingSafeEqual(sent, NO_DIGEST);
  for (const key of keys) {
    if (timingSafeEqual(sent, Buffer.from(key.sha256, 'hex'))) found = key;
  }
  return found?.expiresAt === undefined || found.expiresAt > now ? found : undefined;
}
