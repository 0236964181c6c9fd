import type { Clock } from '../core/clock.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { PeopleStore } from '../storage/system/people.ts';
import { normalEmail } from './sign-in.ts';

/** Hears of every failure; tells the audit log of many. */
export type FailedSignIns = (failure: { readonly email: string; readonly address: string }) => Promise<void>;

/** Somebody who mistypes is no news. */
const BURST = 10;
const WINDOW_MS = 600_000;
/** The log grows by one row in so long, however many there are. */
const TELL_MS = 60_000;
const MAX_NAMED = 10;

export function watchFailedSignIns(deps: {
  readonly store: Pick<AccountStore, 'recordAction'> & Pick<PeopleStore, 'findPersonByEmail'>;
  readonly clock: Clock;
}): FailedSignIns {
  const begin = (since: number) => ({ since, failures: 0, people: new Set<number>(), addresses: new Set<string>() });
  let burst = begin(Number.NEGATIVE_INFINITY);
  let toldAt = Number.NEGATIVE_INFINITY;
  return async ({ email, address }) => {
    const at = deps.clock.now();
    if (at - burst.since > WINDOW_MS) burst = begin(at);
    burst.failures++;
    if (burst.addresses.size < MAX_NAMED) burst.addresses.add(address);
    // What was typed as an address may be a password: only addresses of people are named.
    const known = burst.people.size < MAX_NAMED ? await deps.store.findPersonByEmail(normalEmail(email)) : undefined;
    if (known !== undefined) burst.people.add(known.person.id);
    if (burst.failures < BURST || at - toldAt < TELL_MS) return;
    const { failures, people, addresses } = burst;
    burst = begin(at);
    toldAt = at;
    const after = { failures, people: [...people], addresses: [...addresses] };
    await deps.store.recordAction({ at, actor: 'nobody', action: 'failed-sign-ins', target: 'installation', after });
  };
}
