import type { EngineSettings } from '../core/records.ts';
import type { EmbeddingModel } from '../llm/embedding-model.ts';
import type { LanguageModel, ModelEvent } from '../llm/language-model.ts';
import { modelFaultOf } from '../llm/model-fault.ts';
import type { AnswerSegment, Citation, RefusalReason } from './answer-event.ts';
import type { AnswerReport } from './answer-report.ts';
import { type Answerability, MODEL_THRESHOLD } from './answerability.ts';
import { type GuardedSegment, guardAnswer } from './citation-guard.ts';
import type { DropReason } from './claim-support.ts';
import { type Composer, type Composition, NO_ANSWER } from './composer.ts';
import { deepLink } from './deep-link.ts';
import type { AnswerGenerator, Delivery, GenerationEnd } from './deliver-answer.ts';
import { extractiveComposer } from './extractive-composer.ts';
import { wantsAddresses } from './foreign-addresses.ts';
import { buildPrompt } from './prompt.ts';
import type { AnalysedQuestion } from './question-types.ts';
import type { Ranking } from './ranking.ts';
import { SOURCE_BUDGETS, type Source, type SourceBudget } from './sources.ts';
import type { Nearness } from './support/meaning-check.ts';

export type GeneratorDeps = {
  /** Undefined = passages alone answer. */
  readonly languageModels: LanguageModels | undefined;
  /** 96 random bits as hex. */
  readonly newNonce: () => string;
  /** Undefined = words alone decide what sentences in other languages support. */
  readonly hasSameMeaning?: HasSameMeaning | undefined;
  /** Tells for one answer how near texts are; undefined = words alone decide what sentences in other words say. */
  readonly openNearness?: ((signal: AbortSignal) => Nearness) | undefined;
};

export type GeneratorInput = {
  readonly settings: EngineSettings;
  /** Of the engine; undefined = passages alone answer. */
  readonly model: LanguageModel | undefined;
  readonly composition: Omit<Composition, 'sources'>;
  readonly grounding: { readonly ranking: Ranking; readonly answerability: Answerability };
  readonly sourcesWithin: (budget: SourceBudget) => readonly Source[];
  /** The caller has an API key. */
  readonly hasKey: boolean;
  readonly report: Pick<AnswerReport, 'addDropped' | 'survived'>;
  readonly signal: AbortSignal;
};

/** Who may write an answer: passages as they are, and the model where there is one and enough for it to read. */
export function answerGeneratorsOf(deps: GeneratorDeps, input: GeneratorInput): Pick<Delivery, 'extractive' | 'model'> {
  const { answerability, ranking } = input.grounding;
  const extractive =
    answerability.refusal === undefined
      ? generatorFrom(input, 'extractive', {
          compose: extractiveComposer(ranking),
          emptyBecause: () => 'no-sentence',
          hasSameMeaning: undefined,
          nearness: undefined,
          isAskedAgain: false,
        })
      : refusingGenerator(answerability.refusal);
  const { model } = input;
  const isAsked = model !== undefined && answerability.probability >= MODEL_THRESHOLD;
  return { extractive, model: isAsked ? modelGenerator(deps, input, model) : undefined };
}

function modelGenerator(
  { languageModels, newNonce, hasSameMeaning, openNearness }: GeneratorDeps,
  input: GeneratorInput,
  model: LanguageModel,
): AnswerGenerator {
  const { settings, hasKey, composition } = input;
  const isTrusted = hasKey && settings.trustedCustomPrompt;
  const wishes = isTrusted ? composition.customPrompt : undefined;
  let isFiltered = false;
  const compose = createModelComposer({
    model,
    temperature: languageModels?.temperature ?? 0,
    marksData: languageModels?.marksData ?? false,
    instructions: [settings.aiInstructions, wishes].filter((text) => text !== undefined).join('\n\n'),
    newNonce,
    onEnd: ({ finish }) => {
      isFiltered = finish === 'filtered';
    },
  });
  const customPrompt = isTrusted ? undefined : composition.customPrompt;
  const untrusted = { ...input, composition: { ...composition, customPrompt } };
  const emptyBecause = () => (isFiltered ? 'filtered' : 'model-refused');
  const nearness = openNearness?.(input.signal);
  return generatorFrom(untrusted, 'model', { compose, emptyBecause, hasSameMeaning, nearness, isAskedAgain: true });
}

