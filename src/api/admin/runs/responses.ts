import type { RunProgress } from '../../../crawl/watch-run.ts';
import { runBody, timeText } from '../responses.ts';

/** Counts of the run beside what is under way. */
export function progressBody({ run, pagesPerSecond, hosts, lastVisits }: RunProgress) {
  const { id, ...counts } = runBody(run);
  return {
    runId: id,
    ...counts,
    pagesPerSecond: Number(pagesPerSecond.toFixed(1)),
    hosts: hosts.map(({ origin, waiting, heldUntil, reason, spacingMs, slots }) => ({
      origin,
      waiting,
      heldUntil: timeText(heldUntil),
      reason: reason ?? null,
      spacingMs: spacingMs ?? null,
      slots: slots ?? null,
    })),
    lastVisits: lastVisits.map(({ url, outcome, reason, httpStatus, millis }) => ({
      url,
      outcome,
      reason,
      status: httpStatus ?? null,
      millis: millis ?? null,
    })),
  };
}
