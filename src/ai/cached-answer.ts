import type { Passage } from '../search/passage.ts';
import type { AnswerCache, AnswerKey, CachedAnswer } from './answer-cache.ts';
import type { AnswerEvent, AnswerSegment } from './answer-event.ts';

/** Passages that stand for what a question without an answer found. */
const REFUSED_PASSAGES = 8;

export type CachedAnswerDeps = {
  readonly answerCache: AnswerCache;
  readonly metrics: { readonly answers: { readonly cache: { inc(labels: { result: 'hit' | 'miss' }): void } } };
};

export type CachedAnswerInput = {
  /** Undefined = the question needs what was said before: its answer is neither given again nor kept. */
  readonly asked: AnswerKey | undefined;
  /** What is found now, best first. */
  readonly passages: readonly Passage[];
  readonly passesGate: boolean;
  /** Those that the composers had. */
  readonly prompted: () => readonly Passage[];
  readonly answer: () => AsyncIterable<AnswerEvent>;
};

/** The kept answer to a question while it still holds, else the one that is made, which is then kept. */
export async function* cachedAnswer(
  deps: CachedAnswerDeps,
  input: CachedAnswerInput,
): AsyncGenerator<AnswerEvent, void> {
  const { asked: answerKey, passages, passesGate } = input;
  if (answerKey === undefined) return yield* input.answer();
  const cached = deps.answerCache.find(answerKey, { passages, passesGate });
  deps.metrics.answers.cache.inc({ result: cached === undefined ? 'miss' : 'hit' });
  if (cached !== undefined) return yield* eventsOf(cached);
  const segments: AnswerSegment[] = [];
  let isFallback = false;
  for await (const event of input.answer()) {
    if (event.type === 'start') isFallback = event.isFallback;
    if (event.type === 'segment') segments.push({ text: event.text, citations: event.citations });
    // What stands in for a model that fails is not what the model would say.
    if (event.type === 'end' && !isFallback) {
      const isRefused = event.outcome.refusal !== undefined;
      const prompted = isRefused ? passages.slice(0, REFUSED_PASSAGES) : input.prompted();
      deps.answerCache.keep(answerKey, { segments, outcome: event.outcome, prompted, passedGate: passesGate });
    }
    yield event;
  }
}

function* eventsOf({ segments, outcome }: CachedAnswer): Generator<AnswerEvent, void> {
  yield { type: 'start', composer: 'cache', isFallback: false };
  for (const { text, citations } of segments) yield { type: 'segment', text, citations };
  yield { type: 'end', outcome };
}
