import { ENGINE_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { questionLanguage } from '../../../src/ai/answer.ts';
import { searchedFor } from '../../../src/ai/answer-generators.ts';
import { assessAnswerability, gateFeatures } from '../../../src/ai/answerability.ts';
import { guardAnswer } from '../../../src/ai/citation-guard.ts';
import type { AnswerLength } from '../../../src/ai/composer.ts';
import { extractiveComposer } from '../../../src/ai/extractive-composer.ts';
import { fuseVectors, withoutVectorCandidates } from '../../../src/ai/find-grounding.ts';
import { firstAnswered, rewriteFollowUp } from '../../../src/ai/follow-up.ts';
import { holdsNugget } from '../../../src/ai/golden-questions.ts';
import { analyseQuestion } from '../../../src/ai/question.ts';
import type { AnalysedQuestion } from '../../../src/ai/question-types.ts';
import { rankPassages } from '../../../src/ai/rank-passages.ts';
import { defaultSentenceModel, rankSentences, type SentenceModel } from '../../../src/ai/rank-sentences.ts';
import type { Ranking } from '../../../src/ai/ranking.ts';
import { SOURCE_BUDGETS, selectSources } from '../../../src/ai/sources.ts';
import type { Engine } from '../../../src/core/records.ts';
import { DEFAULT_SOURCE_FIELDS } from '../../../src/search/cut-passages.ts';
import { candidateFinder, createAnalysedPassages } from '../../../src/search/find-candidates.ts';
import { type RetrievalDeps, retrievePassages } from '../../../src/search/retrieve-passages.ts';
import { isInjected } from '../../../src/text/injected-text.ts';
import { NO_TOOLS } from '../../../test/helpers/no-tools.ts';
import { openIndexOf } from '../open-index.ts';
import type { GivenAnswer, QuestionResult } from './measure.ts';
import { type EmbeddingChoice, openSuiteVectors } from './suite-vectors.ts';
import { type AnswerSuite, type AskedQuestion, documentKey, suiteDocuments } from './suites.ts';

const CACHE_BYTES = 2 ** 28;
const REFUSED = { text: '', opening: '', cited: [], claims: 0, kept: 0 } as const;

export type OpenedSuite = AsyncDisposable & {
  /** What its passages say of a question, before the second look. */
  readonly rank: (asked: AskedQuestion) => Promise<Ranking>;
  /** Answers with the second look of a model, or with that of the product. */
  readonly ask: (asked: AskedQuestion, model?: SentenceModel) => Promise<QuestionResult>;
};

/**
 * The documents of a suite in an index of their own, with all that answers without a model are made of; with
 * `embedding` passages are found by their vectors, too.
 */
export async function openSuite(suite: AnswerSuite, embedding?: EmbeddingChoice): Promise<OpenedSuite> {
  await using opening = new AsyncDisposableStack();
  const rows = suiteDocuments(suite);
  const byRid = new Map(rows.map((row) => [row.rid, row]));
  const engine = engineOf(suite);
  const opened = opening.use(await openIndexOf(rows, suite.language));
  const embedded = embedding && opening.use(await openSuiteVectors(rows, engine, embedding));
  const deps: RetrievalDeps = {
    searchIndex: opened.searchIndex,
    tools: NO_TOOLS.tools,
    readDocuments: async (_engineId, rids) => rids.map((rid) => byRid.get(rid)),
    findCandidates: candidateFinder(createAnalysedPassages({ maxBytes: CACHE_BYTES, isInjected })),
    vectors: embedded?.vectors,
  };
  const stack = opening.move();
  return {
    rank: (asked) => rankingOf(deps, engine, asked),
    ask: async (asked, model = defaultSentenceModel()) =>
      answerFrom(deps, { asked, first: await rankingOf(deps, engine, asked), model }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

type Asking = { readonly asked: AskedQuestion; readonly first: Ranking; readonly model: SentenceModel };

async function answerFrom(
  { vectors }: Pick<RetrievalDeps, 'vectors'>,
  { asked, first, model }: Asking,
): Promise<QuestionResult> {
  const worded = withoutVectorCandidates(first);
  const { probability, refusal } = assessAnswerability(worded);
  const ranking = fuseVectors(rankSentences(first, model), vectors?.weight ?? 0);
  const answer = (length: AnswerLength) =>
    refusal === undefined ? composed(ranking, length) : { ...REFUSED, refusal };
  const isGold = ({ passage }: Ranking['passages'][number]) =>
    asked.gold.includes(documentKey(passage)) &&
    holdsNugget([...passage.headings, passage.text].join('\n'), asked.nuggets);
  const place = ranking.passages.findIndex(isGold);
  return {
    asked,
    language: ranking.question.language,
    rank: place === -1 ? Number.POSITIVE_INFINITY : place + 1,
    comprehensive: await answer('comprehensive'),
    concise: await answer('concise'),
    gate: { features: gateFeatures(worded), probability },
  };
}

/** Rewritten when it leans on those before it, as a conversation does it. */
async function rankingOf(deps: RetrievalDeps, engine: Engine, asked: AskedQuestion): Promise<Ranking> {
  let previous = '';
  let ranking: Ranking | undefined;
  for (const own of [...asked.previous, asked.question]) {
    const language = questionLanguage(own, engine.language);
    const rewrites = previous === '' ? [] : rewriteFollowUp({ question: own, previous, language });
    const completed = rewrites.length === 0 ? undefined : { own, previous };
    const found = await firstAnswered(rewrites.length === 0 ? [own] : rewrites, async (text) => {
      const rewritten = await rankedFor(
        deps,
        engine,
        analyseQuestion(text, questionLanguage(text, engine.language), completed),
      );
      return { ranking: rewritten, answerability: assessAnswerability(withoutVectorCandidates(rewritten)) };
    });
    ranking = found?.ranking;
    previous = found?.rewritten ?? own;
  }
  if (ranking === undefined) throw new Error('nothing was asked');
  return ranking;
}

async function rankedFor(deps: RetrievalDeps, engine: Engine, question: AnalysedQuestion): Promise<Ranking> {
  const { signal } = new AbortController();
  const retrieved = await retrievePassages(deps, {
    engine,
    question,
    filter: { kind: 'all' },
    boosts: [],
    sourceFields: DEFAULT_SOURCE_FIELDS,
    query: await deps.vectors?.questions.of(engine.id, question.text, signal),
    signal,
  });
  return rankPassages({ question, retrieved });
}

async function composed(ranking: Ranking, length: AnswerLength): Promise<GivenAnswer> {
  const passages = ranking.passages.map(({ passage }) => passage);
  const [first, ...more] = selectSources(passages, SOURCE_BUDGETS.extractive[length]);
  if (first === undefined) return { ...REFUSED, refusal: 'no-passages' };
  const sources = [first, ...more] as const;
  const { text: question, language } = ranking.question;
  const composition = {
    ...({ purpose: 'answer', question, language, length, sources } as const),
    customPrompt: undefined,
    history: [],
  };
  const deltas = extractiveComposer(ranking)(composition, new AbortController().signal);
  const units = guardAnswer(deltas, { sources, question: searchedFor(ranking), language, numbering: 'first-use' });
  const cited = new Set<string>();
  let [text, opening] = ['', ''];
  let next = await units.next();
  for (; next.done !== true; next = await units.next()) {
    if (text === '') opening = next.value.text;
    text += next.value.text;
    for (const { passage } of next.value.supports) cited.add(documentKey(passage));
  }
  const { claims, kept } = next.value;
  const refusal = kept > 0 ? undefined : claims > 0 ? 'no-valid-citation' : 'no-sentence';
  return { text, opening, refusal, cited: [...cited], claims, kept };
}

function engineOf({ language }: AnswerSuite): Engine {
  return {
    id: 1,
    customerId: 1,
    name: 'Evaluation',
    language,
    settings: ENGINE_DEFAULTS,
    publicSettings: {} as Engine['publicSettings'],
    managedBy: undefined,
    createdAt: 0,
  };
}
