import type { Clock } from '../core/clock.ts';
import { invalidRequest } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import type { Feedback, Rating, TrackingStore } from '../storage/system/tracking.ts';
import type { VerifyQueryId } from './search-events.ts';

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

/** Whether an exchange or a summary with this id was made on the engine. */
export type KnowsAnswer = (engine: Engine, kind: 'answer' | 'summary', id: string) => Promise<boolean>;

type Deps = {
  readonly systemStore: Pick<TrackingStore, 'mergeRatedFeedback'>;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  readonly knowsAnswer: KnowsAnswer;
};

type AnswerFeedback = Opinion & { readonly conversationId: string; readonly exchangeId: string };
type SummaryFeedback = Opinion & { readonly summaryId: string | undefined };

/**
 * Records feedback on an answer; what comes later under the same exchange is merged into one record. Contract: 4.5.
 * @throws AppError `request.invalid` while the exchange has no rating.
 */
export async function logAnswerFeedback(
  deps: Deps,
  engine: Engine,
  { conversationId, exchangeId, visitor, ...opinion }: AnswerFeedback,
): Promise<void> {
  const key = exchangeId.toLowerCase();
  const matched = await deps.knowsAnswer(engine, 'answer', key);
  await mergeRated(deps, engine, { ...opinion, kind: 'answer', key, matched, extra: { ...visitor, conversationId } });
}

/** The same for a summary. Without a `summaryId` each call is a record of its own. Contract: 5.3. */
export async function logSummaryFeedback(
  deps: Deps,
  engine: Engine,
  { summaryId, visitor, ...opinion }: SummaryFeedback,
): Promise<void> {
  const key = summaryId?.toLowerCase() ?? deps.newId();
  const matched = summaryId !== undefined && (await deps.knowsAnswer(engine, 'summary', key));
  await mergeRated(deps, engine, { ...opinion, kind: 'summary', key, matched, extra: visitor });
}

async function mergeRated(deps: Deps, engine: Engine, feedback: Omit<Feedback, 'engineId' | 'at'>): Promise<void> {
  const at = deps.clock.now();
  if (await deps.systemStore.mergeRatedFeedback({ ...feedback, engineId: engine.id, at })) return;
  throw invalidRequest([{ path: 'rating', message: 'The member rating is required: positive or negative' }]);
}

type AnswerClick = {
  readonly conversationId: string;
  readonly exchangeId: string;
  readonly url: string;
  readonly visitor: VisitorValues;
};

/** Whether an answer of the engine cites the page. */
export type CitesPage = (engine: Engine, exchangeId: string, url: string) => Promise<boolean>;

/** Records a click on a source of an answer, unmatched when no such answer cites the page. Contract: 4.4. */
export async function logAnswerClick(
  deps: {
    readonly systemStore: Pick<TrackingStore, 'addAnswerClick'>;
    readonly clock: Clock;
    readonly citesPage: CitesPage;
  },
  engine: Engine,
  { conversationId, exchangeId: sentId, url, visitor }: AnswerClick,
): Promise<void> {
  const exchangeId = sentId.toLowerCase();
  await deps.systemStore.addAnswerClick({
    engineId: engine.id,
    conversationId: conversationId.toLowerCase(),
    exchangeId,
    url,
    at: deps.clock.now(),
    matched: await deps.citesPage(engine, exchangeId, url),
    extra: visitor,
  });
}

/** What a visitor says; at least one of rating, reason and comment is there. */
export type Opinion = {
  readonly rating: Rating | undefined;
  readonly reason: string | undefined;
  readonly comment: string | undefined;
  readonly language: string | undefined;
  readonly visitor: VisitorValues;
};

/** What the page tells about the visitor, by name. */
export type VisitorValues = Readonly<Record<string, string>>;
