import type { PassageQuery } from '../search/passage.ts';
import { definedTerm } from '../text/definitions.ts';
import { foldWord } from '../text/folding.ts';
import {
  ANSWER_KINDS,
  type AnswerKind,
  type AnswerSigns,
  type QueryIntent,
  type QuestionType,
} from '../text/languages/language-pack.ts';
import { answerTableOf } from '../text/languages/packs.ts';
import { isAsciiText, type ScriptPattern, scriptPattern } from '../text/script-pattern.ts';

/** Phrases of questions by language. */
export const QUESTION_TABLES = answerTableOf('questions');

/** What a question opens with decides first, then what it holds; `what is the price` asks for a number. */
const OPENING_ORDER: readonly QuestionType[] = ['number', 'date', 'person', 'how-to', 'why', 'place', 'yes-no'];

type Phrases = { readonly opening: RegExp | undefined; readonly anywhere: RegExp | undefined };
type QuestionPhrases = {
  readonly types: ReadonlyMap<QuestionType, Phrases>;
  readonly asks: ReadonlyMap<AnswerKind, Phrases>;
  readonly polite: RegExp;
};

/** A question as tables have it: lower case without accents, what is only polite left out. */
export function plainQuestion(question: string, language: string): string {
  const folded = foldWord(question.normalize('NFC').toLowerCase().replace(/[’‘]/g, "'")).replace(/\s+/g, ' ').trim();
  const polite = phrasesOf(language)?.polite;
  return polite === undefined ? folded : folded.replace(polite, '');
}

/** What kind of answer a plain question wants; `other` in languages without a table. */
export function questionType(plain: string, language: string): QuestionType {
  const types = phrasesOf(language)?.types;
  const opened = OPENING_ORDER.find((type) => opensLike(plain, type, language));
  if (opened !== undefined) return opened;
  const held = OPENING_ORDER.find((type) => types?.get(type)?.anywhere?.test(plain) === true);
  if (held !== undefined) return held;
  return opensLike(plain, 'definition', language) ? 'definition' : 'other';
}

/** Whether a text begins as questions do: `the price` asks for a number, but not by its beginning. */
export function opensLikeQuestion(text: string, language: string): boolean {
  const plain = plainQuestion(text, language);
  return [...OPENING_ORDER, 'definition' as const].some((type) => opensLike(plain, type, language));
}

function opensLike(plain: string, type: QuestionType, language: string): boolean {
  return phrasesOf(language)?.types.get(type)?.opening?.test(plain) === true;
}

/** A plain question of type definition without the words it opens with. */
export function definitionSubject(plain: string, language: string): string {
  const opening = phrasesOf(language)?.types.get('definition')?.opening;
  return opening === undefined ? plain : plain.replace(opening, '').replace(TAIL, '');
}

/** What an answer to a plain question cannot be without. */
export function askedKind(plain: string, language: string): AnswerKind | undefined {
  const asks = phrasesOf(language)?.asks;
  return ANSWER_KINDS.find((kind) => matches(asks?.get(kind), plain));
}

/** Whether a sentence holds what questions of a type are answered with. */
export function fitsType(sentence: string, type: QuestionType, language: string): boolean {
  return FITS[type](sentence, language);
}

/** Whether what a type of question is answered with may have a blank in it: else two texts have it when one of them has. */
export function mayHaveBlank(type: QuestionType, language: string): boolean {
  const list = WORDS_OF_TYPE[type];
  const words = list && ANSWER_TABLES[language]?.[list];
  return list === undefined || (words !== undefined && !PLAIN_WORDS.test(alternativesOf(words)));
}

/** Types that signs of single characters and the words of one list tell. */
const WORDS_OF_TYPE: Readonly<Partial<Record<QuestionType, keyof AnswerSigns>>> = {
  number: 'numbers',
  'yes-no': 'verdicts',
};
/** Words with optional letters, no blanks, and no signs that may stand for one. */
const PLAIN_WORDS = /^[\p{L}\p{M}|?]*$/u;

/** Whether a text has what a question asks for. */
export function hasKind(text: string, kind: AnswerKind, language: string): boolean {
  return HAS[kind](text, language);
}

type Test = (text: string, language: string) => boolean;

/** The text that was folded last: one sentence is asked for several signs. */
let folded = { text: '', plain: '', isAscii: true, isPlainAscii: true };
const fold = (text: string) => {
  if (folded.text === text) return folded;
  const isAscii = isAsciiText(text);
  const lower = text.toLowerCase();
  const plain = isAscii ? lower : foldWord(lower);
  folded = { text, plain, isAscii, isPlainAscii: isAscii || isAsciiText(plain) };
  return folded;
};
const plain = (text: string) => fold(text).plain;
const holds =
  (list: keyof AnswerSigns): Test =>
  (text, language) => {
    const folded = fold(text);
    return wordsOf(language)?.[list](folded.plain, folded.isPlainAscii) === true;
  };
