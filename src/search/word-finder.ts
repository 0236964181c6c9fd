import { textClassOfValue } from '../search-index/relevance.ts';
import type { MatchedWord } from '../search-index/search-index.ts';
import { foldWord } from '../text/folding.ts';
import { stemWord } from '../text/stemming.ts';
import type { AskedPattern } from './asked-patterns.ts';
import { blockTest } from './block-test.ts';

/** Tells which words of a query a word of a text stands for. */
export type WordFinder = {
  /** Numbers of the matched words, then of the patterns; empty = none. `surface` is normalised. */
  wordsOf(surface: string): readonly number[];
  /** False when no word that begins with this lower-case unit can be one: most words need no string. */
  mayBegin(unit: number): boolean;
  /** False when no part of a text can be one; quick, for long texts. */
  mayStandIn(text: string): boolean;
};

type Asked = {
  readonly matched: readonly MatchedWord[];
  readonly patterns: readonly AskedPattern[];
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
export function createWordFinder(field: string, value: string, asked: Asked): WordFinder | undefined {
  const searched = textClassOfValue(field, value) !== 'none';
  const isAsked = (of: string | undefined) => (of === undefined ? searched : of === field);
  const forms = asked.matched.map((word) => (isAsked(word.field) ? word.forms : undefined));
  const patterns = asked.patterns.map((pattern) => (isAsked(pattern.field) ? pattern : undefined));
  if ([...forms, ...patterns].every((part) => part === undefined)) return undefined;
  const heads = headsOf(forms, patterns, asked.language);
  let test: { readonly pattern: RegExp | undefined } | undefined;
  return {
    wordsOf: rememberWords((surface) => {
      const stem = stemWord(surface, asked.language);
      const folded = foldWord(surface);
      const stems = forms.map((set) => set !== undefined && (set.has(stem) || set.has(folded)));
      return [...stems, ...patterns.map((pattern) => pattern?.matches(folded) === true)];
    }),
    mayBegin: beginsLike(heads),
    mayStandIn: (text) => {
      test ??= { pattern: heads === undefined ? undefined : blockTest(heads) };
      return test.pattern?.test(text) ?? true;
    },
  };
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
  patterns: readonly (AskedPattern | undefined)[],
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
