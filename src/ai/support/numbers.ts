import { type AlignedSpan, type Check, type Comparison, haveSameStem } from './check.ts';
import { plainText, type ReadText, type ReadWord } from './read-text.ts';

/** Words on each side that tell what a number counts. */
const WITHIN_WORDS = 4;
/** Words behind a number among which what it counts stands. */
const COUNTED_WITHIN = 2;

/**
 * Each number of the claim stands in a sentence that bears its part, beside a word that stands beside it in the claim; or
 * in another sentence of the window before the same word, when the bearing sentence counts nothing of the kind.
 */
export const numbersCheck: Check = ({ spans, window }) => {
  const headings = [window.source.headings];
  const others = window.sentences.map(({ read }) => read);
  return spans.every((span) =>
    span.words.every((word, i) => {
      if (word.numbers.length === 0) return true;
      const within = sameStems(span.words, i);
      const counted = countedStem(span.words, i);
      const anchors = sameStems(span.words, i, span.words.length);
      if (isBoundElsewhere(span, word, anchors)) return false;
      return (
        occursWithin([...span.sentences, ...headings], word, within) ||
        isCountedElsewhere({ word, counted, span, others }) ||
        (!span.sentences.some(hasNumbers) && occursWithin(others, word, within)) ||
        span.sentences.some((sentence) => clauseNumbers(sentence, anchors).some((other) => areSameNumber(other, word)))
      );
    }),
  );
};

function occursWithin(texts: readonly ReadText[], number: ReadWord, within: readonly string[]): boolean {
  return texts.some(({ words }) =>
    words.some((word, i) => {
      if (!areSameNumber(word, number)) return false;
      const there = sameStems(words, i);
      return (
        within.length === 0 ||
        there.length === 0 ||
        within.some((stem) => there.some((other) => haveSameStem(stem, other)))
      );
    }),
  );
}

/** Numbers that stand in a clause with one of the words, those aside that several numbers stand with: days, euros. */
function clauseNumbers({ words }: ReadText, stems: readonly string[]): readonly ReadWord[] {
  const numbers = words.filter((word) => word.numbers.length > 0);
  const counting = new Set(numbers.map(({ clause }) => clause));
  const clauses = stems.flatMap((stem) => {
    const there = words.filter((word) => word.weight > 0 && haveSameStem(word.stem, stem)).map(({ clause }) => clause);
    const own = new Set(there.filter((clause) => counting.has(clause)));
    return own.size === 1 ? [...own] : [];
  });
  return numbers.filter(({ clause }) => clauses.includes(clause));
}

/** The best sentence says the number of something else, and other numbers in the clauses that have the words. */
function isBoundElsewhere({ sentences: [best] }: AlignedSpan, number: ReadWord, stems: readonly string[]): boolean {
  const own = best?.words.filter((word) => areSameNumber(word, number)) ?? [];
  if (best === undefined || own.length === 0) return false;
  const bound = clauseNumbers(best, stems);
  if (bound.length === 0 || bound.some((other) => areSameNumber(other, number))) return false;
  return own.every(({ clause }) => best.words.some((word) => word.clause === clause && word.weight === 1));
}

type Counting = {
  readonly word: ReadWord;
  readonly counted: string | undefined;
  readonly span: AlignedSpan;
  readonly others: readonly ReadText[];
};

function isCountedElsewhere({ word, counted, span, others }: Counting): boolean {
  if (counted === undefined) return false;
  const countsOf = (texts: readonly ReadText[]) =>
    texts.flatMap(({ words }) =>
      words.filter(({ numbers }, i) => numbers.length > 0 && haveSameStem(countedStem(words, i) ?? '', counted)),
    );
  return countsOf(span.sentences).length === 0 && countsOf(others).some((other) => areSameNumber(other, word));
}

function hasNumbers({ words }: ReadText): boolean {
  return words.some(({ numbers }) => numbers.length > 0);
}

