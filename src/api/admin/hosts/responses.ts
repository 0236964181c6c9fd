import type { ListedHost } from '../../../crawl/host-control.ts';
import { REASON_TEXTS } from '../../../crawl/rules/reasons.ts';
import { timeText } from '../responses.ts';

export function hostBody(host: ListedHost, now: number) {
  const { id, origin, waiting, heldUntil, holdReason, failures, health, robotsStatus, robotsAt, content } = host;
  const { concern } = host;
  const isHeld = heldUntil > now;
  const share = (letter: string) => health.split(letter).length - 1;
  return {
    id,
    origin,
    waiting,
    concern: concern ?? null,
    cause: concern === undefined ? null : REASON_TEXTS[concern].cause,
    advice: concern === undefined ? null : REASON_TEXTS[concern].advice,
    heldUntil: isHeld ? timeText(heldUntil) : null,
    holdReason: isHeld ? (holdReason ?? null) : null,
    failures,
    lastAnswers: { count: health.length, good: share('g'), missing: share('m'), failed: share('f') },
    robots: { status: robotsStatus ?? null, at: timeText(robotsAt) },
    probe: {
      at: timeText(content.probe?.at),
      failedSince: timeText(content.probe?.failedSince),
      believedUntil: content.believedUntil > now ? timeText(content.believedUntil) : null,
    },
  };
}
