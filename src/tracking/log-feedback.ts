import type { Clock } from '../core/clock.ts';
import type { Engine } from '../core/records.ts';
import type { TrackingStore } from '../storage/tracking-store.ts';
import type { Opinion } from './opinion.ts';
import type { VerifyQueryId } from './tracked-query.ts';

type ResultFeedback = Opinion & {
  readonly url: string | undefined;
  readonly queryId: string | undefined;
  /** UUID. Undefined = a new record. */
  readonly feedbackId: string | undefined;
};

/** Records feedback on search results; the same `feedbackId` again is merged into one record. Contract: 6.1. */
export async function logFeedback(
  deps: {
    readonly systemStore: Pick<TrackingStore, 'mergeFeedback'>;
    readonly clock: Clock;
    /** A new UUID. */
    readonly newId: () => string;
    readonly verifyQueryId: VerifyQueryId;
  },
  engine: Engine,
  { feedbackId: sentId, url, queryId, visitor, ...opinion }: ResultFeedback,
): Promise<{ readonly eventId: string; readonly feedbackId: string }> {
  const feedbackId = sentId?.toLowerCase() ?? deps.newId();
  const eventId = deps.newId();
  const owner = { customerId: engine.customerId, engineId: engine.id };
  const issued = queryId === undefined ? undefined : deps.verifyQueryId(owner, queryId);
  await deps.systemStore.mergeFeedback({
    ...opinion,
    engineId: engine.id,
    kind: 'result',
    key: feedbackId,
    at: deps.clock.now(),
    matched: issued !== undefined,
    extra: {
      ...visitor,
      eventId,
      ...(url !== undefined && { url }),
      ...(queryId !== undefined && { queryId: issued ?? queryId }),
    },
  });
  return { eventId, feedbackId };
}