type GeneratorParts = {
  readonly compose: Composer;
  readonly emptyBecause: () => RefusalReason;
  readonly hasSameMeaning: HasSameMeaning | undefined;
  readonly nearness: Nearness | undefined;
  /** Once more, with what was rejected, when the opening of its answer is. */
  readonly isAskedAgain: boolean;
};

function generatorFrom(
  input: GeneratorInput,
  name: keyof typeof SOURCE_BUDGETS,
  author: GeneratorParts,
): AnswerGenerator {
  const { settings, composition, report, signal } = input;
  const [first, ...more] = input.sourcesWithin(SOURCE_BUDGETS[name][composition.length]);
  if (first === undefined) return refusingGenerator('no-passages');
  const generation: GenerationInput = {
    ...author,
    composition: { ...composition, sources: [first, ...more] },
    searchedFor: searchedFor(input.grounding.ranking),
    asked: input.grounding.ranking.question,
    // Clients find the source of a summary's link by its address. Contract: 5.2.
    hasFragments: settings.citationFragments && composition.purpose !== 'summary',
    onDropped: report.addDropped,
    onSurvived: report.survived,
    signal,
  };
  return () => writeAnswer(generation);
}

function refusingGenerator(refusal: RefusalReason): AnswerGenerator {
  return () => refuse(refusal);
}

async function* refuse(refusal: RefusalReason): AsyncGenerator<AnswerSegment, GenerationEnd> {
  yield* [];
  return { refusal, isDegraded: false };
}

/** Whether a sentence says what another one says, in whatever language. True when nobody can tell. */
type HasSameMeaning = (said: string, sentence: string, signal: AbortSignal) => Promise<boolean>;

/**
 * By the cosine of their vectors; one call for each pair. While the model is away words decide alone, as they do without
 * one.
 */
export function compareMeaning(model: EmbeddingModel, leastCosine: number): HasSameMeaning {
  return async (said, sentence, signal) => {
    // What the fault was is told by the policy of the model.
    const [a, b] = await model.embed([said, sentence], 'query', signal).catch((): Float32Array[] => []);
    return a === undefined || b === undefined || cosine(a, b) >= leastCosine;
  };
}

/** Of vectors of length 1. */
function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, position) => sum + value * (b[position] ?? 0), 0);
}

export type GenerationInput = {
  readonly compose: Composer;
  readonly composition: Composition;
  /** What was searched for: what is said must bear on it. */
  readonly searchedFor: string;
  /** Decides which codes and addresses are told. */
  readonly asked: Pick<AnalysedQuestion, 'type' | 'asksFor' | 'intent'>;
  /** Whether links lead to the passage in its page. */
  readonly hasFragments: boolean;
  /** Undefined = words alone decide what sentences in other languages support. */
  readonly hasSameMeaning: HasSameMeaning | undefined;
  /** Undefined = words alone decide what sentences in other words say. */
  readonly nearness: Nearness | undefined;
  /** Why the composer wrote nothing that claims anything. */
  readonly emptyBecause: () => RefusalReason;
  readonly onDropped: (byCheck: Readonly<Record<string, number>>) => void;
  /** Told a fault of the model that asked again did not answer. */
  readonly onSurvived: (error: unknown) => void;
  /** Whether the composer is asked once more when the opening of its answer is rejected. */
  readonly isAskedAgain: boolean;
  readonly signal: AbortSignal;
};

type Support = GuardedSegment['supports'][number];
type NumberOf = (support: Support) => number;

/** Fewer verified claims than this are another answer than the one that was written (answers design 8.3). */
const LEAST_KEPT = 0.5;

