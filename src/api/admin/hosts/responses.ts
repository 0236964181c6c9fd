import type { ListedHost } from '../../../crawl/host-control.ts';
import type { StoredHold } from '../../../storage/host-hold-store.ts';
import { concernBody, timeText } from '../responses.ts';

export function hostBody(host: ListedHost, now: number) {
  const { id, origin, waiting, heldUntil, holdReason, failures, health, robotsStatus, robotsAt, content } = host;
  const { concern, wait, holds } = host;
  const ofHost = holds.find(({ urlTemplate }) => urlTemplate === '');
  const until = Math.max(heldUntil, ofHost?.until ?? 0);
  const share = (letter: string) => health.split(letter).length - 1;
  return {
    id,
    origin,
    waiting,
    concern: concern ?? null,
    ...concernBody({ concern, wait }),
    heldUntil: until > now ? timeText(until) : null,
    holdReason: until > now ? (ofHost?.reason ?? holdReason ?? null) : null,
    waitsFor: wait?.cause ?? null,
    holds: holds.map(holdBody),
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

/** `family`: null for a hold of the whole host. */
function holdBody({ urlTemplate, reason, since, until, askedUntil, confirmed, crawlerId, urls }: StoredHold) {
  const times = { since: timeText(since), until: timeText(until), askedUntil: timeText(askedUntil) };
  return { family: urlTemplate === '' ? null : urlTemplate, reason, ...times, confirmed, causedBy: crawlerId, urls };
}
