import { editDistance, matchesWildcard } from '../core/compare-text.ts';
import type { MatchNode, PatternNode } from '../search-index/query-plan.ts';
import { textClassOfValue } from '../search-index/relevance.ts';
import type { MatchedAlternative, MatchedWord } from '../search-index/search-index.ts';
import type { Vocabulary } from '../text/compounds.ts';
import { foldWord } from '../text/folding.ts';
import { stemWord } from '../text/stemming.ts';
import { bigramTerm, partTerm } from '../text/term-keys.ts';

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

/** A pattern or fuzzy word of a query, as a test of folded words. */
export type QueryPattern = {
  readonly field: string | undefined;
  /** What every such word begins with; `''` = anything. */
  readonly head: string;
  matches(folded: string): boolean;
};

/** Patterns and fuzzy words of a match that select documents: those under a `not` mark nothing. */
export function queryPatterns(match: MatchNode): readonly QueryPattern[] {
  switch (match.kind) {
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
      return [queryPattern(match)];
    case 'and':
    case 'or':
      return match.of.flatMap(queryPatterns);
    case 'some':
      return [...match.must, ...match.should].flatMap(queryPatterns);
    default:
      return [];
  }
}

function queryPattern(node: PatternNode): QueryPattern {
  const { field } = node;
  if (node.kind === 'fuzzy') {
    const { text, distance } = node;
    return { field, head: '', matches: (folded) => isWithin(text, folded, distance) };
  }
  if (node.kind === 'prefix') {
    const { pattern } = node;
    return { field, head: pattern, matches: (folded) => folded.startsWith(pattern) };
  }
  const [head = ''] = node.pattern.split(/[*?]/, 1);
  const pattern = [...node.pattern];
  return { field, head, matches: (folded) => matchesWildcard(pattern, [...folded]) };
}

function isWithin(a: string, b: string, distance: number): boolean {
  return a === b || (Math.abs(a.length - b.length) <= distance && editDistance(a, b) <= distance);
}

/** Letters that the words of one stem share at least; stems of three letters and less share one (die, dying). */
const SHARED_STEM_LETTERS = 3;
/** What may stand between two letters of a word without being one: soft hyphens, joiners, apostrophes, accents. */
const BETWEEN = "[\\u00ad\\u200c\\u200d\\u2060'’\\u0300-\\u036f]*";
/** Two letters that one letter may be folded from (æ, œ, ß, þ). */
const FROM_ONE_LETTER = /ae|oe|ss|th/;

/**
 * A quick test whether a piece of text can hold a word that begins like one of these folded forms, so that it must be
 * read word by word. Undefined when there is none: other letters than Latin ones, or too short forms.
 */
function blockTest(forms: readonly string[]): RegExp | undefined {
  const heads = new Set(forms.map((form) => form.slice(0, SHARED_STEM_LETTERS)));
  const usable = forms.every((form) => form.length > SHARED_STEM_LETTERS && /^[a-z]{3}/.test(form));
  if (heads.size === 0 || !usable) return undefined;
  return new RegExp([...heads].map(headPattern).join('|'));
}

/** Letters at the end of a form that inflection may change. */
const INFLECTED_LETTERS = 2;

/**
 * How many words of a query seem to stand in a text: 1 for each that has a word that begins as one of its forms, ½ where
 * all but the end of the form agrees. Quick, and for choosing where to look alone: it misses irregular forms and
 * compounds.
 */
export function likelyWords({ matched }: Pick<WantedForm, 'matched'>): (text: string) => number {
  const tests = matched.map((word) => {
    const forms = [...formsOf(word)].filter((form) => form !== '');
    const begins = beginningTest(forms);
    const beginsAlike = beginningTest(
      forms.map((form) => form.slice(0, Math.max(SHARED_STEM_LETTERS, form.length - INFLECTED_LETTERS))),
    );
    return (text: string) => (beginsAlike(text) ? (begins(text) ? 1 : 0.5) : 0);
  });
  return (text) => tests.reduce((words, test) => words + test(text), 0);
}

/** Whether a word of a text begins as one of these folded forms; of other letters than Latin ones, whether it has one. */
function beginningTest(forms: readonly string[]): (text: string) => boolean {
  const latin = forms.filter((form) => /^[a-z]+$/.test(form));
  const others = forms.filter((form) => !latin.includes(form));
  const pattern =
    latin.length === 0 ? undefined : new RegExp(`(?<![\\p{L}])(?:${latin.map(headPattern).join('|')})`, 'u');
  return (text) => pattern?.test(text) === true || others.some((form) => text.includes(form));
}

function headPattern(head: string): string {
  const letters = [...head].map((letter, index) => {
    const optional = FROM_ONE_LETTER.test(`${head.charAt(index - 1)}${letter}`) ? '?' : '';
    return `[${writtenAs().get(letter) ?? letter}]${optional}`;
  });
  return letters.join(BETWEEN);
}

let written: ReadonlyMap<string, string> | undefined;

/** Per folded letter everything in the Latin blocks that is it, or begins with it, when folded. */
function writtenAs(): ReadonlyMap<string, string> {
  written ??= readLatin();
  return written;
}

function readLatin(): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  for (const [first, last] of LATIN) {
    for (let unit = first; unit <= last; unit++) {
      const char = String.fromCharCode(unit);
      const folded = foldWord(char.toLowerCase()).charAt(0);
      if (/\p{L}/u.test(char)) letters.set(folded, (letters.get(folded) ?? '') + char);
    }
  }
  return letters;
}

const LATIN = [
  [0x41, 0x24f],
  [0x1e00, 0x1eff],
] as const;

/** Letters at the beginning of a part's stem that are letters of the compound too, whatever inflection does. */
const SHARED_PART_LETTERS = 3;

export type PartTest = {
  /** Folded stems that a compound must hold one of. */
  readonly stems: readonly string[];
  holds(surface: string): boolean;
};

/** Tests whether a word of a text is a compound with a part that satisfied the query's word; undefined = none did. */
function partTest(
  { also = [] }: MatchedWord,
  language: string,
  vocabulary: Vocabulary | undefined,
): PartTest | undefined {
  const terms = new Set(also.filter(({ source }) => source === 'part').flatMap(({ words }) => words));
  const own = partTerm('', language);
  const stems = [...terms].filter((term) => term.startsWith(own)).map((term) => term.slice(own.length));
  if (vocabulary === undefined || stems.length === 0) return undefined;
  const holds = (surface: string) => {
    const folded = foldWord(surface);
    if (!stems.some((stem) => folded.includes(stem.slice(0, SHARED_PART_LETTERS)))) return false;
    const parts = vocabulary.split(stemWord(surface, language), language)?.stems ?? [];
    return parts.some((part) => stems.includes(part));
  };
  return { stems, holds };
}
