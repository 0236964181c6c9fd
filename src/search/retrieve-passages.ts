import type { StoredDocument } from '../core/document.ts';
import type { FilterNode } from '../core/filters.ts';
import { matchesFilter } from '../core/match-filter.ts';
import { nextTurn } from '../core/next-turn.ts';
import type { QueryPlan, WordNode } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { FieldStatus, SearchIndex } from '../search-index/search-index.ts';
import type { AnalysedPassages } from './analysed-passages.ts';
import { definesSubject } from './defines-subject.ts';
import { createPassageScorer } from './passage-scores.ts';
import { findQuestionTerms, type QuestionTermDeps } from './question-terms.ts';
import type { ReadDocuments } from './read-hits.ts';
import type {
  AnalysedCandidate,
  AnalysedPassage,
  QuestionTerm,
  RetrievalInput,
  RetrievedPassages,
} from './retrieved-passages.ts';

export type RetrievalDeps = QuestionTermDeps & {
  readonly searchIndex: Pick<SearchIndex, 'search' | 'fields'>;
  readonly readDocuments: ReadDocuments;
  readonly analysedPassages: AnalysedPassages;
};

/** Documents of the search whose passages are looked at. */
const CANDIDATE_DOCUMENTS = 32;
/** Hits in reserve for rows that have just gone. */
const SPARE_HITS = 8;
const CANDIDATE_PASSAGES = 40;
const DEFINITION_PASSAGES = 12;
/** Of one document, where the documents are given. */
const PASSAGES_PER_GIVEN_DOCUMENT = 12;
/** Passages of one question; further documents are left out. */
const MAX_SCORED_PASSAGES = 6_000;
/** A passage of as many candidates is part of the site's template. */
const MAX_REPEATS = 5;
/** Sentences of a passage that may define its subject, and what such a passage scores against the best. */
const LEADING_SENTENCES = 3;
const DEFINITION_SCORES = { first: 0.9, later: 0.7 } as const;
/** Characters that are cut and stemmed in one turn of the event loop: some 3 ms. */
const CHARS_PER_TURN = 15_000;
/** Scoring a passage, and judging whether a sentence is suspicious, take as long as analysing these. */
const CHARS_PER_SCORE = 30;
const CHARS_PER_JUDGED_SENTENCE = 100;

type Document = { readonly row: StoredDocument; readonly score: number };
type Scored = AnalysedCandidate;

/**
 * The passages that bear on a question, from the documents that the search finds for its words; all of them were in
 * the store when it was asked, and pass the filter. Holds the event loop for some milliseconds at a time. Costs a
 * search, and 0.1 ms per 1,000 characters of documents that were not analysed yet.
 */
export async function retrievePassages(deps: RetrievalDeps, input: RetrievalInput): Promise<RetrievedPassages> {
  const { engine, question, sourceFields, signal } = input;
  const fields = await deps.searchIndex.fields(engine.id);
  const documents = Math.max(0, ...fields.map((field) => field.documents));
  const terms = await findQuestionTerms(deps, { engine, question, documents, signal });
  const asked = { ...input, terms, fields };
  const isGiven = input.restrictTo !== undefined;
  const found = isGiven ? await givenDocuments(deps, asked) : await searchDocuments(deps, asked);
  // What many questions found at the same time is read in turns.
  await nextTurn();
  const pause = createPauses(signal);
  const score = createPassageScorer(terms);
  const scored: Scored[] = [];
  for (const { row, score: documentScore } of found) {
    if (scored.length >= MAX_SCORED_PASSAGES) break;
    const rules = { engineId: engine.id, language: engine.language, sourceFields, pause };
    const analysed = await deps.analysedPassages.of(row, rules);
    const factor = boostOf(row, input);
    for (const passage of analysed) {
      scored.push({ analysed: passage, passage: passage.passage, score: factor * score(passage), documentScore });
    }
    await pause(CHARS_PER_SCORE * analysed.length);
  }
  const ownTexts = withoutRepeats(scored);
  const candidates = isGiven ? bestOfEach(ownTexts) : bestOf(ownTexts, question.subject);
  for (const sentence of candidates.flatMap(({ passage }) => passage.sentences)) {
    // Asked here and kept, so that the ranking, which takes no pauses, need not do it.
    void sentence.isSuspicious;
    await pause(CHARS_PER_JUDGED_SENTENCE);
  }
  return { terms, candidates, documents: found.length };
}

/** Waits for the next turn when enough was done in this one. */
function createPauses(signal: AbortSignal): (chars: number) => Promise<void> {
  let done = 0;
  return async (chars) => {
    done += chars;
    if (done < CHARS_PER_TURN) return;
    done = 0;
    await nextTurn();
    signal.throwIfAborted();
  };
}

type Asked = RetrievalInput & { readonly terms: readonly QuestionTerm[]; readonly fields: readonly FieldStatus[] };

