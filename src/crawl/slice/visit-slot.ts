import type { Fetcher } from '../../fetch/fetcher.ts';
import { loggedInstead, pause } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import type { HostSlots, SlotDone, SlotResult } from '../host-slots.ts';
import type { HostPace } from '../rules/politeness.ts';
import { RETRY_RULES } from '../rules/retry-policy.ts';
import { failureOfStatus } from '../visit/decide-failure.ts';

/** The right of one visit to fetch from its host. */
export type VisitSlot = {
  /** Gives the slot back as soon as a good answer is there: reading the page takes nothing of its host. */
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  /** Gives the slot back, once. What has not answered well is held back first. */
  release(result: SlotResult): void;
};

export function openVisitSlot(
  deps: { readonly slots: Pick<SliceSlots, 'giveBack'>; readonly fetcher: Pick<Fetcher, 'fetch'> },
  grant: string,
): VisitSlot {
  let isHeld = true;
  let firstByteMs: number | undefined;
  let startedAt: number | undefined;
  const release = (result: SlotResult) => {
    if (!isHeld) return;
    isHeld = false;
    const sinceStartMs = startedAt === undefined ? undefined : performance.now() - startedAt;
    deps.slots.giveBack({ grant, result, firstByteMs, sinceStartMs });
  };
  return {
    release,
    fetcher: {
      fetch: async (request, signal) => {
        startedAt ??= performance.now();
        const resource = await deps.fetcher.fetch(request, signal);
        firstByteMs ??= resource.firstByteMs;
        const failure = failureOfStatus(resource.status);
        if (failure === undefined || RETRY_RULES[failure].pace === 'good') release('good');
        return resource;
      },
    },
  };
}

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
    acquire: async (requests) => {
      // Both calls go out together, in this order.
      const flushed = flush();
      const [granted] = await Promise.all([slots.acquire(requests), flushed]);
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

/** Pause before a slot is asked for again. */
const ASK_AGAIN_MS = 100;

/** A slot of a host for what is no visit, when its start has come; undefined when the signal ended the wait. */
export async function takeSlot(
  slots: Pick<HostSlots, 'acquire'>,
  { origin, pace }: { readonly origin: string; readonly pace: HostPace },
  signal: AbortSignal,
): Promise<string | undefined> {
  while (!signal.aborted) {
    const [granted] = await slots.acquire([{ origin, want: 1, ...pace }]);
    await pause(granted?.startInMs ?? ASK_AGAIN_MS, signal);
    if (granted !== undefined) return granted.grant;
  }
  return undefined;
}
