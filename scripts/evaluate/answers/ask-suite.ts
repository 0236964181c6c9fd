import { ENGINE_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { questionLanguage } from '../../../src/ai/answer.ts';
import { type AnswerSegment, citationsOf, printAnswer, printPlain } from '../../../src/ai/answer-event.ts';
import { answerGeneratorsOf, type GeneratorDeps } from '../../../src/ai/answer-generators.ts';
import { assessAnswerability, type GateFeatures, gateFeatures } from '../../../src/ai/answerability.ts';
import { chooseAnswer } from '../../../src/ai/blocks/choose-answer.ts';
import { rankBlocks } from '../../../src/ai/blocks/rank-blocks.ts';
import type { AnswerLength } from '../../../src/ai/composer.ts';
import { firstAnswered, rewriteFollowUp } from '../../../src/ai/follow-up.ts';
import { holdsNugget } from '../../../src/ai/golden-questions.ts';
import { analyseQuestion } from '../../../src/ai/question.ts';
import type { AnalysedQuestion } from '../../../src/ai/question-types.ts';
import { rankPassages } from '../../../src/ai/rank-passages.ts';
import type { Ranking } from '../../../src/ai/ranking.ts';
import { SOURCE_BUDGETS, selectSources } from '../../../src/ai/sources.ts';
import { withoutVectorCandidates } from '../../../src/ai/vectors/fuse-vectors.ts';
import {
  cosinesWith,
  type JudgedPassages,
  type JudgingModels,
  judgePassages,
} from '../../../src/ai/vectors/judge-passages.ts';
import type { CosinesOf } from '../../../src/ai/vectors/rank-by-vectors.ts';
import type { VectorRanking } from '../../../src/ai/vectors/vector-features.ts';
import type { StoredDocument } from '../../../src/core/document.ts';
import type { Engine } from '../../../src/core/records.ts';
import { DEFAULT_SOURCE_FIELDS } from '../../../src/search/cut-passages.ts';
import { candidateFinder, createAnalysedPassages } from '../../../src/search/find-candidates.ts';
import { type RetrievalDeps, retrievePassages } from '../../../src/search/retrieve-passages.ts';
import type { VectorQuery } from '../../../src/search-index/vector-index.ts';
import { isInjected } from '../../../src/text/injected-text.ts';
import { NO_TOOLS } from '../../../test/helpers/no-tools.ts';
import { openIndexOf } from '../open-index.ts';
import type { GivenAnswer, QuestionResult } from './measure.ts';
import { type EmbeddingChoice, openSuiteVectors } from './suite-vectors.ts';
import { type AnswerSuite, type AskedQuestion, documentKey, suiteDocuments } from './suites.ts';

const CACHE_BYTES = 2 ** 28;

export type OpenedSuite = AsyncDisposable & {
  /** What its passages say of a question, before their blocks are ranked. */
  readonly rank: (asked: AskedQuestion) => Promise<Ranking>;
  /** The same with what its cosines are measured by, and those of other texts; undefined without vectors. */
  readonly rankWithVectors: (asked: AskedQuestion) => Promise<RankedWithVectors | undefined>;
  /** Answers by these models, or by those of the product. */
  readonly ask: (asked: AskedQuestion, models?: JudgingModels) => Promise<QuestionResult>;
};

export type RankedWithVectors = { readonly ranking: VectorRanking; readonly cosinesOf: CosinesOf };

/** The documents of a suite in an engine of their own. */
export async function openSuite(suite: AnswerSuite, embedding?: EmbeddingChoice): Promise<OpenedSuite> {
  return openDocuments({ language: suite.language, rows: suiteDocuments(suite) }, embedding);
}

/** Texts that a busy machine embeds too late for a visitor are kept, so that the next call needs fewer. */
const CALLS = 100;

function patiently(cosinesOf: CosinesOf): CosinesOf {
  return async (texts) => {
    for (let call = 1; call < CALLS; call++) {
      const cosines = await cosinesOf(texts);
      if (cosines !== undefined) return cosines;
    }
    return cosinesOf(texts);
  };
}

/** What an engine of a language holds. */
export type EngineContent = { readonly language: string; readonly rows: readonly StoredDocument[] };

/**
 * Documents in an index of their own, with all that answers without a model are made of; with `embedding` passages are
 * found by their vectors, too.
 */
export async function openDocuments(
  { language, rows }: EngineContent,
  embedding?: EmbeddingChoice,
): Promise<OpenedSuite> {
  await using opening = new AsyncDisposableStack();
  const byRid = new Map(rows.map((row) => [row.rid, row]));
  const engine = engineOf(language);
  const opened = opening.use(await openIndexOf(rows, language));
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
    rankWithVectors: async (asked) => {
      const ranking = await rankingOf(deps, engine, asked);
      const query = await queryOf(deps, engine, ranking.question);
      const { signal } = new AbortController();
      const scale = query && (await deps.vectors?.scales.of(query, signal));
      if (deps.vectors === undefined || query === undefined || scale === undefined) return undefined;
      return { ranking: { ...ranking, scale }, cosinesOf: patiently(cosinesWith(deps.vectors, query, signal)) };
    },
    ask: async (asked, models) => {
      const first = await rankingOf(deps, engine, asked);
      const { signal } = new AbortController();
      const query = await queryOf(deps, engine, first.question);
      const judged = await judgePassages(deps, first, { query, signal, models });
      const byWords = withoutVectorCandidates(rankBlocks(first, models?.words));
      return answerFrom({ asked, judged, features: gateFeatures(byWords) });
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

type Asked = {
  readonly asked: AskedQuestion;
  readonly judged: JudgedPassages;
  /** What the gate by words looks at. */
  readonly features: GateFeatures;
};

async function answerFrom({ asked, judged, features }: Asked): Promise<QuestionResult> {
  const { ranking, answerability } = judged;
  const answer = (length: AnswerLength) => answerOf({ ranking, answerability }, length);
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
    gate: { features, probability: answerability.probability },
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
    query: await queryOf(deps, engine, question),
    signal,
  });
  return rankPassages({ question, retrieved });
}

/** Asked for again it is known. */
async function queryOf(
  { vectors }: Pick<RetrievalDeps, 'vectors'>,
  { id }: Engine,
  { text }: Pick<AnalysedQuestion, 'text'>,
): Promise<VectorQuery | undefined> {
  return vectors?.questions.of(id, text, new AbortController().signal);
}

/** Passages answer, nobody else. */
const WITHOUT_MODEL: GeneratorDeps = {
  languageModels: undefined,
  newNonce: () => {
    throw new Error('no model is asked');
  },
};

async function answerOf(grounding: JudgedPassages, length: AnswerLength): Promise<GivenAnswer> {
  const { question, passages } = grounding.ranking;
  const { text, language } = question;
  const ranked = passages.map(({ passage }) => passage);
  let dropped = 0;
  const { extractive } = answerGeneratorsOf(WITHOUT_MODEL, {
    settings: ENGINE_DEFAULTS,
    model: undefined,
    composition: { purpose: 'answer', question: text, language, length, customPrompt: undefined, history: [] },
    grounding,
    sourcesWithin: (budget) => selectSources(ranked, budget),
    hasKey: false,
    report: {
      addDropped: (byCheck) => {
        for (const count of Object.values(byCheck)) dropped += count;
      },
      survived: () => undefined,
    },
    signal: new AbortController().signal,
  });
  const segments: AnswerSegment[] = [];
  const writing = extractive();
  let next = await writing.next();
  for (; next.done !== true; next = await writing.next()) segments.push(next.value);
  return {
    segments,
    text: printAnswer(segments, printPlain),
    opening: next.value.refusal === undefined ? openingOf(grounding.ranking, length) : '',
    refusal: next.value.refusal,
    cited: citationsOf(segments).map(documentKey),
    claims: segments.length + dropped,
    kept: segments.length,
  };
}

/** The block that an answer of passages opens with. */
function openingOf(ranking: Ranking, length: AnswerLength): string {
  const ranked = ranking.passages.map(({ passage }) => passage);
  const [opening = []] = chooseAnswer(ranking, selectSources(ranked, SOURCE_BUDGETS.extractive[length]), length);
  return opening.map(({ passage, at }) => passage.sentences[at]?.text ?? '').join('\n');
}

function engineOf(language: string): Engine {
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
