import type { Clock } from '../core/clock.ts';
import type { Engine } from '../core/records.ts';
import type { TrackingStore } from '../storage/tracking-store.ts';
import type { VisitorValues } from './opinion.ts';

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
