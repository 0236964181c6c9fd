import { loggedInstead } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import type { HostSlots, SlotDone } from '../host-slots.ts';

/** Longest time that a slot waits to be given back: a call for each costs more than its visit's decision. */
const MAX_WAIT_MS = 10;

/** Host slots of a slice; what is not known of their pace is left out. What its visits give back goes together: before the next question, or after 10 ms. */
export type SliceSlots = Pick<HostSlots, 'acquire' | 'observedPace'> & {
  giveBack(...done: readonly SlotDone[]): void;
  /** Resolves when nothing waits to be given back. Never rejects: a slot that cannot be given back ends by itself. */
  flush(): Promise<void>;
};

export function gatherReleases(slots: HostSlots, log: Log): SliceSlots {
  let waiting: SlotDone[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const done = waiting;
    waiting = [];
    if (done.length === 0) return;
    await slots.release(done).catch((err: unknown) => log.warn({ err }, 'host slots were not released'));
  };
  return {
    acquire: async (asked) => {
      // Both calls go out together, in this order.
      const flushed = flush();
      const [granted] = await Promise.all([slots.acquire(asked), flushed]);
      return granted;
    },
    observedPace: (origins) =>
      slots.observedPace(origins).catch(loggedInstead(log, 'the observed pace of hosts is not known', new Map())),
    giveBack: (...done) => {
      waiting.push(...done);
      timer ??= setTimeout(flush, MAX_WAIT_MS);
    },
    flush,
  };
}
