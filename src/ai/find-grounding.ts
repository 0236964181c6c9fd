import type { FilterNode } from '../core/filters.ts';
import type { Engine } from '../core/records.ts';
import type { Semaphore } from '../core/semaphore.ts';
import { yieldInBackground } from '../core/yield.ts';
import type { LanguageModel } from '../llm/language-model.ts';
import { type RetrievalDeps, retrievePassages } from '../search/retrieve-passages.ts';
import type { RetrievalInput, RetrievedPassages } from '../search/retrieved-passages.ts';
import type { Exchange, ExchangeSource } from '../storage/conversation-store.ts';
import { type Answerability, assessAnswerability } from './answerability.ts';
import { fuseVectors, withoutVectorCandidates } from './fuse-vectors.ts';
import { analyseQuestion, type Completed } from './question.ts';
import { rankPassages } from './rank-passages.ts';
import { rankSentences } from './rank-sentences.ts';
import type { Ranking } from './ranking.ts';
import { dependsOnPrevious, rewriteQuestion } from './rewrite-question.ts';
import { rewriteWithModel } from './rewrite-with-model.ts';

export type GroundingDeps = RetrievalDeps & {
  /** Of retrieving grounding: what it holds of the event loop and of memory is that of a few questions. */
  readonly retrievalSemaphore: Semaphore;
  /** 96 random bits as hex. */
  readonly newNonce: () => string;
};

export type GroundingInput = Pick<RetrievalInput, 'engine' | 'boosts' | 'sourceFields' | 'signal'> & {
  readonly question: string;
  /** Of the question. */
  readonly language: string;
  /** That the answer was asked for in; undefined = none is preferred. */
  readonly answerLanguage: string | undefined;
  readonly filter: FilterNode;
  /** What was said before, oldest first. */
  readonly history: readonly Exchange[];
  /** Makes follow-ups stand alone, and translates; undefined = rules alone. */
  readonly rewriter: LanguageModel | undefined;
};

/** What the documents of an engine have on a question. */
export type Grounding = {
  readonly ranking: Ranking;
  readonly answerability: Answerability;
  /** What was searched for instead of the question as it was asked. */
  readonly rewritten: string | undefined;
  /** The question needs what was said before. */
  readonly isDependent: boolean;
};

/** A rewritten question that fits so much worse was rewritten wrongly (answers design 6). */
const REWRITTEN_LOSS = 0.2;

/**
 * Finds and ranks the passages for a question, as it is and, when it does not stand alone, as it is meant. Ranking has
 * a turn of the event loop of its own, and so has what the caller makes of it.
 */
export async function findGrounding(deps: GroundingDeps, input: GroundingInput): Promise<Grounding> {
  const { question, language } = input;
  const { text: rewritten, language: writtenIn, isDependent, previous } = await rewrite(deps, input);
  const groundingAsWritten = () => groundingFor(deps, input, { text: question, language });
  if (rewritten === undefined) return { ...(await groundingAsWritten()), rewritten, isDependent: false };
  const completed =
    isDependent && previous !== undefined && writtenIn === language ? { own: question, previous } : undefined;
  const meant = await groundingFor(deps, input, { text: rewritten, language: writtenIn, completed });
  // One word that all passages hold fits better than what it is about: it is not asked by itself.
  if (isDependent && dependsOnPrevious(question, language)) return { ...meant, rewritten, isDependent };
  const retrieval = await groundingAsWritten();
  const loss = retrieval.answerability.probability - meant.answerability.probability;
  return loss > REWRITTEN_LOSS
    ? { ...retrieval, rewritten: undefined, isDependent: false }
    : { ...meant, rewritten, isDependent };
}

type RetrievalQuestion = {
  readonly text: string;
  readonly language: string;
  readonly completed?: Completed | undefined;
};

async function groundingFor(
  deps: GroundingDeps,
  input: GroundingInput,
  { text, language, completed }: RetrievalQuestion,
) {
  const { engine, filter, boosts, sourceFields, signal } = input;
  // Before its turn: others go on while a model is waited for.
  const query = await deps.vectors?.questions.of(engine.id, text, signal);
  using _permit = await deps.retrievalSemaphore.acquire(signal, engine.id);
  // It may have been let in at the end of another's slice.
  await yieldInBackground();
  const question = analyseQuestion(text, language, completed);
  const retrieved = await retrievePassages(deps, { engine, question, query, filter, boosts, sourceFields, signal });
  const preferred = preferredRids(retrieved, input.history);
  await yieldInBackground();
  const first = rankPassages({ question, retrieved, language: input.answerLanguage, preferred });
  await yieldInBackground();
  const answerability = assessAnswerability(withoutVectorCandidates(first), engine.settings.answerThreshold);
  const ranking = rankSentences(first);
  await yieldInBackground();
  return { ranking: fuseVectors(ranking, deps.vectors?.weight ?? 0), answerability };
}

async function rewrite(deps: GroundingDeps, input: GroundingInput) {
  const { engine, question, language, history, rewriter, signal } = input;
  const last = history.at(-1);
  const previous = last === undefined ? undefined : { ...last, question: last.rewritten ?? last.question };
  const byRules = previous && rewriteQuestion({ question, previous: previous.question, language });
  const isDependent = byRules !== undefined;
  const readByRules = { text: byRules, language, isDependent, previous: previous?.question };
  const isForeign = await speaksAnotherLanguage(deps, engine, language);
  if (rewriter === undefined || !(isDependent || isForeign)) return readByRules;
  const documentLanguage = isForeign ? engine.language : language;
  const retrieval = { question, language, previous: isDependent ? previous : undefined, documentLanguage };
  const byModel = await rewriteWithModel({ model: rewriter, newNonce: deps.newNonce }, retrieval, signal);
  return byModel === undefined ? readByRules : { ...readByRules, text: byModel, language: documentLanguage };
}

async function speaksAnotherLanguage({ searchIndex }: GroundingDeps, { id }: Engine, language: string) {
  const known = await searchIndex.languages(id);
  return known.length > 0 && !known.includes(language);
}

/** Rows of the documents of the summary that the conversation began with. */
function preferredRids({ candidates }: RetrievedPassages, history: readonly Exchange[]): ReadonlySet<number> {
  const keyOf = ({ crawlerId, documentId }: Pick<ExchangeSource, 'crawlerId' | 'documentId'>) =>
    JSON.stringify([crawlerId, documentId]);
  const summaries = history.filter(({ kind }) => kind === 'summary');
  const keys = new Set(summaries.flatMap(({ sources }) => sources.map(keyOf)));
  return new Set(candidates.flatMap(({ passage }) => (keys.has(keyOf(passage)) ? [passage.rid] : [])));
}
