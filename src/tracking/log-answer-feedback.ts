import type { Clock } from '../core/clock.ts';
import { invalidRequest } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import type { Feedback, TrackingStore } from '../storage/tracking-store.ts';
import type { Opinion } from './opinion.ts';

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