const NOT_SUPPORTED: GenerationEnd = { refusal: 'no-valid-citation', isDegraded: false };

/** How an attempt ended, or what was rejected at its beginning: then nothing of it was sent. */
type AttemptEnd = GenerationEnd | { readonly rejected: readonly string[] };

/**
 * What a composer says about its sources, each segment verified before it comes. An answer whose opening is rejected has
 * lost what the rest goes on with: where the composer may be asked again, it is, once and before anything is sent. After
 * that there is no answer of it.
 */
async function* writeAnswer(input: GenerationInput): AsyncGenerator<AnswerSegment, GenerationEnd> {
  const end = yield* attempt(input);
  if (!('rejected' in end)) return end;
  return yield* attemptAgain({ ...input, composition: { ...input.composition, rejected: end.rejected } });
}

async function* attemptAgain(input: GenerationInput): AsyncGenerator<AnswerSegment, GenerationEnd> {
  const second = attempt(input);
  let hasBegun = false;
  try {
    let next = await second.next();
    for (; !next.done; next = await second.next()) {
      hasBegun = true;
      yield next.value;
    }
    return 'rejected' in next.value ? NOT_SUPPORTED : next.value;
  } catch (error) {
    if (hasBegun || modelFaultOf(error) === undefined) throw error;
    input.onSurvived(error);
    return NOT_SUPPORTED;
  } finally {
    await second.return(NOT_SUPPORTED);
  }
}

async function* attempt(input: GenerationInput): AsyncGenerator<AnswerSegment, AttemptEnd> {
  const { composition, hasFragments, isAskedAgain } = input;
  const numberOf = composition.purpose === 'summary' ? ({ reference }: Support) => reference : numberByPage();
  const rejected: { readonly claim: string; readonly reason: DropReason }[] = [];
  const segments = guarded(input, (claim, reason) => rejected.push({ claim, reason }));
  try {
    let next = await segments.next();
    if (isAskedAgain && rejected.length > 0) {
      for (const { reason } of rejected) input.onDropped({ [reason]: 1 });
      return { rejected: rejected.map(({ claim }) => claim) };
    }
    for (; !next.done; next = await segments.next()) {
      const { text, supports } = next.value;
      yield { text, citations: citationsOf(supports, { numberOf, hasFragments }) } satisfies AnswerSegment;
    }
    const { claims, kept, dropped } = next.value;
    input.onDropped(dropped);
    if (kept > 0) return { refusal: undefined, isDegraded: kept < LEAST_KEPT * claims };
    return claims > 0 ? NOT_SUPPORTED : { refusal: input.emptyBecause(), isDegraded: false };
  } finally {
    await segments.return(undefined as never);
  }
}

function guarded(input: GenerationInput, onRejected: (claim: string, reason: DropReason) => void) {
  const { compose, composition, searchedFor: question, asked, hasSameMeaning, nearness, signal } = input;
  const { purpose, sources, language } = composition;
  return guardAnswer(compose(composition, signal), {
    sources,
    question,
    language,
    numbering: purpose === 'summary' ? 'as-given' : 'first-use',
    hasAddresses: wantsAddresses(asked, purpose),
    asked,
    compareForeign: hasSameMeaning && ((segment, sentence) => hasSameMeaning(segment, sentence, signal)),
    nearness,
    onRejected,
  });
}

/** Pages by their first appearance, from 1. */
function numberByPage(): NumberOf {
  const numbers = new Map<string, number>();
  return ({ passage: { crawlerId, documentId } }) => {
    const page = JSON.stringify([crawlerId, documentId]);
    const number = numbers.get(page) ?? numbers.size + 1;
    numbers.set(page, number);
    return number;
  };
}

type Citing = { readonly numberOf: NumberOf; readonly hasFragments: boolean };

