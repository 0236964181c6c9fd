import { pause } from '../../observability/background.ts';
import type { HostSlots } from '../host-slots.ts';
import type { HostPace } from '../rules/politeness.ts';

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
