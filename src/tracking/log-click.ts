import type { TrackingStore } from '../storage/tracking-store.ts';
import { countOf, otherValues, readEventValues } from './event-values.ts';
import { requireFlat, requireValues, type SentEvent, type TrackingDeps, trackedQuery } from './tracked-query.ts';

const OWN_COLUMNS = ['qid', 'clurl', 'cli', 'ls', 'cloi', 'title', 'sw', 'sid', 'ip'];
const KNOWN_KINDS = ['searchresult', 'banner'];

/**
 * Records a click; durable when it resolves. Clicks on one search are separate events. Contract: 6.2, 6.4.
 * @throws AppError `request.invalid` without `qid`, without `clurl` (banner clicks: `cloi`), or with `values`;
 * `query-id.unknown`
 */
export async function logClick(
  deps: TrackingDeps & { readonly systemStore: Pick<TrackingStore, 'addClickEvent'> },
  event: SentEvent,
): Promise<{ readonly id: string }> {
  requireFlat(event.sent);
  const values = readEventValues(event.sent);
  const kind = kindOf(values.get('ls'));
  requireValues(values, ['qid', kind === 'banner' ? 'cloi' : 'clurl']);
  const query = trackedQuery(deps, event, values);
  await deps.systemStore.addClickEvent({
    ...query,
    kind,
    url: values.get('clurl'),
    rank: countOf(values.get('cli')) || undefined,
    bannerId: values.get('cloi'),
    title: values.get('title'),
    text: values.get('sw'),
    extra: otherValues(values, OWN_COLUMNS),
  });
  return { id: query.id };
}

/** The two known kinds in any case; other text as it was sent. */
function kindOf(text = 'searchresult'): string {
  const folded = text.toLowerCase();
  return KNOWN_KINDS.includes(folded) ? folded : text;
}