export function areSameNumber(a: ReadWord, b: ReadWord): boolean {
  return a.numbers.some((form) => b.numbers.includes(form));
}

function sameStems(words: readonly ReadWord[], index: number, within = WITHIN_WORDS): readonly string[] {
  return words
    .slice(Math.max(0, index - within), index + within + 1)
    .filter(({ weight }) => weight > 0)
    .map(({ stem }) => stem);
}

function countedStem(words: readonly ReadWord[], index: number): string | undefined {
  return words.slice(index + 1, index + 1 + COUNTED_WITHIN).find(({ weight }) => weight > 0)?.stem;
}

/**
 * Code spans; options; paths; dotted, snake, camel and upper-case words; words of letters and digits; addresses. Each
 * alternative is bounded.
 */
const IDENTIFIER =
  /`[^`\n]{1,200}`|(?<![\p{L}\p{N}-])--?[a-z][\w-]{1,60}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}|(?<![\p{L}\p{N}])(?:~|\.{1,2})?\/[\w.-]{2,80}(?:\/[\w.*-]{1,80}){0,20}|(?<![\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]{1,60}(?:(?:[_/]|::)[\p{L}\p{N}_]{1,60}){2,12}|(?<![\p{L}\p{N}_])[\p{L}\p{N}]{1,60}(?:_[\p{L}\p{N}]{1,60}){1,12}|(?<![\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]{1,60}(?:\.[\p{L}_][\p{L}\p{N}_]{1,60}){1,8}|(?<![\p{L}\p{N}_])\p{Ll}{1,40}\p{Lu}[\p{L}\p{N}]{0,60}|(?<![\p{L}\p{N}_])\p{Lu}{2,40}[\p{Lu}\p{N}]{0,20}(?![\p{L}])|(?<![\p{L}\p{N}_])(?=\p{sc=Latin}{1,40}\p{N})\p{sc=Latin}[\p{sc=Latin}\p{N}]{1,60}/gu;

/**
 * Names of code of the claim stand literally, in any case, in the window or the frame; words with a digit in a sentence
 * that bears their part, or in the frame: `uuid1` and `uuid3` stand side by side.
 */
export const identifiersCheck: Check = (comparison) => {
  const { claim, window } = comparison;
  const headings = window.source.headings.plain;
  const numbered = claim.words.filter((word) => hasDigit(word) && !hasWhole(headings, plainText(word.raw)));
  if (!numbered.every((word) => isBorne(word, comparison))) return false;
  const identifiers = identifiersOf(claim.text);
  if (identifiers.length === 0) return true;
  const texts = [...window.sentences.map(({ read }) => read.plain), headings];
  return identifiers.every((identifier) => texts.some((text) => hasWhole(text, identifier)));
};

/** Numbers have a check of their own. */
function hasDigit({ raw, numbers, isParaphrase }: ReadWord): boolean {
  return numbers.length === 0 && !isParaphrase && /\d/.test(raw);
}

function isBorne(word: ReadWord, { spans }: Comparison): boolean {
  const own = spans.filter(({ words }) => words.includes(word));
  return own.every(({ sentences }) => sentences.some(({ plain }) => hasWhole(plain, plainText(word.raw))));
}

/** Identifiers of a text in plain form. Linear. */
export function identifiersOf(text: string): readonly string[] {
  const found = text.match(IDENTIFIER) ?? [];
  return [...new Set(found.map((identifier) => plainText(identifier.replaceAll('`', '')).trim()))].filter(
    (x) => x !== '',
  );
}

/** Whether `part` occurs with no letter or digit on either side that would make it another word. */
export function hasWhole(text: string, part: string): boolean {
  const startsWord = WORD_CHARACTER.test(part[0] ?? '');
  const endsWord = WORD_CHARACTER.test(part.at(-1) ?? '');
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const behind = text[at + part.length] ?? ' ';
    if (!(startsWord && WORD_CHARACTER.test(before)) && !(endsWord && WORD_CHARACTER.test(behind))) return true;
  }
  return false;
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;
