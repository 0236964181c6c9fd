import { createHash } from 'node:crypto';
import type { Engine } from '../core/records.ts';
import type { LanguageModel, TokenUsage } from '../llm/language-model.ts';
import { modelFaultOf } from '../llm/model-fault.ts';
import type { Passage } from '../search/passage.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { ConversationStore, ExchangeKind } from '../storage/system/conversations.ts';
import type { GoldenComposer, GoldenPage } from '../storage/system/golden-questions.ts';
import { answerLanguage, questionLanguage } from './answer.ts';
import { type AnswerSegment, printAnswer, printPlain } from './answer-event.ts';
import { answerGeneratorsOf, type GeneratorDeps } from './answer-generators.ts';
import { withUsageCounter } from './answer-report.ts';
import type { DryRunQuestion, NearestPage } from './content-gaps.ts';
import type { AnswerGenerator } from './deliver-answer.ts';
import { findGrounding, type Grounding, type GroundingDeps } from './find-grounding.ts';
import { PROMPT_VERSION } from './prompt.ts';
import { SOURCE_BUDGETS, selectSources } from './sources.ts';

const NEAREST_PAGES = 3;

export type QuestionDryRunDeps = Omit<DryRunDeps, 'languageModels'> & {
  readonly engineStores: Pick<EngineStores, 'of'>;
};

/** Looks for an answer made of passages, without a conversation and without a model. */
export function createQuestionDryRun(deps: QuestionDryRunDeps): DryRunQuestion {
  return async ({ engine, question, language }, signal) => {
    const [quoted] = await dryRunAnswer(
      { ...deps, languageModels: undefined },
      { engine, question, language, modelBasis: undefined, addUsage: () => undefined, signal },
    );
    if (quoted === undefined) return { nearest: [], citedChangedAt: undefined };
    const nearest = new Map<string, NearestPage>();
    for (const { url, title } of quoted.passages) {
      if (nearest.size === NEAREST_PAGES) break;
      nearest.set(url, { url, title });
    }
    return { nearest: [...nearest.values()], citedChangedAt: await latestChange(deps, engine.id, quoted) };
  };
}

/** Of the pages that the answer cites; undefined without an answer. */
async function latestChange(
  { engineStores }: QuestionDryRunDeps,
  engineId: number,
  { refusal, cited }: DryRunAnswer,
): Promise<number | undefined> {
  if (refusal !== undefined) return undefined;
  const store = await engineStores.of(engineId);
  let latest: number | undefined;
  for (const { crawlerId, documentId } of cited) {
    const document = await store.findDocument(crawlerId, documentId);
    if (document !== undefined) latest = Math.max(latest ?? 0, document.updatedAt);
  }
  return latest;
}

export type DryRunDeps = GroundingDeps & GeneratorDeps & { readonly sourceFields: readonly string[] };

export type DryRunAnswer = {
  readonly composer: GoldenComposer;
  /** Without markers. */
  readonly text: string;
  /** Undefined = something was said. */
  readonly refusal: string | undefined;
  readonly cited: readonly GoldenPage[];
  readonly basis: string;
  /** What a model reads; what is quoted is of the best of them. */
  readonly passages: readonly Passage[];
};

export type DryRunInput = {
  readonly engine: Engine;
  readonly question: string;
  /** That the question is taken for where its words do not tell. */
  readonly language: string;
  /** What the model read when it was asked before: the same is not asked again. */
  readonly modelBasis: string | undefined;
  readonly addUsage: (usage: TokenUsage) => void;
  readonly signal: AbortSignal;
};

const LENGTH = 'comprehensive';
const HASH_CHARS = 32;

/**
 * Answers the question by each composer, whole, without a conversation and without the cache. The model is left out
 * where there is none, where it would read what it read before, and where it fails: a fault is no answer.
 */