/** A row that changed after the index saw it is judged anew: what it says now must pass the filter. */
async function searchDocuments(deps: RetrievalDeps, input: Asked): Promise<readonly Document[]> {
  const { engine, signal } = input;
  if (input.terms.length === 0) return [];
  const found = await deps.searchIndex.search(engine.id, planOf(input), signal);
  const rows = await deps.readDocuments(
    engine.id,
    found.hits.map(({ rid }) => rid),
  );
  const passes = (row: StoredDocument) => row.seq <= found.seq || passesNow(row, input);
  const best = Math.max(...found.hits.map(({ score }) => score));
  return found.hits
    .flatMap(({ score }, index) => {
      const row = rows[index];
      if (row === undefined || row.deleted || !passes(row)) return [];
      return [{ row, score: best > 0 ? score / best : 1 }];
    })
    .slice(0, CANDIDATE_DOCUMENTS);
}

async function givenDocuments({ readDocuments }: RetrievalDeps, input: Asked): Promise<readonly Document[]> {
  const rows = await readDocuments(input.engine.id, input.restrictTo ?? []);
  return rows.flatMap((row) => (row !== undefined && !row.deleted && passesNow(row, input) ? [{ row, score: 1 }] : []));
}

function passesNow(row: StoredDocument, { filter, fields }: Asked): boolean {
  return matchesFilter(row, filter, (name) => fields.find((field) => field.name === name)?.type ?? 'text');
}

function planOf({ question, terms, filter, boosts }: Asked): QueryPlan {
  const factors = new Map(question.words.map(({ text, factor }) => [text, factor]));
  const words = terms.map(({ text, alternatives }): WordNode => {
    const also = alternatives.map(({ words: said, weight }) => ({
      words: said,
      weight,
      slop: 0,
      source: 'synonym' as const,
    }));
    return { kind: 'word', text, boost: factors.get(text) ?? 1, role: 'content', near: 'never', also };
  });
  return {
    match: { kind: 'or', of: words },
    operator: 'OR',
    filter,
    postFilter: ALL,
    postFilterCounts: false,
    boosts,
    ...{ sort: [], pins: [], removed: [], facets: [], ranges: [], topHits: [] },
    ...{ offset: 0, limit: CANDIDATE_DOCUMENTS, spare: SPARE_HITS, counts: 'none' },
    weights: DEFAULT_RELEVANCE,
    // The limits of answers say how many questions there are at the same time; the wait ends with the signal.
    isPatient: true,
  };
}

const ALL: FilterNode = { kind: 'all' };

/** As the index multiplies: once per boost of which the document has any value. */
function boostOf(row: StoredDocument, { boosts }: RetrievalInput): number {
  return boosts.reduce((product, boost) => {
    const values = row.fields.get(boost.field) ?? [];
    return values.some((value) => boost.values.includes(value)) ? product * boost.factor : product;
  }, 1);
}

/** The same text counts once, where it scores best; what many pages have is part of their template and no source. */
function withoutRepeats(scored: readonly Scored[]): readonly Scored[] {
  const byHash = Map.groupBy(scored, ({ passage }) => passage.hash);
  return [...byHash.values()].flatMap((same) => {
    const pages = new Set(same.map(({ passage }) => passage.rid)).size;
    return pages > MAX_REPEATS ? [] : best(same, 1);
  });
}

function best(scored: readonly Scored[], limit: number): readonly Scored[] {
  return scored.toSorted(byScore).slice(0, limit);
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.passage.rid - b.passage.rid || a.passage.ordinal - b.passage.ordinal;
}

/** The best passages, and behind them others that say what the subject is. */
function bestOf(scored: readonly Scored[], subject: readonly string[]): readonly Scored[] {
  const matching = best(
    scored.filter(({ score }) => score > 0),
    Number.POSITIVE_INFINITY,
  );
  const top = matching.slice(0, CANDIDATE_PASSAGES);
  const highest = top[0]?.score ?? 0;
  const others = matching.values().drop(CANDIDATE_PASSAGES);
  const defining = others.filter(({ analysed }) => defines(analysed, subject)).take(DEFINITION_PASSAGES);
  const added = defining.map((candidate) => {
    const share = candidate.passage.ordinal === 0 ? DEFINITION_SCORES.first : DEFINITION_SCORES.later;
    return { ...candidate, score: Math.max(candidate.score, share * highest) };
  });
  return best([...top, ...added], Number.POSITIVE_INFINITY);
}

/** Every given document has its part, also one that shares no word with the question. */
function bestOfEach(scored: readonly Scored[]): readonly Scored[] {
  const byDocument = Map.groupBy(scored, ({ passage }) => passage.rid);
  return best(
    [...byDocument.values()].flatMap((own) => best(own, PASSAGES_PER_GIVEN_DOCUMENT)),
    Number.POSITIVE_INFINITY,
  );
}

/** Whether a sentence is suspicious is asked last: that costs most. */
function defines({ passage, sentences }: AnalysedPassage, subject: readonly string[]): boolean {
  return passage.sentences.slice(0, LEADING_SENTENCES).some((sentence, index) => {
    const terms = sentences[index];
    if (sentence.isCode || terms === undefined) return false;
    const { text } = sentence;
    return definesSubject(subject, { text, terms, language: passage.language }) && !sentence.isSuspicious;
  });
}
