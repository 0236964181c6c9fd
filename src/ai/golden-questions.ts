import type { Clock } from '../core/clock.ts';
import type { Engine } from '../core/records.ts';
import type { AnswerMetrics } from '../observability/answer-metrics.ts';
import type { Log } from '../observability/logger.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type {
  ChangedPage,
  GoldenHistory,
  GoldenPage,
  GoldenQuestion,
  GoldenQuestionStore,
  GoldenResult,
} from '../storage/golden-question-store.ts';
import { addUsage, NO_USAGE } from './count-usage.ts';
import { type DryRunAnswer, type DryRunDeps, dryRunAnswer } from './dry-run-answer.ts';
import { judgeGoldenAnswer } from './judge-golden-answer.ts';

export type GoldenDeps = DryRunDeps & {
  readonly systemStore: GoldenQuestionStore & Pick<ConversationStore, 'addTokens'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly visibleSeq: (engineId: number) => number;
  readonly metrics: { readonly answers: Pick<AnswerMetrics, 'golden'> };
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Asks the golden questions of an engine, stores how they were answered, and reports those that were answered right
 * before and are not any more, with the versions of documents that came in between. Cost: an answer for each question.
 */
export async function askGoldenQuestions(deps: GoldenDeps, engine: Engine, signal: AbortSignal): Promise<void> {
  // The index may not be open yet.
  await deps.searchIndex.languages(engine.id);
  const [at, seq] = [deps.clock.now(), deps.visibleSeq(engine.id)];
  const histories = await deps.systemStore.goldenHistories(engine.id);
  const questions = await deps.systemStore.listGoldenQuestions(engine.id);
  for (const question of questions) {
    signal.throwIfAborted();
    const known = histories.filter(({ latest }) => latest.questionId === question.id);
    const results: GoldenResult[] = [];
    for (const answer of await answersTo(deps, { engine, question, known, signal })) {
      const history = known.find(({ latest }) => latest.composer === answer.composer);
      results.push(await resultOf(deps, { question, answer, history, at, seq }));
    }
    await deps.systemStore.addGoldenResults({ engineId: engine.id, results });
    for (const result of results) report(deps, engine, result);
  }
  await deps.systemStore.endGoldenRound({ engineId: engine.id, lastQuestionId: questions.at(-1)?.id ?? 0, at, seq });
}

type Asking = {
  readonly engine: Engine;
  readonly question: GoldenQuestion;
  readonly known: readonly GoldenHistory[];
  readonly signal: AbortSignal;
};

/** What the model takes counts as tokens of the day, also of answers that fail. */
async function answersTo(deps: GoldenDeps, { engine, question: { question }, known, signal }: Asking) {
  const modelBasis = known.find(({ latest }) => latest.composer === 'model')?.latest.basis;
  let tokens = NO_USAGE;
  const count = (usage: typeof tokens) => {
    tokens = addUsage(tokens, usage);
  };
  try {
    return await dryRunAnswer(deps, {
      engine,
      question,
      language: engine.language,
      modelBasis,
      addUsage: count,
      signal,
    });
  } finally {
    const { id: engineId } = engine;
    if (tokens !== NO_USAGE) await deps.systemStore.addTokens({ engineId, at: deps.clock.now(), tokens });
  }
}

type Judging = Pick<GoldenResult, 'at' | 'seq'> & {
  readonly question: GoldenQuestion;
  readonly answer: DryRunAnswer;
  readonly history: GoldenHistory | undefined;
};

async function resultOf(deps: GoldenDeps, { question, answer, history, at, seq }: Judging): Promise<GoldenResult> {
  const verdict = judgeGoldenAnswer(question, answer);
  const { composer, refusal, cited, basis } = answer;
  const { latest, lastRight } = history ?? {};
  const since = latest !== undefined && latest.isRight === verdict.isRight ? latest.since : at;
  const isRegressed = !verdict.isRight && lastRight !== undefined;
  const changed = isRegressed ? await changedSince(deps, { engineId: question.engineId, answer, lastRight }) : [];
  return { questionId: question.id, composer, at, seq, since, isRegressed, refusal, cited, basis, changed, ...verdict };
}

type Regression = { readonly engineId: number; readonly answer: DryRunAnswer; readonly lastRight: GoldenResult };

/** Documents that the right answer cited, and those that the present one is made of, as far as they changed since. */
async function changedSince(
  { engineStores }: GoldenDeps,
  { engineId, answer, lastRight }: Regression,
): Promise<readonly ChangedPage[]> {
  const store = await engineStores.of(engineId);
  const neighbours = answer.passages.filter(({ seq }) => seq > lastRight.seq);
  const changed = new Map<string, ChangedPage>();
  for (const { crawlerId, documentId, url } of [...lastRight.cited, ...neighbours] satisfies readonly GoldenPage[]) {
    const key = JSON.stringify([crawlerId, documentId]);
    if (changed.has(key)) continue;
    const document = await store.findDocument(crawlerId, documentId);
    if (document !== undefined && document.seq <= lastRight.seq) continue;
    changed.set(key, { crawlerId, documentId, url, seq: document?.seq, at: document?.updatedAt });
  }
  return [...changed.values()];
}

/** Only what is new is a warning: a question that stays wrong is not told again. */
function report({ log, metrics }: GoldenDeps, { id: engineId }: Engine, result: GoldenResult): void {
  const { questionId, composer, isRight, isRegressed, since, at, refusal, changed, missingPages, missingTexts } =
    result;
  metrics.answers.golden.inc({ composer, outcome: isRight ? 'right' : 'wrong' });
  if (!isRegressed || since !== at) return;
  const missing = { missingPages: missingPages.length, missingTexts: missingTexts.length };
  const documents = changed.map(({ crawlerId, documentId, seq }) => ({ crawlerId, documentId, seq }));
  log.warn(
    { engineId, questionId, composer, reason: refusal, ...missing, changed: documents },
    'golden question is no longer answered right',
  );
}
