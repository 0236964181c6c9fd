import type { EngineSettings } from '../core/records.ts';
import type { LanguageModel } from '../llm/language-model.ts';
import type { RefusalReason } from './answer-event.ts';
import type { AnswerReport } from './answer-report.ts';
import { type Answerability, MODEL_THRESHOLD } from './answerability.ts';
import type { HasSameMeaning } from './compare-meaning.ts';
import type { Composer, Composition } from './composer.ts';
import type { AnswerGenerator, Delivery, GenerationEnd } from './deliver-answer.ts';
import { extractiveComposer } from './extractive-composer.ts';
import { answerGenerator } from './generate-answer.ts';
import type { LanguageModels } from './language-models.ts';
import { createModelComposer } from './model-composer.ts';
import type { Ranking } from './ranking.ts';
import { searchedFor } from './searched-for.ts';
import type { Source } from './source.ts';
import { SOURCE_BUDGETS, type SourceBudget } from './sources.ts';

export type GeneratorDeps = {
  /** Undefined = passages alone answer. */
  readonly languageModels: LanguageModels | undefined;
  /** 96 random bits as hex. */
  readonly newNonce: () => string;
  /** Undefined = words alone decide what sentences in other languages support. */
  readonly hasSameMeaning?: HasSameMeaning | undefined;
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
  readonly report: Pick<AnswerReport, 'addDropped'>;
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
        })
      : refusingGenerator(answerability.refusal);
  const { model } = input;
  const isAsked = model !== undefined && answerability.probability >= MODEL_THRESHOLD;
  return { extractive, model: isAsked ? modelGenerator(deps, input, model) : undefined };
}

function modelGenerator(
  { languageModels, newNonce, hasSameMeaning }: GeneratorDeps,
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
  return generatorFrom(untrusted, 'model', { compose, emptyBecause, hasSameMeaning });
}

type GeneratorParts = {
  readonly compose: Composer;
  readonly emptyBecause: () => RefusalReason;
  readonly hasSameMeaning: HasSameMeaning | undefined;
};

function generatorFrom(
  input: GeneratorInput,
  name: keyof typeof SOURCE_BUDGETS,
  author: GeneratorParts,
): AnswerGenerator {
  const { settings, composition, report, signal } = input;
  const [first, ...more] = input.sourcesWithin(SOURCE_BUDGETS[name][composition.length]);
  if (first === undefined) return refusingGenerator('no-passages');
  return answerGenerator({
    ...author,
    composition: { ...composition, sources: [first, ...more] },
    searchedFor: searchedFor(input.grounding.ranking),
    // Clients find the source of a summary's link by its address. Contract: 5.2.
    hasFragments: settings.citationFragments && composition.purpose !== 'summary',
    onDropped: report.addDropped,
    signal,
  });
}

function refusingGenerator(refusal: RefusalReason): AnswerGenerator {
  const end: GenerationEnd = { refusal, isDegraded: false };
  return async function* refuse() {
    yield* [];
    return end;
  };
}
