import { type BoundedCache, createBoundedCache } from '../core/bounded-cache.ts';
import type { Clock } from '../core/clock.ts';
import type { FilterNode } from '../core/filters.ts';
import type { EngineSettings } from '../core/records.ts';
import type { Passage, QuestionTerm } from '../search/passage.ts';
import { foldWord } from '../text/folding.ts';
import type { QuestionWordings } from '../text/languages/language-pack.ts';
import { answerTableOf } from '../text/languages/packs.ts';
import { stemWord } from '../text/stemming.ts';
import type { AnswerOutcome, AnswerSegment } from './answer-event.ts';
import type { AnswerLength } from './composer.ts';
import { writtenWords } from './question.ts';
import { type AnalysedQuestion, askedKind, plainQuestion, questionType } from './question-types.ts';
import { negationOf } from './support/contradicting-words.ts';

/** All that decides an answer beside the content. */
export type AnswerKey = {
  readonly engineId: number;
  readonly question: AnalysedQuestion;
  readonly terms: readonly QuestionTerm[];
  /** Of the answer. */
  readonly language: string;
  readonly length: AnswerLength;
  readonly filter: FilterNode;
  readonly boosts: readonly { readonly field: string; readonly values: readonly string[]; readonly factor: number }[];
  readonly sourceFields: readonly string[];
  readonly customPrompt: string | undefined;
  /** The caller has an API key: what it wishes may be trusted. */
  readonly hasKey: boolean;
  /** Of the engine: its thresholds, instructions and links. */
  readonly settings: Pick<
    EngineSettings,
    'aiInstructions' | 'trustedCustomPrompt' | 'citationFragments' | 'answerThreshold'
  >;
  /** Id of the model; undefined = extractive. */
  readonly model: string | undefined;
};

/** What the index holds on a question at the moment. */
export type PresentPassages = {
  /** Best first. */
  readonly passages: readonly Passage[];
  readonly passesGate: boolean;
};

export type CacheableAnswer = {
  readonly segments: readonly AnswerSegment[];
  readonly outcome: AnswerOutcome;
  /** Those that the composer had. */
  readonly prompted: readonly Passage[];
  readonly passedGate: boolean;
};

export type CachedAnswer = Pick<CacheableAnswer, 'segments' | 'outcome'>;

/**
 * Answers of this process. A kept answer is given again only while every passage that it cites is among those found now,
 * unchanged, while the best passage of now is one that it was made of, and while the gate says the same: so nothing
 * comes from a page that no longer says it, and a page that says it better is seen at once.
 */
export type AnswerCache = {
  find(answerKey: AnswerKey, present: PresentPassages): CachedAnswer | undefined;
  /** Unfinished and degraded answers are not kept; refusals for a minute. */
  keep(answerKey: AnswerKey, answer: CacheableAnswer): void;
};

type Entry = CachedAnswer & {
  readonly cited: ReadonlySet<string>;
  readonly prompted: ReadonlySet<string>;
  readonly passedGate: boolean;
  readonly until: number;
};

const REFUSAL_TTL_MS = 60_000;
/** Raised when the prompt, the gate or the guard change what is answered. */
const ANSWER_VERSION = 2;
const BYTES_PER_CHAR = 2;
const BYTES_PER_ENTRY = 600;

/** Cost of both calls: some 0.1 ms, most of it for the wording of the question, once. No room = nothing is kept. */
export function createAnswerCache(options: {
  readonly maxBytes: number;
  readonly ttlMs: number;
  readonly clock: Clock;
}): AnswerCache {
  const { maxBytes, ttlMs, clock } = options;
  const cached: BoundedCache<Entry> = createBoundedCache(maxBytes);
  const known = new WeakMap<AnswerKey, string>();
  /** What is not found is kept a moment later. */
  const knownKeyOf = (answerKey: AnswerKey): string => {
    const key = known.get(answerKey) ?? keyOf(answerKey);
    known.set(answerKey, key);
    return key;
  };
  return {
    find(answerKey, present) {
      const key = knownKeyOf(answerKey);
      const entry = cached.get(key);
      if (entry === undefined) return undefined;
      if (entry.until > clock.now() && stillHolds(entry, present)) return entry;
      cached.delete(key);
      return undefined;
    },
    keep(answerKey, { segments, outcome, prompted, passedGate }) {
      if (outcome.isIncomplete || outcome.isDegraded) return;
      const until = clock.now() + (outcome.refusal === undefined ? ttlMs : Math.min(ttlMs, REFUSAL_TTL_MS));
      const cited = new Set(segments.flatMap(({ citations }) => citations.map(identityOf)));
      const entry = { segments, outcome, cited, prompted: new Set(prompted.map(identityOf)), passedGate, until };
      const key = knownKeyOf(answerKey);
      const chars = key.length + JSON.stringify(segments).length + 100 * (entry.cited.size + entry.prompted.size);
      cached.set(key, entry, BYTES_PER_ENTRY + BYTES_PER_CHAR * chars);
    },
  };
}

function stillHolds({ cited, prompted, passedGate }: Entry, present: PresentPassages): boolean {
  if (passedGate !== present.passesGate) return false;
  const [best] = present.passages;
  if (best === undefined || !prompted.has(identityOf(best))) return best === undefined && prompted.size === 0;
  const found = new Set(present.passages.map(identityOf));
  return cited.isSubsetOf(found);
}

