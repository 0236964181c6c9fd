import type { Passage, Terms } from '../search/passage.ts';
import { answerTableOf } from '../text/languages/packs.ts';
import { type AnswerLength, type Composer, type Composition, NO_ANSWER } from './composer.ts';
import type { AnalysedQuestion } from './question-types.ts';
import { isByline, isImperative, isIntro, isLine, mayBePlanted, type Quote, quoteSentences } from './quote.ts';
import type { RankedPassage, Ranking } from './ranking.ts';
import type { Source } from './sources.ts';

/**
 * A composer without a model, for one ranking: it quotes sentences of the sources, which must be passages of the
 * ranking, in their own language and order, and adds no word. `customPrompt` and `history` have no effect.
 */
export function extractiveComposer(ranking: Ranking): Composer {
  return async function* compose({ purpose, sources, length }: Composition) {
    const choose = purpose === 'summary' ? chooseSummary : chooseAnswer;
    const quotes = choose(ranking, sources, length);
    if (quotes.length === 0) yield NO_ANSWER;
    else yield* quoteSentences(quotes);
  };
}

/** Sentences of an answer; a concise one has room for two and a short one. */
const LIMITS = { concise: 2.5, comprehensive: 8 } as const satisfies Record<AnswerLength, number>;
/** What a line of code, a row, a short item or a short sentence counts of them. */
const SHORT_COST = 0.5;
const LINE_CHARS = 80;
const SHORT_CHARS = 60;
/** Sentences behind one that ends in a colon, or says hardly anything. */
const BEHIND_INTRO = 2;
const BARE_CHARS = 25;

/**
 * A sentence that scores so much less than the best one says nothing of the matter. On other pages less is enough: at 5
 * three questions in a thousand more are answered right, and most answers end with what nobody asked (tuning halves).
 */
const MAX_BEHIND = { samePage: 5, otherPage: 2.5 } as const;
const LEADING_HEADING_MATCH = 0.35;
/** What of the question a sentence must cover by itself, or hold nothing that a planted one is planted for. */
const LEAST_OWN_COVERAGE = 0.35;
/** The same for one that tells its reader to do something; .35 costs a German answer, .2 and less none (tuning halves). */
const LEAST_ORDER_COVERAGE = 0.2;
/** What the best passage must cover where no sentence does. */
const LEAST_PASSAGE_COVERAGE = 0.3;
const SAME_OVERLAP = 0.8;

type Candidate = { readonly ranked: RankedPassage; readonly at: number };

/**
 * Sentences of the sources that answer the question, as they are said; empty when none does. Answers design 7.1.
 */
function chooseAnswer(ranking: Ranking, sources: readonly Source[], length: AnswerLength): readonly Quote[] {
  const references = new Map(sources.flatMap(({ reference, passages }) => passages.map((each) => [each, reference])));
  const passages = ranking.passages.filter(({ passage }) => references.has(passage));
  const candidates = passages.flatMap((ranked) => quotable(ranked, ranking.question)).sort(byScore);
  const [first] = candidates;
  if (first === undefined) return [];
  const chosen = choose(candidates.filter(isNotFarBehind(first)), LIMITS[length]);
  const isFounded = chosen.some(coversByItself) || first.ranked.coverage >= LEAST_PASSAGE_COVERAGE;
  if (!isFounded) return [];
  const quotes = chosen.map((candidate) => quoteOf(candidate, passages, references));
  return orderQuotes(quotes, { keepsLists: ranking.question.type === 'how-to' });
}

/**
 * Sentences that may be quoted by themselves: what shares no word with the question, by itself or through title and
 * headings, is not sent.
 */
function quotable(ranked: RankedPassage, question: AnalysedQuestion): readonly Candidate[] {
  return ranked.sentences
    .flatMap(({ score, coverage }, at): Candidate[] => (Number.isFinite(score) && coverage > 0 ? [{ ranked, at }] : []))
    .filter((candidate) => isQuotable(candidate) && !isStrayOrder(candidate))
    .filter((candidate) => !isStrayCode(candidate, question) && !isStrayByline(candidate, question));
}

