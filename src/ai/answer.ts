import { invalidRequest } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import { yieldInBackground } from '../core/yield.ts';
import type { Passage, RetrievalInput } from '../search/passage.ts';
import { everyEntry, type FilterEntry } from '../search/query/filter-grammar.ts';
import { disabledProblems } from '../search/query/plan-query.ts';
import type { ConversationKey, ConversationStore, Exchange } from '../storage/system/conversations.ts';
import { wordsOf } from '../text/analyzer.ts';
import { guessLanguage, languageCode } from '../text/language.ts';
import { isStopWord, stopWordLanguage } from '../text/stop-words.ts';
import type { AnswerCache, AnswerKey, CachedAnswer } from './answer-cache.ts';
import type { AnswerEvent, AnswerSegment } from './answer-event.ts';
import { answerGeneratorsOf, type GeneratorDeps } from './answer-generators.ts';
import { type AnswerReport, openReport, type ReportDeps, withUsageCounter } from './answer-report.ts';
import type { AnswerLength } from './composer.ts';
import {
  type ConversationDeps,
  type ConversationLock,
  lockConversation,
  lockNewConversation,
  withoutStore,
} from './conversation.ts';
import { type DeliveryForm, deliverAnswer, type FallbackSettings } from './deliver-answer.ts';
import { findGrounding, type Grounding, type GroundingDeps } from './find-grounding.ts';
import { fixedSentences } from './messages.ts';
import { selectSources } from './sources.ts';

export type AnswerDeps = ReportedDeps &
  GroundingDeps &
  GeneratorDeps &
  CachedAnswerDeps &
  ReportDeps & { readonly fallbacks: FallbackSettings };

export type AnswerInput = {
  readonly engine: Engine;
  readonly question: string;
  /** UUIDs in lower case. */
  readonly conversationId: string;
  /** The id was made for this question: nothing was said before. */
  readonly isConversationNew: boolean;
  readonly exchangeId: string;
  /** That the answer is asked for in; undefined = that of the question. */
  readonly language: string | undefined;
  readonly length: AnswerLength;
  readonly customPrompt: string | undefined;
  /** The caller has an API key. */
  readonly hasKey: boolean;
  readonly filters: readonly FilterEntry[];
  readonly boosts: RetrievalInput['boosts'];
  readonly sourceFields: readonly string[];
  readonly visitor: Readonly<Record<string, string>>;
  /** `stream`: segments come as soon as they are verified. */
  readonly form: DeliveryForm;
  readonly signal: AbortSignal;
};

/**
 * Answers a question from the documents of the engine that pass the filters, and from nothing else. The exchange is
 * stored before the last event, so that a follow-up finds it. Contract: 4.
 *
 * @throws AppError before the first event: `request.invalid` for a field that is not enabled, `rate.exceeded`,
 *   `llm.unavailable` (whole) or `stream.unavailable` (stream)
 */
export async function* answerQuestion(deps: AnswerDeps, input: AnswerInput): AsyncGenerator<AnswerEvent, void> {
  checkFields(input);
  const { engine, exchangeId, question, visitor } = input;
  const conversation = { customerId: engine.customerId, engineId: engine.id, id: input.conversationId };
  const report = openReport(deps, { kind: 'answer', conversation, exchangeId, question, visitor });
  yield* reported(deps, report, () => answerWithLock(deps, input, { conversation, report }));
}

type Called = { readonly conversation: ConversationKey; readonly report: AnswerReport };

/**
 * The answer when it is its turn in its conversation. Generator functions that answers run are no closures: what V8 makes
 * for each such function keeps all that it has seen until old objects are collected, and a heap full of answers is
 * collected often.
 */
async function* answerWithLock(deps: AnswerDeps, input: AnswerInput, { conversation, report }: Called) {
  const { exchangeId, form, isConversationNew: isNew, signal } = input;
  // The caller of a whole answer hears the id with it: nobody can go on before.
  const isAlone = isNew && form === 'whole';
  await using lock = isAlone
    ? lockNewConversation(deps)
    : await lockConversation(deps, conversation, { exchangeId, isNew, signal });
  // One commit may have given turns to many.
  await yieldInBackground();
  yield* recorded(eventsOf(deps, input, { lock, report }), report, lock.record);
}

