import { foldBlanks, MAX_QUERY_CHARS, normalQuery } from '../core/normal-query.ts';
import { isCountedQueryId } from '../core/query-id.ts';
import {
  DEVICES,
  type Device,
  type QueryCount,
  type QueryEvent,
  type TrackingStore,
} from '../storage/tracking-store.ts';
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
  const logged = {
    ...trackedQuery(deps, event, values),
    text: values.get('sw') ?? '',
    resultCount: countOf(values.get('rc')),
    fixedQuery: values.get('fquery'),
    device: deviceOf(values.get('dt')),
    querySessionId: values.get('qsid'),
    extra: otherValues(values, OWN_COLUMNS),
  };
  await deps.systemStore.addQueryEvent(logged, countOfQuery(logged));
  return { id: logged.id };
}

/** Undefined for what was typed ahead or is internal, and for texts that no search takes. */
function countOfQuery({ queryId, text, resultCount, fixedQuery }: QueryEvent): QueryCount | undefined {
  const query = normalQuery(text);
  if (!isCountedQueryId(queryId) || [...query].length > MAX_QUERY_CHARS) return undefined;
  // A correction is made only when the text itself finds nothing (contract 2.9).
  const isCorrected = fixedQuery !== undefined && normalQuery(fixedQuery) !== query;
  return { query, spelling: foldBlanks(text), ownResultCount: isCorrected ? 0 : resultCount };
}

function deviceOf(text: string | undefined): Device {
  const named = text?.toLowerCase();
  return DEVICES.find((device) => device === named) ?? 'unknown';
}
