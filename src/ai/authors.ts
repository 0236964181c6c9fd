import type { EngineSettings } from '../core/records.ts';
import type { LanguageModel } from '../llm/language-model.ts';
import type { RefusalReason } from './answer-event.ts';
import type { AnswerReport } from './answer-report.ts';
import { type Answerability, MODEL_THRESHOLD } from './answerability.ts';
import type { SaysTheSame } from './compare-meaning.ts';
import type { Composer, Composition } from './composer.ts';
import type { Delivery, Draft, DraftEnd } from './deliver-answer.ts';
import { draftOf } from './draft-answer.ts';
import { extractiveComposer } from './extractive-composer.ts';
import type { LanguageModels } from './language-models.ts';
import { createModelComposer } from './model-composer.ts';
import type { Ranking } from './ranking.ts';
import { searchedFor } from './searched-for.ts';
import type { Source } from './source.ts';
import { SOURCE_BUDGETS, type SourceBudget } from './sources.ts';

export type AuthorDeps = {
  /** Undefined = passages alone answer. */
  readonly languageModels: LanguageModels | undefined;
  /** 96 random bits as hex. */
  readonly newNonce: () => string;
  /** Undefined = words alone decide what sentences in other languages support. */
  readonly saysTheSame?: SaysTheSame | undefined;
};

export type AuthorInput = {
  readonly settings: EngineSettings;
  /** Of the engine; undefined = passages alone answer. */
  readonly model: LanguageModel | undefined;
  readonly composition: Omit<Composition, 'sources'>;
  readonly evidence: { readonly ranking: Ranking; readonly answerability: Answerability };
  readonly sourcesWithin: (budget: SourceBudget) => readonly Source[];
  /** The caller has an API key. */
  readonly hasKey: boolean;
  readonly report: Pick<AnswerReport, 'addDropped'>;
  readonly signal: AbortSignal;
};

/** Who may write an answer: passages as they are, and the model where there is one and enough for it to read. */
export function authorsOf(deps: AuthorDeps, input: AuthorInput): Pick<Delivery, 'extractive' | 'model'> {
  const { answerability, ranking } = input.evidence;
  const extractive =
    answerability.refusal === undefined
      ? draftFrom(input, 'extractive', {
          compose: extractiveComposer(ranking),
          emptyBecause: () => 'no-sentence',
          saysTheSame: undefined,
        })
      : refusedDraft(answerability.refusal);
  const { model } = input;
  const isAsked = model !== undefined && answerability.probability >= MODEL_THRESHOLD;
  return { extractive, model: isAsked ? modelDraft(deps, input, model) : undefined };
}

function modelDraft(
  { languageModels, newNonce, saysTheSame }: AuthorDeps,
  input: AuthorInput,
  model: LanguageModel,
): Draft {
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
  return draftFrom(untrusted, 'model', { compose, emptyBecause, saysTheSame });
}

type Author = {
  readonly compose: Composer;
  readonly emptyBecause: () => RefusalReason;
  readonly saysTheSame: SaysTheSame | undefined;
};

function draftFrom(input: AuthorInput, name: keyof typeof SOURCE_BUDGETS, author: Author): Draft {
  const { settings, composition, report, signal } = input;
  const [first, ...more] = input.sourcesWithin(SOURCE_BUDGETS[name][composition.length]);
  if (first === undefined) return refusedDraft('no-passages');
  return draftOf({
    ...author,
    composition: { ...composition, sources: [first, ...more] },
    searchedFor: searchedFor(input.evidence.ranking),
    // Clients find the source of a summary's link by its address. Contract: 5.2.
    hasFragments: settings.citationFragments && composition.purpose !== 'summary',
    onDropped: report.addDropped,
    signal,
  });
}

function refusedDraft(refusal: RefusalReason): Draft {
  const end: DraftEnd = { refusal, isDegraded: false };
  return async function* refuse() {
    yield* [];
    return end;
  };
}
