import { type BoundedCache, createBoundedCache } from '../core/bounded-cache.ts';
import type { Clock } from '../core/clock.ts';
import type { FilterNode } from '../core/filters.ts';
import type { EngineSettings } from '../core/records.ts';
import type { Passage } from '../search/passage.ts';
import type { QuestionTerm } from '../search/retrieved-passages.ts';
import type { AnalysedQuestion } from './analysed-question.ts';
import type { AnswerOutcome, AnswerSegment } from './answer-event.ts';
import type { AnswerLength } from './composer.ts';
import { questionWording } from './question-wording.ts';

/** All that decides an answer beside the content. */
export type AnswerKey = {
  readonly engineId: number;
  readonly question: AnalysedQuestion;
  readonly terms: readonly QuestionTerm[];
  /** Of the answer. */
  readonly language: string;
  readonly length: AnswerLength;
  readonly filter: FilterNode;
  readonly boosts: readonly { readonly field: string; readonly values: readonly string[]; readonly factor: number }[];
  readonly sourceFields: readonly string[];
  readonly customPrompt: string | undefined;
  /** The caller has an API key: what it wishes may be trusted. */
  readonly hasKey: boolean;
  /** Of the engine: its thresholds, instructions and links. */
  readonly settings: Pick<
    EngineSettings,
    'aiInstructions' | 'trustedCustomPrompt' | 'citationFragments' | 'answerThreshold'
  >;
  /** Id of the model; undefined = extractive. */
  readonly model: string | undefined;
};

/** What the index holds on a question at the moment. */
export type PresentPassages = {
  /** Best first. */
  readonly passages: readonly Passage[];
  readonly passesGate: boolean;
};

export type CacheableAnswer = {
  readonly segments: readonly AnswerSegment[];
  readonly outcome: AnswerOutcome;
  /** Those that the composer had. */
  readonly prompted: readonly Passage[];
  readonly passedGate: boolean;
};

export type CachedAnswer = Pick<CacheableAnswer, 'segments' | 'outcome'>;

/**
 * Answers of this process. A kept answer is given again only while every passage that it cites is among those found now,
 * unchanged, while the best passage of now is one that it was made of, and while the gate says the same: so nothing
 * comes from a page that no longer says it, and a page that says it better is seen at once.
 */
export type AnswerCache = {
  find(answerKey: AnswerKey, present: PresentPassages): CachedAnswer | undefined;
  /** Unfinished and degraded answers are not kept; refusals for a minute. */
  keep(answerKey: AnswerKey, answer: CacheableAnswer): void;
};

type Entry = CachedAnswer & {
  readonly cited: ReadonlySet<string>;
  readonly prompted: ReadonlySet<string>;
  readonly passedGate: boolean;
  readonly until: number;
};

const REFUSAL_TTL_MS = 60_000;
/** Raised when the prompt, the gate or the guard change what is answered. */
const ANSWER_VERSION = 2;
const BYTES_PER_CHAR = 2;
const BYTES_PER_ENTRY = 600;

/** Cost of both calls: some 20 µs. No room = nothing is kept. */
export function createAnswerCache(options: {
  readonly maxBytes: number;
  readonly ttlMs: number;
  readonly clock: Clock;
}): AnswerCache {
  const { maxBytes, ttlMs, clock } = options;
  const cached: BoundedCache<Entry> = createBoundedCache(maxBytes);
  return {
    find(answerKey, present) {
      const key = keyOf(answerKey);
      const entry = cached.get(key);
      if (entry === undefined) return undefined;
      if (entry.until > clock.now() && stillHolds(entry, present)) return entry;
      cached.delete(key);
      return undefined;
    },
    keep(answerKey, { segments, outcome, prompted, passedGate }) {
      if (outcome.isIncomplete || outcome.isDegraded) return;
      const until = clock.now() + (outcome.refusal === undefined ? ttlMs : Math.min(ttlMs, REFUSAL_TTL_MS));
      const cited = new Set(segments.flatMap(({ citations }) => citations.map(identityOf)));
      const entry = { segments, outcome, cited, prompted: new Set(prompted.map(identityOf)), passedGate, until };
      const key = keyOf(answerKey);
      const chars = key.length + JSON.stringify(segments).length + 100 * (entry.cited.size + entry.prompted.size);
      cached.set(key, entry, BYTES_PER_ENTRY + BYTES_PER_CHAR * chars);
    },
  };
}

function stillHolds({ cited, prompted, passedGate }: Entry, present: PresentPassages): boolean {
  if (passedGate !== present.passesGate) return false;
  const [best] = present.passages;
  if (best === undefined || !prompted.has(identityOf(best))) return best === undefined && prompted.size === 0;
  const found = new Set(present.passages.map(identityOf));
  return cited.isSubsetOf(found);
}

/** The hash covers text and headings: a passage that says something else is another one. */
function identityOf({
  crawlerId,
  documentId,
  ordinal,
  hash,
}: Pick<Passage, 'crawlerId' | 'documentId' | 'ordinal' | 'hash'>) {
  return JSON.stringify([crawlerId, documentId, ordinal, hash]);
}

/** The same for questions that ask the same in other words. */
function keyOf({ question, terms, settings, ...rest }: AnswerKey): string {
  const { aiInstructions, trustedCustomPrompt, citationFragments, answerThreshold } = settings;
  const said = [aiInstructions, trustedCustomPrompt, citationFragments, answerThreshold];
  return JSON.stringify([ANSWER_VERSION, questionWording(question, terms), question.language, said, rest]);
}
