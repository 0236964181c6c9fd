import type { Passage } from '../../search/passage.ts';
import { passageHeadings } from '../prompt.ts';
import type { Source } from '../sources.ts';
import { type ReadText, type ReadWord, readText } from './read-text.ts';

/** What a check compares: a claim, the window that may support it, and which sentences bear which part. */
export type Comparison = {
  readonly claim: ReadText;
  readonly window: SentenceWindow;
  readonly spans: readonly AlignedSpan[];
  /** Language of the source. */
  readonly language: string;
};

/** Whether the claim stands this comparison. Pure; linear in the claim and the window. */
export type Check = (comparison: Comparison) => boolean;

/** A part of a claim that claims something by itself, and the sentences of a window that say it. */
export type AlignedSpan = {
  readonly words: readonly ReadWord[];
  /** Share of its words that stand in the best one of `sentences`, or in the frame. */
  readonly coverage: number;
  /** Sentences of the window that cover it as well as any, best first. */
  readonly sentences: readonly ReadText[];
};

/** Weight of words that say something by themselves: a shorter clause belongs to its neighbour. */
const MIN_WEIGHT = 2;
/** Of one that a joining word or a full stop sets apart. */
const MIN_APART_WEIGHT = 1;
/** How much less than the best sentence another one that says the same may cover. */
const SAME_COVERAGE = 0.12;

/** Cuts a claim where its clauses end and finds the sentences of the window that bear each part. */
export function alignedSpansOf(claim: ReadText, window: SentenceWindow): readonly AlignedSpan[] {
  return partsOf(claim.words).map((words) => bearersOf(words, window));
}

type Part = { words: ReadWord[]; weight: number; readonly isApart: boolean };

function partsOf(words: readonly ReadWord[]): readonly (readonly ReadWord[])[] {
  const parts: Part[] = [];
  for (const clause of clausesOf(words)) {
    const last = parts.at(-1);
    const least = clause.isApart ? MIN_APART_WEIGHT : MIN_WEIGHT;
    if (last === undefined || last.weight >= least) {
      parts.push(clause);
    } else if (clause.isApart && parts.length > 1) {
      parts.pop();
      addTo(parts.at(-1), last);
      parts.push(clause);
    } else addTo(last, clause);
  }
  const last = parts.at(-1);
  if (last !== undefined && parts.length > 1 && last.weight < (last.isApart ? MIN_APART_WEIGHT : MIN_WEIGHT)) {
    parts.pop();
    addTo(parts.at(-1), last);
  }
  return parts.map((part) => part.words);
}

function clausesOf(words: readonly ReadWord[]): readonly Part[] {
  const clauses: Part[] = [];
  for (const [i, word] of words.entries()) {
    const last = clauses.at(-1);
    if (last === undefined || word.clause !== words[i - 1]?.clause) {
      clauses.push({ words: [word], weight: word.weight, isApart: word.isApart });
    } else addTo(last, { words: [word], weight: word.weight, isApart: false });
  }
  return clauses;
}

function addTo(part: Part | undefined, { words, weight }: Part): void {
  part?.words.push(...words);
  if (part !== undefined) part.weight += weight;
}

function bearersOf(words: readonly ReadWord[], { sentences, source }: SentenceWindow): AlignedSpan {
  const stems = [...new Set(words.filter(({ weight }) => weight > 0).map(({ stem }) => stem))];
  const withHeadings = stems.filter((stem) => hasSameStem(source.headings.stems, stem));
  const rated = sentences.map(({ read }) => {
    const own = stems.filter((stem) => hasSameStem(read.stems, stem));
    const alone = coveredShare(words, new Set(own));
    return { read, alone, coverage: coveredShare(words, new Set([...withHeadings, ...own])) };
  });
  const best = Math.max(0, ...rated.map(({ alone }) => alone));
  const bearing = rated.filter(({ alone }) => alone >= best - SAME_COVERAGE).sort((a, b) => b.alone - a.alone);
  return {
    words,
    coverage: Math.max(0, ...rated.map(({ coverage }) => coverage)),
    sentences: bearing.map(({ read }) => read),
  };
}

/** Letters that two forms of one word share at least: below it prefixes of different words are alike. */
const SHARED_LETTERS = 5;
/** Of the longer form. */
const SHARED_RATIO = 0.55;
/** A part of a compound is a word by itself from here on. */
const PART_LETTERS = 5;
const MAX_ENDING = 3;
/** So many letters are a root of their own, whatever compound follows (erstattet, Erstattungsgrund). */
const ROOT_LETTERS = 7;
const ROOT_ENDING = 2;

/**
 * Whether two stems are most probably forms of one word: the same, one beginning for most of their length, or one the
 * last or first part of the other (Sitzungssaal, Saal). Languages of Europe; others compare whole stems.
 */
