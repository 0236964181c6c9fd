import type { Clock } from '../core/clock.ts';
import type { ApiKey } from '../core/records.ts';
import { runInBackground } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { AccountStore } from '../storage/system/accounts.ts';

/** Remembers that a key was used today, in the background: one write a day for each key and process. */
export type NoteKeyUse = (key: ApiKey) => void;

const DAY_MS = 86_400_000;

export function createKeyUse(deps: {
  readonly store: Pick<AccountStore, 'noteKeyUse'>;
  readonly clock: Clock;
  readonly log: Log;
}): NoteKeyUse {
  let noted = { day: 0, ids: new Set<number>() };
  return ({ id, lastUsedDay = 0 }) => {
    const day = Math.floor(deps.clock.now() / DAY_MS);
    if (noted.day !== day) noted = { day, ids: new Set() };
    if (lastUsedDay >= day || noted.ids.has(id)) return;
    noted.ids.add(id);
    runInBackground(deps.log, 'noting the use of a key', () => deps.store.noteKeyUse(id, day));
  };
}
