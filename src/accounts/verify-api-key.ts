import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { ApiKey } from '../core/records.ts';
import type { ActiveKey } from '../storage/account-store.ts';
import { digestOf } from './api-keys.ts';
import type { AccountSnapshots } from './engine-snapshot.ts';

/** Compared when a customer has no key, so that unknown customers take the path of wrong keys. */
const NO_KEY = Buffer.alloc(32);

/**
 * The active key of the customer that was sent, or undefined: wrong, revoked, expired and of an unknown customer look
 * alike, in the answer and in time. Contract: 1.6.
 */
export async function verifyApiKey(
  deps: { readonly accounts: Pick<AccountSnapshots, 'read'>; readonly clock: Clock },
  customerId: number,
  key: string,
): Promise<ApiKey | undefined> {
  const sent = Buffer.from(digestOf(key), 'hex');
  const { keysByCustomer } = await deps.accounts.read();
  const found = matching(sent, keysByCustomer.get(customerId) ?? []);
  if (found === undefined) return undefined;
  return found.expiresAt === undefined || found.expiresAt > deps.clock.now() ? found : undefined;
}

/** Looks at every key of the customer, also after a match. */
function matching(sent: Buffer, keys: readonly ActiveKey[]): ActiveKey | undefined {
  let found: ActiveKey | undefined;
  timingSafeEqual(sent, NO_KEY);
  for (const key of keys) {
    if (timingSafeEqual(sent, Buffer.from(key.sha256, 'hex'))) found = key;
  }
  return found;
}
