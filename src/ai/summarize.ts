import { AppError } from '../core/errors.ts';
import type { FilterNode } from '../core/filters.ts';
import type { Engine } from '../core/records.ts';
import { yieldInBackground } from '../core/yield.ts';
import type { Passage, RetrievedPassages } from '../search/passage.ts';
import { type FindDocumentsDeps, findDocuments } from '../search/read-hits.ts';
import { retrievePassages } from '../search/retrieve-passages.ts';
import type { ExchangeSource } from '../storage/system/conversations.ts';
import { answerLanguage, questionLanguage, type ReportedDeps, recorded, reported } from './answer.ts';
import type { AnswerEvent } from './answer-event.ts';
import { answerGeneratorsOf, type GeneratorDeps } from './answer-generators.ts';
import { type AnswerReport, openReport, type ReportDeps, withUsageCounter } from './answer-report.ts';
import { assessAnswerability } from './answerability.ts';
import type { AnswerLength } from './composer.ts';
import { recordExchange } from './conversation.ts';
import { type DeliveryForm, deliverAnswer, type FallbackSettings } from './deliver-answer.ts';
import type { GroundingDeps } from './find-grounding.ts';
import { fixedSentences } from './messages.ts';
import { analyseQuestion } from './question.ts';
import type { AnalysedQuestion } from './question-types.ts';
import { rankPassages } from './rank-passages.ts';
import { selectSummarySources } from './sources.ts';

export type SummaryDeps = ReportedDeps &
  FindDocumentsDeps &
  GroundingDeps &
  GeneratorDeps &
  ReportDeps & { readonly fallbacks: FallbackSettings };

export type SummaryInput = {
  readonly engine: Engine;
  readonly query: string;
  /** Document ids or addresses, with the fields to use of each. */
  readonly sources: readonly { readonly id: string; readonly fields: readonly string[] }[];
  /** UUIDs in lower case; the second is the conversation that the summary begins. */
  readonly summaryId: string;
  readonly summaryRequestId: string;
  readonly language: string | undefined;
  readonly length: AnswerLength;
  readonly customPrompt: string | undefined;
  /** The caller has an API key. */
  readonly hasKey: boolean;
  readonly visitor: Readonly<Record<string, string>>;
  readonly form: DeliveryForm;
  readonly signal: AbortSignal;
};

/** Engine feature that lets callers choose length and style. Contract: 5.1. */
const OPTIONS_FEATURE = 'SummaryOptions';
const ALL: FilterNode = { kind: 'all' };

/**
 * Sums up what the sources say about a query. It is the first exchange of the conversation `summaryRequestId`.
 * Contract: 5.
 *
 * @throws AppError before the first event: `summary.insufficient-context`, `llm.unavailable` (whole) or
 *   `stream.unavailable` (stream)
 */
export async function* summarizeSources(deps: SummaryDeps, input: SummaryInput): AsyncGenerator<AnswerEvent, void> {
  const { engine, summaryId: exchangeId, query: question, visitor } = input;
  const conversation = { customerId: engine.customerId, engineId: engine.id, id: input.summaryRequestId };
  const report = openReport(deps, { kind: 'summary', conversation, exchangeId, question, visitor });
  yield* reported(deps, report, () =>
    recorded(eventsOf(deps, input, report), report, (exchange) => recordExchange(deps, exchange)),
  );
}

async function* eventsOf(deps: SummaryDeps, input: SummaryInput, report: AnswerReport) {
  const { engine, query: question, hasKey, signal } = input;
  const language = answerLanguage({ question, requested: input.language, engineLanguage: engine.language });
  const { documents, ranking } = await findSources(deps, input, questionLanguage(question, engine.language));
  const answerability = assessAnswerability(ranking, engine.settings.answerThreshold);
  report.retrieved();
  report.note({
    language,
    probability: answerability.probability,
    sources: documents.flatMap(({ ranked }) => sourceOf(ranked)),
  });
  const models = deps.languageModels?.forEngine(engine.id);
  const hasOptions = engine.settings.features.includes(OPTIONS_FEATURE);
  const generators = answerGeneratorsOf(deps, {
    settings: engine.settings,
    grounding: { ranking, answerability },
    hasKey,
    report,
    signal,
    model: models && withUsageCounter(models.answer, report.addUsage),
    composition: {
      purpose: 'summary',
      question,
      language,
      history: [],
      length: hasOptions ? input.length : 'comprehensive',
      customPrompt: hasOptions ? input.customPrompt : undefined,
    },
    sourcesWithin: (budget) => selectSummarySources(documents, budget),
  });
  const { incomplete } = fixedSentences([input.language ?? language, language, engine.language]);
  yield* deliverAnswer(deps, {
    ...generators,
    messages: { refusal: undefined, incomplete },
    form: input.form,
    onSurvived: report.survived,
    signal,
  });
}

/** The passages of each source that is found, best first, and all of them in one ranking. */
async function findSources(deps: SummaryDeps, { engine, sources, query, signal }: SummaryInput, language: string) {
  const names = sources.map(({ id }) => id);
  using _permit = await deps.retrievalSemaphore.acquire(signal, engine.id);
  await yieldInBackground();
  const found = await findDocuments(deps, { engine, names, signal });
  if (found.length === 0) {
    throw new AppError('summary.insufficient-context', 'None of the sources is a document of this engine');
  }
  const question = analyseQuestion(query, language);
  const [first, ...more] = await retrieveNamed(deps, { engine, question, sources, found, signal });
  await yieldInBackground();
  const candidates = [first, ...more].flatMap((retrieved) => retrieved.candidates);
  const ranking = rankPassages({ question, retrieved: { ...first, candidates } });
  const documents = found.map(({ name, document }) => ({
    reference: names.indexOf(name) + 1,
    ranked: ranking.passages.map(({ passage }) => passage).filter(({ rid }) => rid === document.rid),
  }));
  return { documents, ranking };
}

type Named = Pick<SummaryInput, 'engine' | 'sources' | 'signal'> & {
  readonly question: AnalysedQuestion;
  readonly found: Awaited<ReturnType<typeof findDocuments>>;
};

/** Together the sources of which the same fields are named: what a document says depends on what is read of it. */
async function retrieveNamed(deps: SummaryDeps, { engine, question, sources, found, signal }: Named) {
  const fieldsOf = (name: string) => sources.find(({ id }) => id === name)?.fields ?? [];
  const [first, ...more] = Map.groupBy(found, ({ name }) => JSON.stringify(fieldsOf(name))).values();
  const retrieve = (group: Named['found']) =>
    retrievePassages(deps, {
      engine,
      question,
      filter: ALL,
      boosts: [],
      signal,
      sourceFields: fieldsOf(group[0]?.name ?? ''),
      restrictTo: group.map(({ document }) => document.rid),
    });
  const retrieved = [await retrieve(first ?? [])] as [RetrievedPassages, ...RetrievedPassages[]];
  for (const group of more) retrieved.push(await retrieve(group));
  return retrieved;
}

function sourceOf([passage]: readonly Passage[]): readonly ExchangeSource[] {
  if (passage === undefined) return [];
  const { crawlerId, documentId, url, ordinal, hash } = passage;
  return [{ crawlerId, documentId, url, ordinal, hash }];
}