export function haveSameStem(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < SHARED_LETTERS - 1) return false;
  if (short.length >= PART_LETTERS && (long.endsWith(short) || long.startsWith(short))) return true;
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  const left = short.length - shared;
  if (shared >= ROOT_LETTERS && left <= ROOT_ENDING) return true;
  if (areOneVerb(a, b)) return true;
  return shared >= SHARED_LETTERS && shared >= long.length * SHARED_RATIO && left <= MAX_ENDING;
}

function areOneVerb(a: string, b: string): boolean {
  const [bareA, bareB] = [withoutPrefix(a), withoutPrefix(b)];
  if (bareA === a && bareB === b) return false;
  const [short, long] = bareA.length <= bareB.length ? [bareA, bareB] : [bareB, bareA];
  return short.length >= SHARED_LETTERS && long.startsWith(short) && long.length - short.length <= ROOT_ENDING;
}

/** A participle of German or Dutch without its `ge`: abgeholt, abholt. */
function withoutPrefix(stem: string): string {
  return stem.length >= PARTICIPLE_LETTERS ? stem.replace(PARTICIPLE, '$1') : stem;
}

const PARTICIPLE =
  /^(|ab|an|auf|aus|bei|ein|her|hin|los|mit|nach|vor|weg|zu|um|af|op|uit|in|over|toe|mee)ge(?=[^aeiou]?[^aeiou]?[aeiouäöü])/;
const PARTICIPLE_LETTERS = 7;

/** Whether the stem or a form near to it is among the stems. */
export function hasSameStem(stems: ReadonlySet<string>, stem: string): boolean {
  if (stems.has(stem)) return true;
  if (stem.length < SHARED_LETTERS - 1) return false;
  return stems.values().some((other) => haveSameStem(stem, other));
}

const WINDOW_SENTENCES = 3;
const COMPARED_WINDOWS = 4;

/** Consecutive sentences of a source that may support a claim. */
export type SentenceWindow = {
  readonly sentences: readonly SourceSentence[];
  readonly source: SourceText;
  /** Weight of the claim's words that stand in the window or in the frame, of the weight of all: 0 to 1. */
  readonly coverage: number;
  /** Whether the stem of a word of the claim occurs in the window or the frame. */
  readonly isCovered: (word: ReadWord) => boolean;
};

/** The windows of a source that cover most of a claim, best first, at most four. Stems of the claim × sentences. */
export function bestWindows(claim: ReadText, source: SourceText): readonly SentenceWindow[] {
  const stems = [...claim.stems];
  const hits = source.sentences.map(() => new Set<string>());
  for (const stem of stems) for (const sentence of sentencesAround(source, stem)) hits[sentence]?.add(stem);
  const withHeadings = new Set(stems.filter((stem) => hasSameStem(source.headings.stems, stem)));
  const windows = hits.map((_, start) => {
    const covered = new Set([
      ...withHeadings,
      ...hits.slice(start, start + WINDOW_SENTENCES).flatMap((hit) => [...hit]),
    ]);
    return { start, covered, own: hits[start]?.size ?? 0, coverage: coveredShare(claim.words, covered) };
  });
  return windows
    .filter(({ own }) => own > 0)
    .sort((a, b) => b.coverage - a.coverage || b.own - a.own)
    .slice(0, COMPARED_WINDOWS)
    .map(({ start, covered, coverage }) => ({
      sentences: source.sentences.slice(start, start + WINDOW_SENTENCES),
      source,
      coverage,
      isCovered: ({ stem }) => covered.has(stem),
    }));
}

/** Weight of the covered words, of the weight of all; each stem counts once. 0 for a text without content. */
export function coveredShare(words: readonly ReadWord[], covered: ReadonlySet<string>): number {
  const seen = new Set<string>();
  let total = 0;
  let found = 0;
  for (const { stem, weight } of words) {
    if (weight === 0 || seen.has(stem)) continue;
    seen.add(stem);
    total += weight;
    if (covered.has(stem)) found += weight;
  }
  return total === 0 ? 0 : found / total;
}

export type SourceSentence = { readonly passage: Passage; readonly read: ReadText };

/** What a source can support with: its sentences but suspicious ones, in order, and where they stand. */
export type SourceText = {
  readonly reference: number;
  readonly language: string;
  /** Its first one. */
  readonly passage: Passage;
  readonly sentences: readonly SourceSentence[];
  /** Title and headings of all its passages, but what is suspicious in them. */
  readonly headings: ReadText;
  /** Words that stand capitalised inside a sentence somewhere in the source. */
  readonly names: ReadonlySet<string>;
  /** In which sentences each stem stands. */
  readonly sentencesByStem: ReadonlyMap<string, readonly number[]>;
  /** Sentences with a stem near to one that was asked for: grows by the stems of the claims. */
  readonly sentencesAround: Map<string, ReadonlySet<number>>;
  /** All words in order, and where each stands in it. */
  readonly words: readonly PlacedWord[];
  readonly places: ReadonlyMap<string, readonly number[]>;
};

