import type { Clock } from '../core/clock.ts';
import type { Engine } from '../core/records.ts';
import type { AnswerMetrics } from '../observability/answer-metrics.ts';
import type { Log } from '../observability/logger.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { ConversationStore } from '../storage/system/conversations.ts';
import type {
  ChangedPage,
  GoldenComposer,
  GoldenHistory,
  GoldenPage,
  GoldenQuestion,
  GoldenQuestionStore,
  GoldenResult,
} from '../storage/system/golden-questions.ts';
import type { LeaseStore } from '../storage/system/installation.ts';
import { addUsage, NO_USAGE } from './answer-report.ts';
import { type DryRunAnswer, type DryRunDeps, dryRunAnswer } from './dry-run-question.ts';

export type GoldenRoundDeps = GoldenDeps & {
  readonly systemStore: Pick<AccountStore, 'findEngine'> & Pick<LeaseStore, 'takeLease' | 'giveLease' | 'findLease'>;
  /** Whether the process of a holder's name lives. */
  readonly isProcessAlive: (holder: string) => Promise<boolean>;
  /** That of this process. */
  readonly holder: string;
};

/**
 * Asks the golden questions of the engines whose documents changed since their last round, once no run is at work on
 * them. An engine whose round fails does not keep the others from theirs.
 */
export async function askDueGoldenQuestions(deps: GoldenRoundDeps, signal: AbortSignal): Promise<void> {
  for (const { engineId, seq } of await deps.systemStore.goldenEngines()) {
    if (signal.aborted) return;
    try {
      if (await isDue(deps, engineId, seq)) await askOnce(deps, engineId, signal);
    } catch (err) {
      if (!signal.aborted) deps.log.error({ err, engineId }, 'golden questions could not be asked');
    }
  }
}

/** Nothing is visible while an index is not open yet: the next look knows. */
async function isDue(deps: GoldenRoundDeps, engineId: number, requestedSeq: number | undefined): Promise<boolean> {
  const visible = deps.visibleSeq(engineId);
  if (visible === 0 || visible === requestedSeq) return false;
  return !(await isBeingCrawled(await deps.engineStores.of(engineId)));
}

async function isBeingCrawled(store: Pick<EngineStore, 'livingRuns'>): Promise<boolean> {
  const runs = await store.livingRuns();
  return runs.some(({ state }) => state === 'running' || state === 'finishing');
}

async function askOnce(deps: GoldenRoundDeps, engineId: number, signal: AbortSignal): Promise<void> {
  const { systemStore, holder } = deps;
  const engine = await systemStore.findEngine(engineId);
  const lease = `golden-questions.${engineId}`;
  if (engine === undefined || !(await takeRound(deps, lease))) return;
  try {
    // Another process may have asked them between the look and the lease.
    const golden = (await systemStore.goldenEngines()).find((each) => each.engineId === engineId);
    if (golden !== undefined && (await isDue(deps, engineId, golden.seq)))
      await askGoldenQuestions(deps, engine, signal);
  } finally {
    await systemStore.giveLease(lease, holder);
  }
}

/** A process that stands still keeps its round: it goes on with it, or is ended. */
async function takeRound(deps: GoldenRoundDeps, name: string): Promise<boolean> {
  const { systemStore, clock, holder, isProcessAlive } = deps;
  const held = await systemStore.findLease(name);
  const over = held !== undefined && !(await isProcessAlive(held.holder)) ? held : undefined;
  return systemStore.takeLease({ name, holder, at: clock.now(), over });
}

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

/** Between pages, or words, of which one is enough. */
const OR = /\s+\|\s+/;

export type GoldenVerdict = Pick<GoldenResult, 'isRight' | 'missingPages' | 'missingTexts'>;

/** What an answer lacks of what the question asks for. A place in a page counts as the page. */
export function judgeGoldenAnswer(
  { mustCite, mustContain }: Pick<GoldenQuestion, 'mustCite' | 'mustContain'>,
  { text, refusal, cited }: Pick<DryRunAnswer, 'text' | 'refusal' | 'cited'>,
): GoldenVerdict {
  const pages = new Set(cited.map(({ url }) => pageOf(url)));
  const missingPages = mustCite.filter((wanted) => !wanted.split(OR).some((url) => pages.has(pageOf(url))));
  const missingTexts = mustContain.filter((wanted) => !holdsNugget(text, wanted.split(OR)));
  return {
    isRight: refusal === undefined && missingPages.length + missingTexts.length === 0,
    missingPages,
    missingTexts,
  };
}

function pageOf(url: string): string {
  return url.trim().replace(/#.*$/s, '');
}

/** Letters of scripts that put blanks between words, and digits. */
const WORD_CHARACTER = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{N}]';

/** Whether an answer in Markdown, without its `[n]`, holds one of the nuggets as whole words. */
export function holdsNugget(answer: string, nuggets: readonly string[]): boolean {
  const where = folded(withoutMarks(answer));
  return nuggets.some((nugget) => wholeWords(folded(withoutMarks(nugget))).test(where));
}

/** Lower case, typographic quotes and dashes as plain ones, each run of blanks one blank. */
export function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’‚ʼ]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function withoutMarks(markdown: string): string {
  return markdown.replaceAll(/^(- |#+ )/gm, '').replaceAll(/[*_`]|\\(?=[^\p{L}\p{N}\s])/gu, '');
}

function wholeWords(words: string): RegExp {
  const isWord = new RegExp(`^${WORD_CHARACTER}$`, 'u');
  const before = isWord.test(words.slice(0, 1)) ? `(?<!${WORD_CHARACTER})` : '';
  const after = isWord.test(words.slice(-1)) ? `(?!${WORD_CHARACTER})` : '';
  return new RegExp(before + RegExp.escape(words) + after, 'u');
}

/** How a golden question stands with one composer. */
export type GoldenState = {
  readonly question: GoldenQuestion;
  readonly composer: GoldenComposer;
  /** Undefined = it was not asked yet. */
  readonly latest: GoldenResult | undefined;
  readonly lastRightAt: number | undefined;
};

/** The golden questions of an engine with their latest results; the wrong ones first. */
export async function readGoldenStates(
  { systemStore }: { readonly systemStore: GoldenQuestionStore },
  engineId: number,
): Promise<readonly GoldenState[]> {
  const questions = await systemStore.listGoldenQuestions(engineId);
  const histories = await systemStore.goldenHistories(engineId);
  const states = questions.flatMap((question): GoldenState[] => {
    const known = histories.filter(({ latest }) => latest.questionId === question.id);
    if (known.length === 0) return [{ question, composer: 'extractive', latest: undefined, lastRightAt: undefined }];
    return known.map(({ latest, lastRight }) => {
      return { question, composer: latest.composer, latest, lastRightAt: lastRight?.at };
    });
  });
  return states.sort((a, b) => urgency(b) - urgency(a) || a.question.id - b.question.id);
}

function urgency({ latest }: GoldenState): number {
  if (latest === undefined || latest.isRight) return 0;
  return latest.isRegressed ? 2 : 1;
}
