import { DEVICES, type Device, type TrackingStore } from '../storage/tracking-store.ts';
import { countOf, otherValues, readEventValues } from './event-values.ts';
import { requireFlat, requireValues, type SentEvent, type TrackingDeps, trackedQuery } from './tracked-query.ts';

const OWN_COLUMNS = ['sw', 'qid', 'rc', 'fquery', 'dt', 'sid', 'qsid', 'ip'];

/**
 * Records a committed search; durable when it resolves. Contract: 6.2, 6.3.
 * @throws AppError `request.invalid` without `sw` or `qid`, or with `values`; `query-id.unknown`
 */
export async function logQuery(
  deps: TrackingDeps & { readonly systemStore: Pick<TrackingStore, 'addQueryEvent'> },
  event: SentEvent,
): Promise<{ readonly id: string }> {
  requireFlat(event.sent);
  const values = readEventValues(event.sent);
  requireValues(values, ['sw', 'qid']);
  const query = trackedQuery(deps, event, values);
  await deps.systemStore.addQueryEvent({
    ...query,
    text: values.get('sw') ?? '',
    resultCount: countOf(values.get('rc')),
    fixedQuery: values.get('fquery'),
    device: deviceOf(values.get('dt')),
    querySessionId: values.get('qsid'),
    extra: otherValues(values, OWN_COLUMNS),
  });
  return { id: query.id };
}

function deviceOf(text: string | undefined): Device {
  const named = text?.toLowerCase();
  return DEVICES.find((device) => device === named) ?? 'unknown';
}
