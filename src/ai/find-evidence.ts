import type { FairTurns } from '../core/fair-turns.ts';
import type { FilterNode } from '../core/filters.ts';
import { laterTurn } from '../core/next-turn.ts';
import type { Engine } from '../core/records.ts';
import type { LanguageModel } from '../llm/language-model.ts';
import { type RetrievalDeps, retrievePassages } from '../search/retrieve-passages.ts';
import type { RetrievalInput, RetrievedPassages } from '../search/retrieved-passages.ts';
import type { Exchange, ExchangeSource } from '../storage/conversation-store.ts';
import { type Answerability, assessAnswerability } from './answerability.ts';
import { fuseVectors, withoutNear } from './fuse-vectors.ts';
import { analyseQuestion, type Completed } from './question.ts';
import { rankPassages } from './rank-passages.ts';
import { rankSentences } from './rank-sentences.ts';
import type { Ranking } from './ranking.ts';
import { needsPrevious, rewriteQuestion } from './rewrite-question.ts';
import { rewriteWithModel } from './rewrite-with-model.ts';

export type EvidenceDeps = RetrievalDeps & {
  /** Of looking for evidence: what it holds of the event loop and of memory is that of a few questions. */
  readonly evidenceTurns: FairTurns;
  /** 96 random bits as hex. */
  readonly newNonce: () => string;
};

export type EvidenceInput = Pick<RetrievalInput, 'engine' | 'boosts' | 'sourceFields' | 'signal'> & {
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
export type Evidence = {
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
export async function findEvidence(deps: EvidenceDeps, input: EvidenceInput): Promise<Evidence> {
  const { question, language } = input;
  const { text: rewritten, language: writtenIn, isDependent, previous } = await rewrite(deps, input);
  const evidenceAsAsked = () => evidenceFor(deps, input, { text: question, language });
  if (rewritten === undefined) return { ...(await evidenceAsAsked()), rewritten, isDependent: false };
  const completed =
    isDependent && previous !== undefined && writtenIn === language ? { own: question, previous } : undefined;
  const meant = await evidenceFor(deps, input, { text: rewritten, language: writtenIn, completed });
  // One word that all passages hold fits better than what it is about: it is not asked by itself.
  if (isDependent && needsPrevious(question, language)) return { ...meant, rewritten, isDependent };
  const asked = await evidenceAsAsked();
  const loss = asked.answerability.probability - meant.answerability.probability;
  return loss > REWRITTEN_LOSS
    ? { ...asked, rewritten: undefined, isDependent: false }
    : { ...meant, rewritten, isDependent };
}

type Asked = { readonly text: string; readonly language: string; readonly completed?: Completed | undefined };

async function evidenceFor(deps: EvidenceDeps, input: EvidenceInput, { text, language, completed }: Asked) {
  const { engine, filter, boosts, sourceFields, signal } = input;
  // Before its turn: others go on while a model is waited for.
  const query = await deps.vectors?.questions.of(engine.id, text, signal);
  using _turn = await deps.evidenceTurns.take(engine.id, signal);
  // It may have been let in at the end of another's slice.
  await laterTurn();
  const question = analyseQuestion(text, language, completed);
  const retrieved = await retrievePassages(deps, { engine, question, query, filter, boosts, sourceFields, signal });
  const preferred = preferredRids(retrieved, input.history);
  await laterTurn();
  const first = rankPassages({ question, retrieved, language: input.answerLanguage, preferred });
  await laterTurn();
  const answerability = assessAnswerability(withoutNear(first), engine.settings.answerThreshold);
  const ranking = rankSentences(first);
  await laterTurn();
  return { ranking: fuseVectors(ranking, deps.vectors?.weight ?? 0), answerability };
}

async function rewrite(deps: EvidenceDeps, input: EvidenceInput) {
  const { engine, question, language, history, rewriter, signal } = input;
  const last = history.at(-1);
  const previous = last === undefined ? undefined : { ...last, question: last.rewritten ?? last.question };
  const byRules = previous && rewriteQuestion({ question, previous: previous.question, language });
  const isDependent = byRules !== undefined;
  const readByRules = { text: byRules, language, isDependent, previous: previous?.question };
  const isForeign = await speaksAnotherLanguage(deps, engine, language);
  if (rewriter === undefined || !(isDependent || isForeign)) return readByRules;
  const documentLanguage = isForeign ? engine.language : language;
  const asked = { question, language, previous: isDependent ? previous : undefined, documentLanguage };
  const byModel = await rewriteWithModel({ model: rewriter, newNonce: deps.newNonce }, asked, signal);
  return byModel === undefined ? readByRules : { ...readByRules, text: byModel, language: documentLanguage };
}

async function speaksAnotherLanguage({ searchIndex }: EvidenceDeps, { id }: Engine, language: string) {
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
