import type { Clock } from '../core/clock.ts';
import type { PeopleStore } from '../storage/system/people.ts';
import { digestOf } from './manage-keys.ts';
import { LINK_MS } from './manage-people.ts';
import { newToken } from './sign-in.ts';

/** Where the page that takes a link reads its token: behind the `#`, which browsers send to nobody. */
export const LINK_PATH = '/admin/invitation#';

/**
 * The token of the link that makes its taker the first operator: `known` while it opens, else a new one, which makes
 * the former void. Undefined when there is somebody.
 */
export async function inviteFirstOperator(
  { store, clock }: { readonly store: PeopleStore; readonly clock: Clock },
  known: string | undefined,
): Promise<string | undefined> {
  if (await store.hasPeople()) return undefined;
  const at = clock.now();
  if (known !== undefined && (await store.findInvitation({ sha256: digestOf(known), at })) !== undefined) return known;
  const token = newToken();
  const invitation = {
    actor: 'first-start',
    personId: undefined,
    sha256: digestOf(token),
    at,
    expiresAt: at + LINK_MS,
  };
  await store.putInvitation(invitation);
  return token;
}
