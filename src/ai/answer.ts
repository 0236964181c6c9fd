import { invalidRequest } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import { yieldInBackground } from '../core/yield.ts';
import { disabledProblems } from '../search/enabled-fields.ts';
import { everyEntry, type FilterEntry } from '../search/filter-grammar.ts';
import type { Passage } from '../search/passage.ts';
import type { RetrievalInput } from '../search/retrieved-passages.ts';
import type { AnswerKey } from './answer-cache.ts';
import type { AnswerEvent } from './answer-event.ts';
import { answerGeneratorsOf, type GeneratorDeps } from './answer-generators.ts';
import { answerLanguage, questionLanguage } from './answer-language.ts';
import { type AnswerReport, openReport, type ReportDeps } from './answer-report.ts';
import { type CachedAnswerDeps, cachedAnswer } from './cached-answer.ts';
import type { AnswerLength } from './composer.ts';
import { type ConversationLock, lockConversation, lockNewConversation } from './conversation.ts';
import { withUsageCounter } from './count-usage.ts';
import { type DeliveryForm, deliverAnswer, type FallbackSettings } from './deliver-answer.ts';
import { findGrounding, type Grounding, type GroundingDeps } from './find-grounding.ts';
import { fixedSentences } from './messages.ts';
import { type ReportedDeps, recorded, reported } from './record-answer.ts';
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
  const { engine, exchangeId, question, visitor, form, isConversationNew: isNew, signal } = input;
  const conversation = { customerId: engine.customerId, engineId: engine.id, id: input.conversationId };
  const report = openReport(deps, { kind: 'answer', conversation, exchangeId, question, visitor });
  yield* reported(deps, report, async function* answering() {
    // The caller of a whole answer hears the id with it: nobody can go on before.
    const isAlone = isNew && form === 'whole';
    await using lock = isAlone
      ? lockNewConversation(deps)
      : await lockConversation(deps, conversation, { exchangeId, isNew, signal });
    // One commit may have given turns to many.
    await yieldInBackground();
    yield* recorded(eventsOf(deps, input, { lock, report }), report, lock.record);
  });
}

type Answering = { readonly lock: ConversationLock; readonly report: AnswerReport };

async function* eventsOf(deps: AnswerDeps, input: AnswerInput, { lock, report }: Answering) {
  const { engine, question, length, customPrompt, hasKey, boosts, sourceFields, signal } = input;
  const { history } = lock;
  const language = answerLanguage({ question, requested: input.language, engineLanguage: engine.language });
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
    language: questionLanguage(question, engine.language),
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