export type PlacedWord = {
  readonly word: string;
  /** Of the source. */
  readonly sentence: number;
  readonly startsClause: boolean;
  /** Without weight: an article, a pronoun, an auxiliary. */
  readonly isEmpty: boolean;
  readonly endsClause: boolean;
};

/**
 * A source for all claims of an answer. Each part is read when it is asked for first: that a sentence stands in it as it
 * is costs next to nothing, its words about 1 ms for a passage of 180. Linear.
 */
export function readSource(source: Source): SourceText {
  return new LazilyReadSource(source);
}

/** A class for the same reason as that of read texts. */
class LazilyReadSource implements SourceText {
  readonly reference: number;
  readonly passage: Passage;
  readonly language: string;
  readonly sentences: readonly SourceSentence[];
  readonly headings: ReadText;
  readonly sentencesAround = new Map<string, ReadonlySet<number>>();
  #names: ReadonlySet<string> | undefined;
  #sentencesByStem: ReadonlyMap<string, readonly number[]> | undefined;
  #words: readonly PlacedWord[] | undefined;
  #places: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(source: Source) {
    const [passage] = source.passages;
    const { language } = passage;
    this.reference = source.reference;
    this.passage = passage;
    this.language = language;
    this.sentences = source.passages.flatMap((own) =>
      own.sentences
        .filter(({ isSuspicious }) => !isSuspicious)
        .map(({ text }) => ({ passage: own, read: readText(text, language) })),
    );
    this.headings = readText(headingsOf(source).join('\n'), language);
  }

  get names(): ReadonlySet<string> {
    this.#names ??= namesOf(this.sentences);
    return this.#names;
  }

  get sentencesByStem(): ReadonlyMap<string, readonly number[]> {
    this.#sentencesByStem ??= sentencesByStem(this.sentences);
    return this.#sentencesByStem;
  }

  get words(): readonly PlacedWord[] {
    this.#words ??= this.sentences.flatMap(({ read }, sentence) => placedWords(read, sentence));
    return this.#words;
  }

  get places(): ReadonlyMap<string, readonly number[]> {
    this.#places ??= placesOf(this.words);
    return this.#places;
  }
}

function namesOf(sentences: readonly SourceSentence[]): ReadonlySet<string> {
  return new Set(sentences.flatMap(({ read }) => read.words.filter(({ isName }) => isName).map(({ word }) => word)));
}

function placedWords({ words }: ReadText, sentence: number): readonly PlacedWord[] {
  return words.map(({ word, weight, endsClause, clause }, i) => ({
    word,
    sentence,
    endsClause,
    isEmpty: weight === 0,
    startsClause: clause !== words[i - 1]?.clause,
  }));
}

function placesOf(words: readonly PlacedWord[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [i, { word }] of words.entries()) {
    const known = positions.get(word);
    if (known === undefined) positions.set(word, [i]);
    else known.push(i);
  }
  return positions;
}

/** The sentences of a source that have a stem or a form near to it. Each stem is looked for once. */
function sentencesAround(source: SourceText, stem: string): ReadonlySet<number> {
  const known = source.sentencesAround.get(stem);
  if (known !== undefined) return known;
  const found = new Set<number>();
  for (const [other, sentences] of source.sentencesByStem) {
    if (haveSameStem(stem, other)) for (const sentence of sentences) found.add(sentence);
  }
  source.sentencesAround.set(stem, found);
  return found;
}

function sentencesByStem(sentences: readonly SourceSentence[]): ReadonlyMap<string, readonly number[]> {
  const byStem = new Map<string, number[]>();
  for (const [i, { read }] of sentences.entries()) {
    for (const stem of read.stems) {
      const known = byStem.get(stem);
      if (known === undefined) byStem.set(stem, [i]);
      else known.push(i);
    }
  }
  return byStem;
}

function headingsOf({ passages }: Source): readonly string[] {
  return [...new Set(passages.map(passageHeadings).flatMap(({ title, headings }) => [title, ...headings]))];
}

/** The words of several sources in one row. Numbers of sentences count through. */
export type ConcatenatedSources = {
  readonly words: readonly PlacedWord[];
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly sentences: readonly { readonly read: ReadText; readonly headings: ReadText }[];
};

/** Joins the sources of an answer: what is put together of two of them is seen as what is put together of one. Linear. */
export function concatenateSources(sources: readonly SourceText[]): ConcatenatedSources {
  const words: PlacedWord[] = [];
  const positions = new Map<string, number[]>();
  const sentences: { read: ReadText; headings: ReadText }[] = [];
  for (const source of sources) {
    const first = sentences.length;
    for (const { read } of source.sentences) sentences.push({ read, headings: source.headings });
    for (const placed of source.words) {
      const known = positions.get(placed.word);
      if (known === undefined) positions.set(placed.word, [words.length]);
      else known.push(words.length);
      words.push({ ...placed, sentence: first + placed.sentence });
    }
  }
  return { words, places: positions, sentences };
}