/** Most texts have no digit, which is found out in a tenth of the time. */
const hasYear = (text: string) => /\d/.test(text) && YEAR.test(plain(text));
const answers = new Map<string, Readonly<Record<keyof AnswerSigns, ScriptPattern>>>();

const ANSWER_TABLES = answerTableOf('answerSigns');

const FITS: Readonly<Record<QuestionType, Test>> = {
  number: (text, language) => /\d/.test(text) || holds('numbers')(text, language),
  date: (text, language) => hasYear(text) || CLOCK.test(text) || holds('months')(text, language),
  person: (text) => PERSON(text, fold(text).isAscii),
  place: holds('places'),
  definition: (text, language) => definedTerm(text, language) !== undefined,
  'how-to': (text, language) => OPTION.test(text) || holds('steps')(text, language),
  why: holds('reasons'),
  'yes-no': holds('verdicts'),
  other: () => false,
};

const HAS: Readonly<Record<AnswerKind, Test>> = {
  phone: (text) => PHONE.test(text),
  email: (text) => EMAIL.test(text),
  weight: (text) => WEIGHT.test(plain(text)),
  capacity: (text) => OTHER_AMOUNT.test(plain(text)),
  duration: (text, language) => DURATION.test(plain(text)) && (/\d/.test(text) || holds('numbers')(text, language)),
  price: (text, language) => PRICE.test(plain(text)) || holds('free')(text, language),
  year: (text, language) => hasYear(text) || holds('months')(text, language),
  time: (text) => /\d/.test(text),
  count: (text, language) => /\d/.test(text) || holds('numbers')(text, language),
  person: (text) => PERSON(text, fold(text).isAscii),
};

/** Of `what does X mean`. */
const TAIL = /(?:\s(?:do|does|mean|means|stand for|bedeutet|betyder|betyr|betekent))?\s*[?？.!]*\s*$/u;
const PERSON = scriptPattern(String.raw`(?<![\p{L}])\p{Lu}[\p{L}.'’-]+ (?:\p{Ll}{1,4} )?\p{Lu}[\p{L}.'’-]+`);
const PHONE = /\+?\d[\d\s()./-]{5,18}\d/;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,64}\.\w/;
const YEAR = /(?<!\d)(?:1\d|20)\d\d(?!\d)|\d{1,4} ?(?:bc|ad|bce|ce|v\. ?chr|n\. ?chr|av\. ?j)/;
const CLOCK = /\d{1,2}[:.]\d\d/;
const OPTION = /(?<!\S)--?\w/;
const CURRENCY_SIGNS = '$€£¥₹₽฿₺';
const CURRENCY_NAMES =
  'usd|eur|gbp|chf|dkk|sek|nok|pln|czk|huf|kr|zl|kc|ft|lei|euros?|dollars?|dollari|euroa|kroner|kronor|zlot\\w*|francs?|percent|prozent|yen|元|円|원';
const PRICE = new RegExp(
  `[${CURRENCY_SIGNS}]\\s?\\d|\\d\\s?[${CURRENCY_SIGNS}%]|\\d(?:[.,]-)?\\s?(?:${CURRENCY_NAMES})(?!\\p{L})`,
  'u',
);
/** Folded, in the languages with tables of questions. */
const WEIGHT_NAMES =
  'kg|g|gr|mg|t|kilos?|kilo(?:gram|gramm|gramme|gramo|grama|grammo)\\w*|kiloa|quilos?|quilogramas?|chil[io]|chilogramm[io]|gram\\w*|ton\\w{0,6}|lbs?|pounds?|pfund|oz|ounces?|stone|unzen?';
const WEIGHT = new RegExp(`\\d\\s?(?:${WEIGHT_NAMES})(?!\\p{L})`, 'u');
const DURATION_NAMES =
  's|sec|sek|min|h|hrs?|std|sec[ou]n\\w{1,5}|sekun\\w{0,6}|min[ui]t\\w{0,4}|hours?|days?|weeks?|months?|years?|nights?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|heures?|jours?|semaines?|mois|ans?|annees?|horas?|dias?|semanas?|mes(?:es|e|i)?|anos?|or[ae]|giorn[io]|settiman[ae]|ann[io]|uur|uren|dag\\w{0,3}|week|weken|maand\\w{0,2}|jaar|jaren|timer?|timm\\w{1,3}|dygn|uger?|uker?|vecka|veckor|manad\\w{0,2}|maned\\w{0,2}|ar|aret|tunti\\w{0,2}|tuntia|paiv\\w{1,3}|viikko\\w{0,2}|kuukau\\w{1,4}|vuo[ts]\\w{1,3}|godzin\\w{0,2}|dni|dzien|tygod\\w{1,4}|miesia\\w{1,4}|lata?|rok\\w{0,2}';
