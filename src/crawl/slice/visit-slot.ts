import type { Fetcher } from '../../fetch/fetcher.ts';
import type { SlotResult } from '../host-slots.ts';
import { RETRY_RULES } from '../rules/retry-policy.ts';
import { failureOfStatus } from '../visit/decide-failure.ts';
import type { SliceSlots } from './slice-slots.ts';

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