function isNotFarBehind(first: Candidate): (candidate: Candidate) => boolean {
  return (candidate) => {
    const isSamePage = candidate.ranked.passage.rid === first.ranked.passage.rid;
    return scoreOf(candidate) >= scoreOf(first) - MAX_BEHIND[isSamePage ? 'samePage' : 'otherPage'];
  };
}

function byScore(a: Candidate, b: Candidate): number {
  return scoreOf(b) - scoreOf(a);
}

function scoreOf({ ranked, at }: Candidate): number {
  return ranked.sentences[at]?.score ?? Number.NEGATIVE_INFINITY;
}

function isQuotable({ ranked, at }: Candidate): boolean {
  const sentence = ranked.passage.sentences[at];
  if (sentence === undefined || sentence.isSuspicious || !/[\p{L}\p{N}]/u.test(sentence.text)) return false;
  if (coversByItself({ ranked, at }) || !mayBePlanted(sentence.text)) return true;
  return !sentence.isCode && ranked.headingMatch > LEADING_HEADING_MATCH;
}

/** Tells the reader to do something that nobody asked about. */
function isStrayOrder({ ranked, at }: Candidate): boolean {
  const sentence = ranked.passage.sentences[at];
  if (sentence === undefined || sentence.isCode || ranked.headingMatch > LEADING_HEADING_MATCH) return false;
  return ownCoverage({ ranked, at }) < LEAST_ORDER_COVERAGE && isImperative(sentence.text, ranked.passage.language);
}

/** Code that nobody asked how to write, and that hardly has the words of the question. */
function isStrayCode({ ranked, at }: Candidate, { type }: AnalysedQuestion): boolean {
  return type !== 'how-to' && ranked.passage.sentences[at]?.isCode === true && !coversByItself({ ranked, at });
}

/** Who wrote the page, and when, answers only who asks for it. */
function isStrayByline({ ranked, at }: Candidate, { type }: AnalysedQuestion): boolean {
  return type !== 'person' && type !== 'date' && isByline(ranked.passage.sentences[at]?.text ?? '');
}

function coversByItself({ ranked, at }: Candidate): boolean {
  return ownCoverage({ ranked, at }) >= LEAST_OWN_COVERAGE;
}

function ownCoverage({ ranked, at }: Candidate): number {
  return ranked.sentences[at]?.ownCoverage ?? 0;
}

/** The first ones that fit and do not say the same as one before, each with what it introduces. */
function choose(candidates: readonly Candidate[], limit: number): readonly Candidate[] {
  const chosen: Candidate[] = [];
  let used = 0;
  for (const candidate of candidates) {
    const cost = costOf(candidate);
    if (used + cost > limit || isSaid(chosen, candidate)) continue;
    used += cost;
    chosen.push(candidate, ...introduced(candidate).filter((next) => !isSaid(chosen, next)));
  }
  return chosen;
}

function costOf({ ranked: { passage }, at }: Candidate): number {
  const { isCode = false, text = '' } = passage.sentences[at] ?? {};
  const isShort = text.length < SHORT_CHARS || (text.length < LINE_CHARS && isLine({ passage, at }));
  return isCode || isShort ? SHORT_COST : 1;
}

function isSaid(chosen: readonly Candidate[], { ranked, at }: Candidate): boolean {
  const terms = ranked.sentences[at]?.terms;
  return chosen.some((other) => {
    if (other.ranked === ranked && other.at === at) return true;
    const said = other.ranked.sentences[other.at]?.terms;
    return terms !== undefined && said !== undefined && overlap(terms, said) > SAME_OVERLAP;
  });
}

function introduced({ ranked, at }: Candidate): readonly Candidate[] {
  if (!isOpenEnded(ranked.passage, at)) return [];
  const next = Array.from({ length: BEHIND_INTRO }, (_, index) => ({ ranked, at: at + 1 + index }));
  return next.filter(isQuotable);
}

function isOpenEnded(passage: Passage, at: number): boolean {
  return isIntro({ passage, at }) || (passage.sentences[at]?.text.length ?? 0) < BARE_CHARS;
}