type Answering = { readonly lock: ConversationLock; readonly report: AnswerReport };

async function* eventsOf(deps: AnswerDeps, input: AnswerInput, { lock, report }: Answering) {
  const { engine, question, length, customPrompt, hasKey, boosts, sourceFields, signal } = input;
  const { history } = lock;
  const writtenIn = questionLanguage(question, engine.language);
  const asked = { question, requested: input.language, engineLanguage: engine.language };
  const language = input.language === undefined ? writtenIn : answerLanguage(asked);
  report.note({ language });
  const models = deps.languageModels?.forEngine(engine.id);
  const rewriter = models && withUsageCounter(models.rewrite, report.addUsage);
  const grounding = await findGrounding(deps, {
    engine,
    question,
    boosts,
    sourceFields,
    history,
    rewriter,
    signal,
    language: writtenIn,
    answerLanguage: input.language === undefined ? undefined : language,
    filter: everyEntry(input.filters),
  });
  report.retrieved();
  report.note({ rewritten: grounding.rewritten, probability: grounding.answerability.probability });
  const passages = grounding.ranking.passages.map(({ passage }) => passage);
  const prompted: Passage[] = [];
  const earlier = grounding.isDependent ? history : [];
  const generators = answerGeneratorsOf(deps, {
    settings: engine.settings,
    grounding,
    hasKey,
    report,
    signal,
    model: models && withUsageCounter(models.answer, report.addUsage),
    composition: { purpose: 'answer', question, language, length, customPrompt, history: earlier },
    sourcesWithin: (budget) => {
      const sources = selectSources(passages, budget);
      prompted.push(...sources.flatMap((source) => source.passages));
      return sources;
    },
  });
  const spoken = input.language ?? language;
  const messages = fixedSentences([spoken, language, engine.language]);
  yield* cachedAnswer(deps, {
    asked:
      grounding.rewritten === undefined
        ? answerKeyOf(input, grounding, { language: spoken, model: models?.answer.id })
        : undefined,
    passages,
    passesGate: grounding.answerability.refusal === undefined,
    prompted: () => prompted,
    answer: () =>
      deliverAnswer(deps, { ...generators, messages, form: input.form, onSurvived: report.survived, signal }),
  });
}

function answerKeyOf(
  input: AnswerInput,
  { ranking }: Grounding,
  by: { readonly language: string; readonly model: string | undefined },
): AnswerKey {
  const { engine, length, boosts, sourceFields, customPrompt, hasKey } = input;
  return {
    engineId: engine.id,
    settings: engine.settings,
    question: ranking.question,
    terms: ranking.terms,
    length,
    boosts,
    sourceFields,
    customPrompt,
    hasKey,
    filter: everyEntry(input.filters),
    ...by,
  };
}

function checkFields({ engine, filters, boosts }: AnswerInput): void {
  const problems = disabledProblems(
    [
      ...filters.map(({ field }) => ({ member: 'filters', field })),
      ...boosts.map(({ field }) => ({ member: 'valueBoost', field })),
    ],
    engine,
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

export type AnswerLanguageInput = {
  readonly question: string;
  /** As the request says it; a tag that names no language counts as none. */
  readonly requested?: string | undefined;
  readonly engineLanguage: string;
};

/** Letters from which on a question without telling words may be of another language than the engine's. */
const MIN_LETTERS = 20;
const MIN_CONFIDENCE = 0.9;

/** Scripts of one language; the first that occurs decides. Han alone may be Japanese on an engine of that language. */
const SCRIPTS: readonly (readonly [RegExp, string, ...string[]])[] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, 'ja'],
  [/\p{sc=Hangul}/u, 'ko'],
  [/\p{sc=Han}/u, 'zh', 'ja'],
  [/\p{sc=Thai}/u, 'th'],
  [/\p{sc=Greek}/u, 'el'],
  [/\p{sc=Hebrew}/u, 'he', 'yi'],
  [/\p{sc=Armenian}/u, 'hy'],
  [/\p{sc=Georgian}/u, 'ka'],
  [/\p{sc=Tamil}/u, 'ta'],
  [/\p{sc=Lao}/u, 'lo'],
  [/\p{sc=Khmer}/u, 'km'],
];

