import type { HostSlots, SlotDone } from '../host-slots.ts';

/** Longest time that a slot waits to be given back: a call for each costs more than the decision about its visit. */
const MAX_WAIT_MS = 10;

type Gathered = PromiseWithResolvers<void> & { readonly done: SlotDone[]; readonly timer: NodeJS.Timeout };

/** Host slots whose releases go together: before the next question, or after 10 ms. */
export function gatherReleases(slots: HostSlots): HostSlots {
  let gathered: Gathered | undefined;
  const flush = async (): Promise<void> => {
    const sent = gathered;
    gathered = undefined;
    if (sent === undefined) return;
    clearTimeout(sent.timer);
    await slots.release(sent.done).then(sent.resolve, sent.reject);
  };
  return {
    release: (done) => {
      gathered ??= { ...Promise.withResolvers<void>(), done: [], timer: setTimeout(flush, MAX_WAIT_MS) };
      gathered.done.push(...done);
      return gathered.promise;
    },
    acquire: async (asked) => {
      await flush();
      return slots.acquire(asked);
    },
    learned: async (origins) => {
      await flush();
      return slots.learned(origins);
    },
    hold: (origin, forMs, reason) => slots.hold(origin, forMs, reason),
  };
}
