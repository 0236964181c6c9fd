import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../observability/logger.ts';
import type { Connections } from './connections.ts';

/** How often the server is asked; clocks of machines drift by some ms in that time. */
const ASK_EVERY_MS = 10_000;
/** A difference that the way to the server does not explain: below it, time goes on as it went. */
const LEAST_CORRECTION_MS = 50;

/**
 * Wall time of the server, as this process reckons it between two answers by time that only grows: what one machine
 * says is due is due on all others, whatever their own clocks say.
 */
export async function openServerClock(
  connections: Connections,
  { log, monotonicMs }: { readonly log: Log; readonly monotonicMs: () => number },
): Promise<Clock & Disposable> {
  let offsetMs: number | undefined;
  const ask = async () => {
    const startedAtMs = monotonicMs();
    const text = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at';
    const [answer] = await connections.use((session) => session.script(text));
    const wayMs = (monotonicMs() - startedAtMs) / 2;
    const foundMs = Number(answer?.rows[0]?.at) - (startedAtMs + wayMs);
    const isExplained = offsetMs !== undefined && Math.abs(foundMs - offsetMs) <= wayMs + LEAST_CORRECTION_MS;
    if (!isExplained) offsetMs = foundMs;
  };
  await ask();
  const timer = setInterval(() => {
    ask().catch((err: unknown) => log.debug({ err }, 'the clock of the server could not be read'));
  }, ASK_EVERY_MS).unref();
  return {
    now: () => Math.round((offsetMs ?? 0) + monotonicMs()),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