function quoteOf(
  candidate: Candidate,
  passages: readonly RankedPassage[],
  references: ReadonlyMap<Passage, number>,
): RankedQuote {
  const { ranked, at } = candidate;
  const reference = references.get(ranked.passage) ?? 0;
  return { passage: ranked.passage, at, reference, rank: passages.indexOf(ranked), score: scoreOf(candidate) };
}

/** With the place of its passage in the ranking, from 0, and the score of its sentence. */
type RankedQuote = Quote & { readonly rank: number; readonly score: number };

export type OrderRules = {
  /** The question is how something is done: a list is begun at its beginning. */
  readonly keepsLists: boolean;
};

/** A row of more cells says nothing without the row that names its columns. */
const PLAIN_CELLS = 2;

/**
 * The sentences of an answer as they are said: first the best sentence of the best passage, behind what it leans on,
 * and what the passage says from there on; then what stands before it; then the other passages by their rank, each in
 * its own order. What is said first holds the answer more than twice as often as in the order of the page
 * (decision 94).
 */
export function orderQuotes(quotes: readonly RankedQuote[], rules: OrderRules): readonly Quote[] {
  const passages = [...Map.groupBy(quotes, ({ rank }) => rank)]
    .sort(([a], [b]) => a - b)
    .map(([, group]) => group.toSorted((a, b) => a.at - b.at));
  const [first, ...others] = passages;
  if (first === undefined) return [];
  return [...openedAt(first, openingOf(first, rules)), ...others.flat()];
}

/** Index of the best sentence, or of what it leans on. */
function openingOf(group: readonly RankedQuote[], rules: OrderRules): number {
  const best = Math.max(...group.map(({ score }) => score));
  let index = group.findIndex(({ score }) => score === best);
  while (dependsOnBefore(group[index - 1], group[index], rules)) index--;
  return index;
}

function dependsOnBefore(before: Quote | undefined, quote: Quote | undefined, { keepsLists }: OrderRules): boolean {
  if (before === undefined || quote === undefined) return false;
  if (keepsLists && isLine(before) && isLine(quote)) return true;
  if (before.at + 1 !== quote.at) return false;
  const { text = '', isCode = false } = quote.passage.sentences[quote.at] ?? {};
  return isCode || isIntro(before) || hasContextDependentOpener(text, quote.passage.language);
}

function openedAt(group: readonly Quote[], index: number): readonly Quote[] {
  const header = headerOf(group[index]);
  const rest = group.filter(({ at }) => at !== header?.at);
  const from = rest.findIndex(({ at }) => at === group[index]?.at);
  return [...(header === undefined ? [] : [header]), ...rest.slice(from), ...rest.slice(0, from)];
}

/** The first row of the table in which a row of several columns stands; undefined when it is that row. */
function headerOf(quote: Quote | undefined): Quote | undefined {
  if (quote === undefined) return undefined;
  const { sentences } = quote.passage;
  const cells = cellsOf(sentences[quote.at]?.text);
  if (cells <= PLAIN_CELLS) return undefined;
  let at = quote.at;
  while (cellsOf(sentences[at - 1]?.text) === cells) at--;
  return at === quote.at || sentences[at]?.isSuspicious === true ? undefined : { ...quote, at };
}

function cellsOf(text = ''): number {
  return text.split(' | ').length;
}

/**
 * What a sentence opens with that goes on with the one before it, or points back to it: separated by `|`, in lower case.
 * Words that are also articles, or stand for nobody (`es gibt`), are no sign.
 */
const TABLES = answerTableOf('dependentOpeners');

const patterns = new Map<string, RegExp>();

/** Whether a sentence is understood only behind the one before it; never in languages without a table. */
export function hasContextDependentOpener(sentence: string, language: string): boolean {
  const table = TABLES[language];
  if (table === undefined) return false;
  const pattern = patterns.get(language) ?? compile(table);
  patterns.set(language, pattern);
  return pattern.test(sentence.toLowerCase().replaceAll('’', "'"));
}

function compile(table: string): RegExp {
  const phrases = table.split('|').map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));
  return new RegExp(String.raw`^[^\p{L}\p{N}]*(?:${phrases.join('|')})(?![\p{L}\p{N}'-])`, 'u');
}