const DURATION = new RegExp(`(?<!\\p{L})(?:${DURATION_NAMES})(?!\\p{L})`, 'u');
/** A number that is no weight, duration or price. */
const OTHER_AMOUNT = new RegExp(
  `(?<![${CURRENCY_SIGNS}]\\s?|[\\d.,])\\d+(?:[.,]\\d+)*(?![\\d.,]*\\d)(?!(?:[.,]-)?\\s?(?:[${CURRENCY_SIGNS}%]|(?:${WEIGHT_NAMES}|${DURATION_NAMES}|${CURRENCY_NAMES})(?!\\p{L})))`,
  'u',
);

const questions = new Map<string, QuestionPhrases>();

/** Compiled when a language is asked for first. */
function phrasesOf(language: string): QuestionPhrases | undefined {
  const table = QUESTION_TABLES[language];
  if (table === undefined) return undefined;
  const known = questions.get(language);
  if (known !== undefined) return known;
  const compiled = {
    types: new Map(Object.entries(table.types).map(([type, list]) => [type as QuestionType, compilePhrases(list)])),
    asks: new Map(Object.entries(table.asks).map(([kind, list]) => [kind as AnswerKind, compilePhrases(list)])),
    polite: new RegExp(String.raw`^(?:(?:${alternativesOf(table.polite)})(?![\p{L}\p{N}])[\s,]*)+`, 'u'),
  };
  questions.set(language, compiled);
  return compiled;
}

function wordsOf(language: string): Readonly<Record<keyof AnswerSigns, ScriptPattern>> | undefined {
  const table = ANSWER_TABLES[language];
  if (table === undefined) return undefined;
  const known = answers.get(language);
  if (known !== undefined) return known;
  const { numbers, months, places, reasons, steps, verdicts, free } = table;
  const compiled = {
    numbers: scriptPattern(wholeWords(numbers)),
    months: scriptPattern(wholeWords(months)),
    places: scriptPattern(wholeWords(places)),
    reasons: scriptPattern(wholeWords(reasons)),
    steps: scriptPattern(wholeWords(steps)),
    verdicts: scriptPattern(wholeWords(verdicts)),
    free: scriptPattern(wholeWords(free)),
  };
  answers.set(language, compiled);
  return compiled;
}

/** A `|` between phrases, none of `(?:one|two)`. */
const OUTSIDE_GROUPS = /\|(?![^(]*\))/;
const ANY_WORDS = "(?:[\\p{L}\\p{N}'-]+ ){0,8}";

function compilePhrases(list: string): Phrases {
  const phrases = list.split(OUTSIDE_GROUPS).map((phrase) => phrase.trim().replace('~', ANY_WORDS));
  const opening = phrases.filter((phrase) => phrase.startsWith('^')).map((phrase) => phrase.slice(1));
  const anywhere = phrases.filter((phrase) => !phrase.startsWith('^'));
  return {
    opening:
      opening.length === 0
        ? undefined
        : new RegExp(String.raw`^[^\p{L}\p{N}]*(?:${opening.join('|')})(?![\p{L}\p{N}])`, 'u'),
    anywhere: anywhere.length === 0 ? undefined : new RegExp(wholeWords(anywhere.join('|')), 'u'),
  };
}

/** Source of a pattern that finds one of the phrases between words; to look behind for the sign before costs twice as much. */
function wholeWords(list: string): string {
  return String.raw`(?:^|[^\p{L}\p{N}])(?:${alternativesOf(list)})(?![\p{L}\p{N}])`;
}

function alternativesOf(list: string): string {
  return list
    .split('|')
    .map((phrase) => phrase.trim())
    .join('|');
}

function matches(phrases: Phrases | undefined, plain: string): boolean {
  return phrases?.opening?.test(plain) === true || phrases?.anywhere?.test(plain) === true;
}

/** A question that stands alone, with what its words say about the answer. */
export type AnalysedQuestion = PassageQuery & {
  readonly type: QuestionType;
  /** Undefined = an answer may look like anything. */
  readonly asksFor: AnswerKind | undefined;
  /** What somebody new to a place asks first: passages that hold it are preferred, none is refused for want of it. */
  readonly intent: QueryIntent | undefined;
};