/** The language that an answer is given in: that of the request, else of the question. Contract: 4.1. */
export function answerLanguage({ question, requested, engineLanguage }: AnswerLanguageInput): string {
  const wantedLanguage = requested === undefined ? undefined : languageCode(requested);
  return wantedLanguage ?? questionLanguage(question, engineLanguage);
}

/**
 * The language that a question is written in: by its script, by its stop words, by its letters when there are 20 of
 * them; else the engine's. Questions are too short for letters alone.
 */
export function questionLanguage(question: string, engineLanguage: string): string {
  const script = SCRIPTS.find(([pattern]) => pattern.test(question));
  if (script !== undefined) {
    const [, usual, ...others] = script;
    return others.includes(engineLanguage) ? engineLanguage : usual;
  }
  const words = wordsOf(question);
  const byWords = languageOf(stopWordLanguage(words, engineLanguage));
  if (byWords !== engineLanguage || words.some((word) => isStopWord(word, engineLanguage))) return byWords;
  if (question.replace(/\P{L}/gu, '').length < MIN_LETTERS) return engineLanguage;
  const guess = guessLanguage(question);
  if (guess === undefined || guess.confidence < MIN_CONFIDENCE || guess.close.includes(engineLanguage))
    return engineLanguage;
  return guess.code;
}

function languageOf(listed: string): string {
  return languageCode(listed) ?? listed;
}

/** Passages that stand for what a question without an answer found. */
const REFUSED_PASSAGES = 8;

type CachedAnswerDeps = {
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
async function* cachedAnswer(deps: CachedAnswerDeps, input: CachedAnswerInput): AsyncGenerator<AnswerEvent, void> {
  const { asked: answerKey, passages, passesGate } = input;
  if (answerKey === undefined) return yield* input.answer();
  const cached = deps.answerCache.find(answerKey, { passages, passesGate });
  deps.metrics.answers.cache.inc({ result: cached === undefined ? 'miss' : 'hit' });
  if (cached !== undefined) return yield* replayedEvents(cached);
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

function* replayedEvents({ segments, outcome }: CachedAnswer): Generator<AnswerEvent, void> {
  yield { type: 'start', composer: 'cache', isFallback: false };
  for (const { text, citations } of segments) yield { type: 'segment', text, citations };
  yield { type: 'end', outcome };
}

/**
 * The events of an answer, its exchange stored before the last of them, so that a follow-up finds it; one that breaks
 * off or is left behind its first event is stored as incomplete.
 */
export async function* recorded(
  events: AsyncIterable<AnswerEvent>,
  report: AnswerReport,
  store: (exchange: Exchange) => Promise<void>,
): AsyncGenerator<AnswerEvent, void> {
  let isStored = false;
  try {
    for await (const event of events) {
      report.see(event);
      if (event.type === 'end') {
        isStored = true;
        await store(report.exchange());
      }
      yield event;
    }
  } finally {
    if (report.hasBegun() && !isStored) await store(report.exchange());
  }
}

export type ReportedDeps = ConversationDeps & { readonly systemStore: Pick<ConversationStore, 'addTokens'> };

/** The same events, counted and logged behind their end, with tokens that no exchange accounts for. */
export async function* reported(
  deps: ReportedDeps,
  report: AnswerReport,
  answer: () => AsyncIterable<AnswerEvent>,
): AsyncGenerator<AnswerEvent, void> {
  try {
    yield* answer();
  } catch (error) {
    report.failed(error);
    throw error;
  } finally {
    const { input, output } = report.usage();
    if (!report.hasBegun() && input + output > 0) await addTokens(deps, report);
    report.close();
  }
}

async function addTokens(deps: ReportedDeps, report: AnswerReport): Promise<void> {
  const { conversation, at, tokens } = report.exchange();
  await withoutStore(deps, 'write', undefined, () =>
    deps.systemStore.addTokens({ engineId: conversation.engineId, at, tokens }),
  );
}