/** Shared terms over those of the smaller text: 1 = one says all that the other says. */
function overlap(a: Terms, b: Terms): number {
  return sharedOver(a, b, Math.min);
}

/** Shared terms over the geometric mean of both: how much two texts are about the same. */
function similarity(a: Terms, b: Terms): number {
  return sharedOver(a, b, (first, second) => Math.sqrt(first * second));
}

function sharedOver(a: Terms, b: Terms, sizeOf: (a: number, b: number) => number): number {
  const [first, second] = [new Set(a), new Set(b)];
  const size = sizeOf(first.size, second.size);
  return size === 0 ? 0 : first.intersection(second).size / size;
}

const SENTENCES = { concise: 3, comprehensive: 6 } as const satisfies Record<AnswerLength, number>;
const WEIGHTS = { coverage: 0.6, centrality: 0.4 } as const;
/**
 * A source whose best sentence covers less of the query than this share of what the best of all covers says nothing
 * about it: those that are about it cover .8 to .9, others .1 ("Can I bring my dog?" on the sample site).
 */
const LEAST_OF_BEST = 1 / 3;
/** Fewer terms are a heading or a label. */
const LEAST_TERMS = 4;

type Scored = { readonly quote: Quote; readonly terms: Terms; readonly coverage: number; readonly score: number };

/**
 * What the sources say about the query: of each the sentence that covers it best and is most like all others, then the
 * next best of each while there is room. Sources that say nothing about the query are left out. In the order of sources and page. Answers design 11.
 */
function chooseSummary(ranking: Ranking, sources: readonly Source[], length: AnswerLength): readonly Quote[] {
  const bySource = onTheQuery(scoredBySource(ranking, sources));
  const chosen: Scored[] = [];
  for (let round = 0; bySource.some((own) => own.length > round); round++) {
    const best = bySource.flatMap((own) => own[round] ?? []).sort((a, b) => b.score - a.score);
    for (const scored of best) {
      if (chosen.length < SENTENCES[length] && !chosen.some((other) => saySame(other, scored))) chosen.push(scored);
    }
  }
  const place = ({ reference }: Quote) => sources.findIndex((source) => source.reference === reference);
  return chosen
    .map(({ quote }) => quote)
    .sort((a, b) => place(a) - place(b) || a.passage.ordinal - b.passage.ordinal || a.at - b.at);
}

/** Sentences of each source, best first. O(sentences²) over those of the sources: a few hundred. */
function scoredBySource({ passages }: Ranking, sources: readonly Source[]): readonly (readonly Scored[])[] {
  const ranked = new Map(passages.map((each) => [each.passage, each]));
  const sentences = sources.flatMap(({ reference, passages: own }) =>
    own.flatMap((passage) =>
      passage.sentences.flatMap(({ isCode, isSuspicious, text }, at) => {
        const sentence = ranked.get(passage)?.sentences[at];
        const isFit = sentence !== undefined && !isCode && !isSuspicious && !/[?？]$/.test(text);
        return isFit && sentence.terms.length >= LEAST_TERMS ? [{ quote: { reference, passage, at }, sentence }] : [];
      }),
    ),
  );
  const scored = sentences.map(({ quote, sentence: { terms, coverage } }) => {
    const likeness = sentences.map(({ sentence }) => similarity(terms, sentence.terms));
    const centrality = likeness.reduce((sum, value) => sum + value, 0) / likeness.length;
    return { quote, terms, coverage, score: WEIGHTS.coverage * coverage + WEIGHTS.centrality * centrality };
  });
  return sources.map(({ reference }) =>
    scored.filter(({ quote }) => quote.reference === reference).sort((a, b) => b.score - a.score),
  );
}

/** The sources that bear on the query. */
function onTheQuery(bySource: readonly (readonly Scored[])[]): readonly (readonly Scored[])[] {
  const bestOf = (sentences: readonly Scored[]) => Math.max(0, ...sentences.map(({ coverage }) => coverage));
  const least = LEAST_OF_BEST * Math.max(0, ...bySource.map(bestOf));
  return bySource.filter((sentences) => bestOf(sentences) >= least);
}

function saySame(a: Scored, b: Scored): boolean {
  return overlap(a.terms, b.terms) > SAME_OVERLAP;
}