/** One per page: several passages of it have one number. */
function citationsOf(supports: readonly Support[], { numberOf, hasFragments }: Citing): readonly Citation[] {
  const byNumber = new Map<number, Citation>();
  for (const support of supports) {
    const { passage, snippet } = support;
    const reference = numberOf(support);
    if (byNumber.has(reference)) continue;
    const { url, title, crawlerId, documentId, ordinal, hash } = passage;
    const link = hasFragments ? deepLink(passage, firstSentenceOf(support)) : url;
    byNumber.set(reference, {
      reference,
      url: link,
      pageTitle: title,
      snippet,
      crawlerId,
      documentId,
      ordinal,
      hash,
    });
  }
  return [...byNumber.values()];
}

/** Of the snippet, as the page has it. */
function firstSentenceOf({ passage, snippet }: Support): string {
  return passage.sentences.find(({ text, kind }) => kind !== 'code' && snippet.includes(text))?.text ?? '';
}

/** The models of the installation. */
export type LanguageModels = {
  /** On the account of the engine. */
  forEngine(engineId: number): { readonly answer: LanguageModel; readonly rewrite: LanguageModel };
  /** Of answers. */
  readonly temperature: number;
  /** Whether the words of sources are marked in prompts. */
  readonly marksData: boolean;
};

export type ModelEnd = Omit<Extract<ModelEvent, { type: 'end' }>, 'type'>;

export type ModelComposerDeps = {
  readonly model: LanguageModel;
  readonly temperature: number;
  /** Of the operator for the engine, trusted; `''` = none. */
  readonly instructions: string;
  /** Whether words of sources are marked as data. */
  readonly marksData: boolean;
  /** 96 random bits as hex. */
  readonly newNonce: () => string;
  /** Told before the last text when the model ended; not when it failed. */
  readonly onEnd: (end: ModelEnd) => void;
};

/**
 * A composer that asks a model. An answer that the model did not end itself takes back its last segment, which may be half
 * a sentence. A prompt that is too long is sent once more with half the passages.
 *
 * @throws AppError `llm.unavailable`
 */
export function createModelComposer(deps: ModelComposerDeps): Composer {
  return (composition, signal) => compose(deps, composition, signal);
}

async function* compose(
  deps: ModelComposerDeps,
  composition: Composition,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  try {
    yield* write(deps, composition, signal);
  } catch (error) {
    const half = withHalfThePassages(composition);
    if (modelFaultOf(error)?.reason !== 'context-too-long' || half === undefined) throw error;
    yield* write(deps, half, signal);
  }
}

async function* write(
  deps: ModelComposerDeps,
  composition: Composition,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { model, temperature, instructions, marksData } = deps;
  const options = { instructions, marksData, nonce: deps.newNonce(), contextTokens: model.contextTokens };
  const prompt = buildPrompt(composition, options);
  let hasText = false;
  for await (const event of model.stream({ ...prompt, purpose: composition.purpose, temperature }, signal)) {
    if (event.type === 'text') {
      hasText = true;
      yield event.text;
      continue;
    }
    deps.onEnd({ finish: event.finish, usage: event.usage });
    const isBrokenOff = event.finish === 'length' || event.finish === 'filtered';
    if (isBrokenOff && hasText) yield ` ${NO_ANSWER}`;
  }
}

/** The better half, at least one; undefined when there is but one. */
function withHalfThePassages(composition: Composition): Composition | undefined {
  const passages = composition.sources.flatMap((source) => source.passages);
  if (passages.length < 2) return undefined;
  const kept = new Set(passages.slice(0, Math.floor(passages.length / 2)));
  const [first, ...more] = composition.sources.flatMap((source): Source[] => {
    const [one, ...others] = source.passages.filter((passage) => kept.has(passage));
    return one === undefined ? [] : [{ ...source, passages: [one, ...others] }];
  });
  return first === undefined ? undefined : { ...composition, sources: [first, ...more] };
}

/** The question and the words that were searched for in place of its own: whatever answers it has one of them. */
export function searchedFor({ question, terms }: Pick<Ranking, 'question' | 'terms'>): string {
  const others = terms.flatMap(({ alternatives }) => alternatives.filter(({ words }) => words.length === 1));
  return [question.text, ...others.flatMap(({ words }) => words)].join(' ');
}