/** The hash covers text and headings: a passage that says something else is another one. */
function identityOf({
  crawlerId,
  documentId,
  ordinal,
  hash,
}: Pick<Passage, 'crawlerId' | 'documentId' | 'ordinal' | 'hash'>) {
  return JSON.stringify([crawlerId, documentId, ordinal, hash]);
}

/** The same for questions that ask the same in other words. */
function keyOf({ question, terms, settings, ...rest }: AnswerKey): string {
  const { aiInstructions, trustedCustomPrompt, citationFragments, answerThreshold } = settings;
  const said = [aiInstructions, trustedCustomPrompt, citationFragments, answerThreshold];
  return JSON.stringify([ANSWER_VERSION, questionWording(question, terms), question.language, said, rest]);
}

/** Stands for every word that denies. */
const DENIAL = '¬';

type Table = {
  readonly phrases: readonly (readonly [RegExp, string])[];
  readonly empty: ReadonlySet<string>;
  readonly queryWords: ReadonlyMap<string, ReadonlySet<string>>;
  readonly ways: ReadonlySet<string>;
  readonly modes: readonly (readonly [string, RegExp])[];
};

/**
 * What a question asks, the same for questions that ask it in other words and different for all others: what it wants,
 * and the stems of its words but those known to say nothing, with one form for synonyms. Every other word counts, so
 * that a number, a name, a negation or a direction makes another question. In languages without a table all words, in
 * their order.
 */
function questionWording(question: AnalysedQuestion, terms: readonly QuestionTerm[]): string {
  const { language } = question;
  const table = tableOf(language);
  const synonyms = new Map(terms.map((term) => [term.text, term]));
  const formOf = (word: string) => leastForm(word, synonyms.get(word), language);
  if (table === undefined) {
    return JSON.stringify([
      question.type,
      question.asksFor ?? '',
      question.written.map((word) => stemWord(word, language)),
    ]);
  }
  const plain = plainWording(question, table);
  const type = questionType(plain, language);
  const asksFor = askedKind(plain, language);
  const silent = asksFor === undefined ? undefined : table.queryWords.get(asksFor);
  const said: string[] = [];
  let way = '';
  for (const word of wordsOf(question, plain)) {
    const folded = foldWord(word);
    if (negationOf(folded, language) === 'negation') said.push(DENIAL);
    else if (table.ways.has(folded)) way = `${folded} `;
    else if (!table.empty.has(folded) && silent?.has(folded) !== true) {
      said.push(way + formOf(word));
      way = '';
    }
  }
  return JSON.stringify([wanted(type, asksFor, silent), modeOf(plain, type, table), [...new Set(said)].sort()]);
}

/** With its phrases brought to one of those that ask the same. */
function plainWording({ text, language }: AnalysedQuestion, { phrases }: Table): string {
  const plain = plainQuestion(text, language);
  return phrases.reduce((said, [phrase, same]) => said.replace(phrase, same), plain).trim();
}

/** Words of the phrases, else words as the question has them: folded ones are other words to a stemmer. */
function wordsOf({ written }: AnalysedQuestion, plain: string): readonly string[] {
  const asWritten = new Map(written.map((word) => [foldWord(word), word]));
  return writtenWords(plain).map((word) => asWritten.get(word) ?? word);
}

/** What decides by itself needs no type; a definition is what a question by the bare name wants. */
function wanted(type: string, asksFor: string | undefined, silent: ReadonlySet<string> | undefined): string {
  if (asksFor !== undefined && silent !== undefined) return asksFor;
  return type === 'definition' ? 'other' : type;
}

function modeOf(plain: string, type: string, { modes }: Table): string {
  if (type !== 'yes-no') return '';
  return modes.find(([, opening]) => opening.test(plain))?.[0] ?? '';
}

/** One form for all words of a group of synonyms. */
function leastForm(word: string, term: QuestionTerm | undefined, language: string): string {
  const same = (term?.alternatives ?? []).flatMap(({ words: [first = '', ...more], isSynonym }) =>
    isSynonym && more.length === 0 ? [first] : [],
  );
  return [word, ...same].map((form) => stemWord(form, language)).sort()[0] ?? word;
}

const tables = new Map<string, Table>();

function tableOf(language: string): Table | undefined {
  const lists = WORDING_TABLES[language];
  if (lists === undefined) return undefined;
  const known = tables.get(language) ?? compile(lists);
  tables.set(language, known);
  return known;
}

function compile({ phrases, empty, asked, ways, modes }: QuestionWordings): Table {
  return {
    phrases: phrases.map(([phrase, same]) => [wholePhrase(phrase), same]),
    empty: wordSet(empty),
    queryWords: new Map(Object.entries(asked).map(([kind, words]) => [kind, wordSet(words)])),
    ways: wordSet(ways),
    modes: Object.entries(modes).map(([mode, openings]) => [mode, new RegExp(`^(?:${openings})(?!\\p{L})`, 'u')]),
  };
}

function wholePhrase(phrase: string): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${phrase.replace(/\s*\n\s*/g, '')})(?!\p{L})`, 'gu');
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

const WORDING_TABLES = answerTableOf('wordings');