export async function dryRunAnswer(deps: DryRunDeps, input: DryRunInput): Promise<readonly DryRunAnswer[]> {
  const { engine, question, signal } = input;
  const grounding = await findGrounding(deps, {
    engine,
    question,
    signal,
    boosts: [],
    sourceFields: deps.sourceFields,
    history: [],
    rewriter: undefined,
    language: questionLanguage(question, input.language),
    answerLanguage: undefined,
    filter: { kind: 'all' },
  });
  const model = deps.languageModels?.forEngine(engine.id).answer;
  const generators = generatorsFor(deps, {
    ...input,
    grounding,
    model: model && withUsageCounter(model, input.addUsage),
  });
  const ranked = grounding.ranking.passages.map(({ passage }) => passage);
  const passages = selectSources(ranked, SOURCE_BUDGETS.model[LENGTH]).flatMap((source) => source.passages);
  const quoted = await written('extractive', generators.extractive, { basis: basisOf(passages), passages });
  if (model === undefined) return [quoted];
  const basis = basisOf(passages, [model.id, PROMPT_VERSION, engine.settings.aiInstructions]);
  if (basis === input.modelBasis) return [quoted];
  const byModel = await writtenByModel(generators.model ?? generators.extractive, { basis, passages });
  return byModel === undefined ? [quoted] : [quoted, byModel];
}

type Writing = DryRunInput & { readonly grounding: Grounding; readonly model: LanguageModel | undefined };

function generatorsFor(deps: DryRunDeps, { engine, question, grounding, model, signal }: Writing) {
  const passages = grounding.ranking.passages.map(({ passage }) => passage);
  const language = answerLanguage({ question, requested: undefined, engineLanguage: engine.language });
  return answerGeneratorsOf(deps, {
    settings: engine.settings,
    grounding,
    model,
    hasKey: false,
    signal,
    report: { addDropped: () => undefined, survived: () => undefined },
    composition: { purpose: 'answer', question, language, length: LENGTH, customPrompt: undefined, history: [] },
    sourcesWithin: (budget) => selectSources(passages, budget),
  });
}

type Read = Pick<DryRunAnswer, 'basis' | 'passages'>;

async function written(composer: GoldenComposer, generate: AnswerGenerator, read: Read): Promise<DryRunAnswer> {
  const segments: AnswerSegment[] = [];
  const writing = generate();
  let next = await writing.next();
  for (; next.done !== true; next = await writing.next()) segments.push(next.value);
  return {
    composer,
    text: printAnswer(segments, printPlain),
    refusal: next.value.refusal,
    cited: pagesOf(segments),
    ...read,
  };
}

/** Undefined when the model failed, or its tokens are spent. */
async function writtenByModel(generate: AnswerGenerator, read: Read): Promise<DryRunAnswer | undefined> {
  try {
    return await written('model', generate, read);
  } catch (error) {
    if (modelFaultOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Each page once. */
function pagesOf(segments: readonly AnswerSegment[]): readonly GoldenPage[] {
  const pages = new Map<string, GoldenPage>();
  for (const { crawlerId, documentId, url } of segments.flatMap(({ citations }) => citations)) {
    pages.set(JSON.stringify([crawlerId, documentId]), { crawlerId, documentId, url });
  }
  return [...pages.values()];
}

function basisOf(passages: readonly Passage[], read: readonly unknown[] = []): string {
  const told = passages.map(({ crawlerId, documentId, ordinal, hash }) => [crawlerId, documentId, ordinal, hash]);
  return createHash('sha256')
    .update(JSON.stringify([told, read]))
    .digest('hex')
    .slice(0, HASH_CHARS);
}

/** What feedback and clicks ask about answers that were given. */
export function knownAnswers({ systemStore }: { readonly systemStore: Pick<ConversationStore, 'findExchange'> }) {
  return {
    knowsAnswer: async ({ id }: Engine, kind: ExchangeKind, exchangeId: string) =>
      (await systemStore.findExchange(id, kind, exchangeId)) !== undefined,
    /** The place in the page aside. */
    citesPage: async ({ id }: Engine, exchangeId: string, url: string) => {
      const exchange = await systemStore.findExchange(id, 'answer', exchangeId);
      return exchange?.sources.some((source) => pageOf(source.url) === pageOf(url)) ?? false;
    },
  };
}

function pageOf(url: string): string {
  return url.replace(/#.*$/s, '');
}
