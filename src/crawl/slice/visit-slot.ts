import type { Fetcher } from '../../fetch/fetcher.ts';
import type { Log } from '../../observability/logger.ts';
import type { HostSlots, SlotResult } from '../host-slots.ts';
import { RETRY_RULES } from '../rules/retry-policy.ts';
import { failureOfStatus } from '../visit/decide-failure.ts';

/** The right of one visit to fetch from its host. */
export type VisitSlot = {
  /** Gives the slot back as soon as a good answer is there: reading the page takes nothing of its host. */
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  /** Gives the slot back, once. What has not answered well is held back first. */
  release(result: SlotResult): Promise<void>;
};

export function openVisitSlot(
  deps: { readonly slots: HostSlots; readonly fetcher: Pick<Fetcher, 'fetch'>; readonly log: Log },
  grant: string,
): VisitSlot {
  let isHeld = true;
  let firstByteMs: number | undefined;
  const release = async (result: SlotResult) => {
    if (!isHeld) return;
    isHeld = false;
    await releaseSlots(deps, [{ grant, result, firstByteMs }]);
  };
  return {
    release,
    fetcher: {
      fetch: async (request, signal) => {
        const resource = await deps.fetcher.fetch(request, signal);
        firstByteMs ??= resource.firstByteMs;
        const failure = failureOfStatus(resource.status);
        if (failure === undefined || RETRY_RULES[failure].pace === 'good') void release('good');
        return resource;
      },
    },
  };
}

/** A slot that cannot be given back ends by itself; what was fetched is recorded all the same. */
export async function releaseSlots(
  { slots, log }: { readonly slots: HostSlots; readonly log: Log },
  done: Parameters<HostSlots['release']>[0],
): Promise<void> {
  if (done.length === 0) return;
  await slots.release(done).catch((err: unknown) => log.warn({ err }, 'host slots were not released'));
}
