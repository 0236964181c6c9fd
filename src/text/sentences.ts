import { tableOf } from './languages/packs.ts';

/** What ends a sentence, and the quotes and brackets that close behind it. */
const END = /[.!?…。！？｡।॥؟۔։]+["'”’»›)\]」』）】]*/g;
/** Anything but single blanks. */
const OTHER_BLANKS = /[^\S ]| {2}/;
const BLANK = /\s/;
/** Ends that need no blank behind them. */
const WIDE_END = /[。！？｡]/;
/** Scripts that set blanks between phrases, not between words, and no full stops. */
const PHRASED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Shorter phrases of these are put together. */
const MIN_PHRASE_CHARS = 60;
/** A word longer than this is no abbreviation. */
const MAX_ABBREVIATION_CHARS = 12;
const LOWER_CASE = /\p{Ll}/u;
const INITIALS = /^\p{L}(?:\.\p{L})*$/u;
const NUMBER = /^[([]?\d+(?:\.\d+)*$/;
/** `3. Oktober`; other languages with ordinals like these write what follows in lower case. */
const ORDINAL_LANGUAGE = 'de';
const MAX_ORDINAL_CHARS = 2;
const WORD_START = /[\s("'“‘„«[]/;

/** At the end of a whole sentence. */
const END_MARK = /[.!?…。！？।؟]["'”’»」』)\]]*$/u;

/** Whether a text ends as a sentence does, not as a heading, an item or what was cut off. */
export function endsSentence(text: string): boolean {
  return END_MARK.test(text);
}

/**
 * The sentences of one line of prose, each run of blanks one blank; together they are the line. Abbreviations, single
 * initials, ordinals and numbers of lists end none, nor does anything before a lower-case letter. O(length).
 */
export function splitSentences(line: string, language: string): readonly string[] {
  const text = (OTHER_BLANKS.test(line) ? line.replace(/\s+/g, ' ') : line).trim();
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(END)) {
    const after = index + end.length;
    if (!isBoundary(text, { start, index, end, language })) continue;
    sentences.push(text.slice(start, after));
    start = text[after] === ' ' ? after + 1 : after;
  }
  if (start < text.length) sentences.push(text.slice(start));
  return PHRASED.test(text) ? sentences.flatMap(splitPhrases) : sentences;
}

/** Ends of sentences and of lines. */
const END_OR_BREAK = new RegExp(`${END.source}|\\n`, 'g');

/**
 * Where sentences and lines start in a text of any number of lines, in its order; its own start is left out. What ends
 * no sentence in `splitSentences` ends none here. O(length).
 */
export function sentenceStarts(text: string, language: string): readonly number[] {
  const starts: number[] = [];
  let start = 0;
  END_OR_BREAK.lastIndex = 0;
  for (let match = END_OR_BREAK.exec(text); match !== null; match = END_OR_BREAK.exec(text)) {
    const { 0: end, index } = match;
    if (end !== '\n' && !isBoundary(text, { start, index, end, language })) continue;
    start = blanksEnd(text, index + end.length);
    if (start < text.length) starts.push(start);
    END_OR_BREAK.lastIndex = start;
  }
  return starts;
}

function blanksEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANK.test(text.charAt(at))) at++;
  return at;
}

type PossibleEnd = {
  /** Of the sentence. */
  readonly start: number;
  readonly index: number;
  /** Marks with what closes behind them. */
  readonly end: string;
  readonly language: string;
};

function isBoundary(text: string, { start, index, end, language }: PossibleEnd): boolean {
  const after = index + end.length;
  if (after === text.length) return true;
  if (WIDE_END.test(end)) return true;
  const next = blanksEnd(text, after);
  if (next === after || LOWER_CASE.test(text.charAt(next))) return false;
  return (
    end.charAt(0) !== '.' ||
    end.startsWith('..') ||
    !isShortForm(text.slice(wordStart(text, start, index), index), {
      isFirst: index - start <= MAX_ABBREVIATION_CHARS && !text.slice(start, index).includes(' '),
      language,
    })
  );
}

/** Where the word before `index` starts, looking back no further than an abbreviation is long. */
function wordStart(text: string, start: number, index: number): number {
  let at = index;
  while (at > start && index - at <= MAX_ABBREVIATION_CHARS && !WORD_START.test(text.charAt(at - 1))) at--;
  return at;
}

function isShortForm(word: string, { isFirst, language }: { isFirst: boolean; language: string }): boolean {
  if (word.length > MAX_ABBREVIATION_CHARS) return false;
  // The number of a list or of a chapter stands before what it numbers.
  if (NUMBER.test(word)) return isFirst || (language === ORDINAL_LANGUAGE && word.length <= MAX_ORDINAL_CHARS);
  return INITIALS.test(word) || isAbbreviation(word.toLowerCase(), language);
}

function splitPhrases(sentence: string): readonly string[] {
  const phrases: string[] = [];
  for (const piece of sentence.split(' ')) {
    const last = phrases.at(-1);
    if (last === undefined || last.length >= MIN_PHRASE_CHARS) phrases.push(piece);
    else phrases[phrases.length - 1] = `${last} ${piece}`;
  }
  return phrases;
}

/** Count in every language, beside those of its pack. */
const COMMON =
  `e.g i.e etc vs no nr fig al cf ca approx inc ltd co corp dr prof mr mrs ms st jr sr vol ed eds pp dept est ext tel
  max min abs incl excl resp ref op cit viz jan feb apr jun jul aug sep sept oct nov dec u.s u.k a.m p.m`.split(/\s+/);

const byLanguage = new Map(
  Object.entries(tableOf('abbreviations')).map(([language, list]) => [
    language,
    new Set([...COMMON, ...list.split(/\s+/)]),
  ]),
);
const onlyCommon = new Set(COMMON);

/** Whether a lower-case word, its full stop left out, is mostly followed by more of the same sentence. */
export function isAbbreviation(word: string, language: string): boolean {
  return (byLanguage.get(language) ?? onlyCommon).has(word);
}
