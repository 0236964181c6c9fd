import { textClassOfValue } from '../search-index/relevance.ts';
import type { MatchedAlternative, MatchedWord } from '../search-index/search-index.ts';
import type { Vocabulary } from '../text/compounds.ts';
import { foldWord } from '../text/folding.ts';
import { stemWord } from '../text/stemming.ts';
import { bigramTerm } from '../text/term-keys.ts';
import { blockTest } from './block-test.ts';
import { partTest } from './part-test.ts';
import type { QueryPattern } from './query-patterns.ts';

/** Tells which words of a query a word of a text stands for. */
export type WordFinder = {
  /** Numbers of what is asked; empty = nothing. `surface` is normalised. */
  wordsOf(surface: string): readonly number[];
  /** Numbers below this mark a word wherever it stands; the others are words of `phrases`. */
  readonly alone: number;
  /** Alternatives of several words, which are marked only together. */
  readonly phrases: readonly QueryPhrase[];
  /** Numbers of the words of `phrases` that two neighbouring characters may be. */
  bigramsOf(characters: string): readonly number[];
  /** False when no word that begins with this lower-case unit can be one: most words need no string. */
  mayBegin(unit: number): boolean;
  /** False when no part of a text can be one; quick, for long texts. */
  mayStandIn(text: string): boolean;
};

/** Words that stand in this order, with at most `slop` words between; they stand for word `as` of the query. */
export type QueryPhrase = {
  readonly words: readonly number[];
  readonly slop: number;
  readonly as: number;
  /** They are pairs of characters: what they cover is one mark. */
  readonly isOneSpan: boolean;
};

type WantedForm = {
  readonly matched: readonly MatchedWord[];
  readonly vocabulary?: Vocabulary | undefined;
  readonly patterns: readonly QueryPattern[];
  /** Of the document. */
  readonly language: string;
};

/** Stemmers of these languages may change how a word begins. */
const CHANGE_BEGINNINGS: ReadonlySet<string> = new Set(['ar', 'ga', 'id']);
const NO_WORDS: readonly number[] = [];
const UNKNOWN = 0;
const YES = 1;
const NO = 2;

/** Undefined when nothing is asked of this field: a word without a field is asked of searched texts only. */
export function createWordFinder(field: string, value: string, wanted: WantedForm): WordFinder | undefined {
  const searched = textClassOfValue(field, value) !== 'none';
  const isAsked = (input: string | undefined) => (input === undefined ? searched : input === field);
  const words = wanted.matched.map((word) => (isAsked(word.field) ? formsOf(word) : undefined));
  const patterns = wanted.patterns.map((pattern) => (isAsked(pattern.field) ? pattern : undefined));
  if ([...words, ...patterns].every((part) => part === undefined)) return undefined;
  const alone = words.length + patterns.length;
  const { phrases, parts } = phrasesOf(
    wanted.matched.map((word) => (isAsked(word.field) ? (word.also ?? []) : [])),
    alone,
  );
  const forms = [...words, ...parts];
  const compounds = wanted.matched.map((word) =>
    isAsked(word.field) ? partTest(word, wanted.language, wanted.vocabulary) : undefined,
  );
  const heads = headsOf(forms, patterns, wanted.language);
  const partStems = compounds.flatMap((compound) => compound?.stems ?? []);
  let test: { readonly pattern: RegExp | undefined } | undefined;
  return {
    alone,
    phrases,
    bigramsOf: (characters) => {
      const term = bigramTerm(characters);
      return parts.flatMap((part, index) => (part.has(term) ? [alone + index] : []));
    },
    wordsOf: rememberWords((surface) => {
      const stem = stemWord(surface, wanted.language);
      const folded = foldWord(surface);
      const has = (set: ReadonlySet<string> | undefined) => set !== undefined && (set.has(stem) || set.has(folded));
      const inWords = words.map((set, index) => has(set) || compounds[index]?.holds(surface) === true);
      return [...inWords, ...patterns.map((pattern) => pattern?.matches(folded) === true), ...parts.map(has)];
    }),
    // A compound begins with any of its parts.
    mayBegin: beginsLike(partStems.length > 0 ? undefined : heads),
    mayStandIn: (text) => {
      test ??= { pattern: heads === undefined ? undefined : blockTest([...heads, ...partStems]) };
      return test.pattern?.test(text) ?? true;
    },
  };
}

/** Forms of the word and of its alternatives of one word. */
function formsOf({ forms, also = [] }: MatchedWord): ReadonlySet<string> {
  const single = also.flatMap((alternative) => (isSingle(alternative) ? alternative.forms : []));
  return single.length === 0 ? forms : new Set([...forms, ...single.flatMap((set) => [...set])]);
}

function isSingle({ words, source }: MatchedAlternative): boolean {
  return words.length === 1 && source !== 'bigrams';
}

/** Alternatives of several words, whose words are numbered from `first` on. */
function phrasesOf(alternatives: readonly (readonly MatchedAlternative[])[], first: number) {
  const phrases: QueryPhrase[] = [];
  const parts: ReadonlySet<string>[] = [];
  for (const [as, ofWord] of alternatives.entries()) {
    for (const alternative of ofWord) {
      if (isSingle(alternative)) continue;
      const { words, slop, forms, source } = alternative;
      const numbers = words.map((_, index) => first + parts.length + index);
      phrases.push({ words: numbers, slop, as, isOneSpan: source === 'bigrams' });
      parts.push(...forms);
    }
  }
  return { phrases, parts };
}

function rememberWords(test: (surface: string) => readonly boolean[]): (surface: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (surface) => {
    const remembered = known.get(surface);
    if (remembered !== undefined) return remembered;
    const words = test(surface).flatMap((holds, index) => (holds ? [index] : []));
    known.set(surface, words.length === 0 ? NO_WORDS : words);
    return words;
  };
}

/** What folded words begin like; undefined = anything. */
function headsOf(
  forms: readonly (ReadonlySet<string> | undefined)[],
  patterns: readonly (QueryPattern | undefined)[],
  language: string,
): readonly string[] | undefined {
  const heads = patterns.filter((pattern) => pattern !== undefined).map(({ head }) => head);
  if (CHANGE_BEGINNINGS.has(language) || heads.includes('')) return undefined;
  return [...forms.flatMap((set) => [...(set ?? [])]), ...heads];
}

function beginsLike(heads: readonly string[] | undefined): (unit: number) => boolean {
  if (heads === undefined) return () => true;
  const letters = new Set(heads.map((head) => head.charAt(0)));
  const known = new Uint8Array(0x10000);
  return (unit) => {
    const answer = known[unit];
    if (answer !== UNKNOWN) return answer === YES;
    // A half of a surrogate pair is no letter of its own.
    const folded = unit >= 0xd800 && unit < 0xe000 ? '' : foldWord(String.fromCharCode(unit)).charAt(0);
    const fits = folded === '' || letters.has(folded);
    known[unit] = fits ? YES : NO;
    return fits;
  };
}
