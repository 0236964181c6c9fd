import { analyzeText } from '../../text/analyzer.ts';
import { answerTableOf } from '../../text/languages/packs.ts';
import { stemWord } from '../../text/stemming.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { type ExclusiveGroup, exclusiveGroupsOf, type NegationKind, negationOf } from './contradicting-words.ts';
import { type Piece, withPlainPhrases } from './paraphrases.ts';

export type ReadWord = {
  /** Normalised; `raw` as written. */
  readonly word: string;
  readonly raw: string;
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
  /** Read in place of a phrase that says the same. */
  readonly isParaphrase: boolean;
  readonly stem: string;
  /** What the word adds to a claim: 0 for stop words and numbers, little for light words, 1. */
  readonly weight: number;
  /** Grows at punctuation and at words that join clauses. */
  readonly clause: number;
  /** Begins a clause behind a full stop, a semicolon or with a joining word. */
  readonly isApart: boolean;
  /** A mark of punctuation or the end of the text follows. */
  readonly endsClause: boolean;
  /** Comparable forms of a number; empty for other words. */
  readonly numbers: readonly string[];
  readonly negation: NegationKind | undefined;
  readonly exclusive: readonly ExclusiveGroup[];
  /** Capitalised where no sentence begins. */
  readonly isName: boolean;
  readonly isCapitalised: boolean;
};

/** A text as the checks compare it. */
export type ReadText = {
  readonly text: string;
  /** Lower case, quotes and dashes plain: what must occur literally is looked for here. */
  readonly plain: string;
  readonly words: readonly ReadWord[];
  /** Stems of the words with weight. */
  readonly stems: ReadonlySet<string>;
};

export const LIGHT_WEIGHT = 0.25;

/**
 * A text in a language; what is no reader's words (URLs of links) is left out before. Each part is read when it is asked
 * for first: the words, linear, 20 µs a sentence.
 */
export function readText(text: string, language: string): ReadText {
  return new LazilyReadText(text, language);
}

/** A class, as an answer has hundreds: with getters of its own each object has a shape of its own, which is never young. */
class LazilyReadText implements ReadText {
  readonly text: string;
  readonly #language: string;
  #plain: string | undefined;
  #words: readonly ReadWord[] | undefined;
  #stems: ReadonlySet<string> | undefined;

  constructor(text: string, language: string) {
    this.text = text;
    this.#language = language;
  }

  get plain(): string {
    this.#plain ??= plainText(this.text);
    return this.#plain;
  }

  get words(): readonly ReadWord[] {
    this.#words ??= readWords(this.text, this.#language);
    return this.#words;
  }

  get stems(): ReadonlySet<string> {
    this.#stems ??= new Set(this.words.flatMap(({ weight, stem }) => (weight > 0 ? [stem] : [])));
    return this.#stems;
  }
}

function readWords(text: string, language: string): readonly ReadWord[] {
  const pieces = withPlainPhrases(piecesOf(text, language), text, language);
  const words: ReadWord[] = [];
  let clause = 0;
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1];
    const gap = before === undefined ? '' : text.slice(before.end, piece.start);
    const isApart = before !== undefined && (STRONG_BREAK.test(gap) || isJoining(piece.surface, language));
    if (isApart || (before !== undefined && CLAUSE_BREAK.test(gap))) clause++;
    const behind = text.slice(piece.end, pieces[i + 1]?.start ?? text.length);
    const endsClause = pieces[i + 1] === undefined || CLAUSE_BREAK.test(behind);
    words.push({ ...readPiece(piece, text, language), clause, endsClause, isApart });
  }
  weightAttribution(words, language);
  return words;
}

/** Where a text comes from adds nothing to what it says: the words of an opening "According to the page," lose weight. */
function weightAttribution(words: ReadWord[], language: string): void {
  if (words[0]?.word !== ATTRIBUTIONS[language]) return;
  const end = words.findIndex(({ endsClause }) => endsClause) + 1;
  if (end > MAX_ATTRIBUTION_WORDS) return;
  for (const [i, word] of words.slice(0, end).entries()) words[i] = { ...word, weight: 0 };
}

const MAX_ATTRIBUTION_WORDS = 8;

const ATTRIBUTIONS = answerTableOf('attribution');

/** Lower case with plain quotes, apostrophes and dashes, runs of blanks one blank: two spellings of one text are equal. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[‘’‛ʼ]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/\s+/g, ' ');
}

const STRONG_BREAK = /[.!?;。！？；\n]/;
const CLAUSE_BREAK = /[,;:()[\]{}–—.!?…。！？、，；：|\n"“”]/;

/** Words of the text with each number in one piece; joined forms are left out, as their parts are words already. */
function piecesOf(text: string, language: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const numbers = text.matchAll(NUMBER);
  let number = numbers.next().value;
  let position = -1;
  for (const token of analyzeText(text, language).tokens) {
    const isJoined = token.position <= position;
    position = Math.max(position, token.position);
    if (isJoined) continue;
    while (number !== undefined && number.index + number[0].length <= token.start) number = numbers.next().value;
    const numberStart = number?.index ?? Number.POSITIVE_INFINITY;
    if (token.start < numberStart) pieces.push(token);
    else if (token.start === numberStart && number !== undefined) {
      pieces.push({ ...token, surface: number[0], stem: number[0], end: numberStart + number[0].length });
    }
  }
  return pieces;
}

function readPiece({ start, end, surface, stem, isParaphrase = false }: Piece, text: string, language: string) {
  const isDigits = /^\d/.test(surface) && /^[\d.,:’'\s]+$/.test(surface);
  const spelled = digitsOfWord(surface, language);
  const numbers = isDigits ? numberForms(surface) : spelled === undefined ? [] : [spelled];
  const isContent =
    numbers.length === 0 && !isStopWord(surface, language) && negationOf(surface, language) === undefined;
  const isCapitalised = /^\p{Lu}/u.test(text.slice(start, start + 2)) && !(language === 'en' && surface === 'i');
  return {
    word: surface,
    raw: text.slice(start, end),
    start,
    end,
    isParaphrase,
    stem,
    weight: !isContent ? 0 : isLight(stem, language) ? LIGHT_WEIGHT : 1,
    numbers,
    negation: negationOf(surface, language),
    exclusive: exclusiveGroupsOf(surface, stem, language),
    isCapitalised,
    isName: isCapitalised && stem.length > 1 && INSIDE.test(text.slice(Math.max(0, start - LOOK_BACK), start)),
  };
}

const LOOK_BACK = 6;
/** A letter, digit, comma or closing bracket before the word, quotes and emphasis aside: no sentence begins here. */
const INSIDE = /[\p{L}\p{N},;)%€$&/-][\s*_"'“„«(‘`]*$/u;

const JOINING = answerTableOf('joiningWords');
const JOINING_WORDS = new Map(
  Object.entries(JOINING).map(([language, words]) => [language, new Set(words.split(' '))]),
);

function isJoining(word: string, language: string): boolean {
  return JOINING_WORDS.get(language)?.has(word) ?? false;
}

/**
 * Words that writers add or exchange freely without changing what is claimed: verbs of any subject, words about the
 * text itself, adverbs. They count little whether a source has them or not.
 */
const LIGHT = answerTableOf('lightWords');

const STEMS = new Map<string, ReadonlySet<string>>();

/** Whether the stem is that of a word that adds hardly anything to a claim. */
function isLight(stem: string, language: string): boolean {
  let stems = STEMS.get(language);
  if (stems === undefined) {
    const words = (LIGHT[language] ?? '').split(/\s+/).filter((word) => word !== '');
    stems = new Set(words.map((word) => stemWord(word, language)));
    STEMS.set(language, stems);
  }
  return stems.has(stem);
}

/** Digits with separators; groups of three may stand apart. None inside words: `utf8` and `A4` are names. */
const NUMBER =
  /(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}_])\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}])|(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}_])\d{1,15}(?:[.,:’']\d{1,15}){0,5}/gu;

const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * What a written number may mean, as comparable texts: `3.500` is 3.5 in one language and 3500 in another, 18:00 is
 * 18. Versions and dates of three parts stay as they are.
 */
function numberForms(written: string): readonly string[] {
  const plain = written.replace(/[\u00a0\u202f ’']/g, '').replaceAll(':', '.');
  const parts = plain.split(/[.,]/);
  const forms = new Set<string>();
  if (parts.length <= 2) forms.add(String(Number(plain.replace(',', '.'))));
  if (GROUPED.test(plain)) forms.add(String(Number(parts.join(''))));
  if (parts.length > 2) {
    forms.add(parts.join('.'));
    const [last = ''] = parts.slice(-1);
    if (/[.,]/.test(plain) && new Set(plain.match(/[.,]/g)).size === 2)
      forms.add(String(Number(`${parts.slice(0, -1).join('')}.${last}`)));
  }
  return [...forms];
}

/**
 * Number words from two on, as the tokenizer writes them: the list begins at 2, `|` parts other spellings. "One" is an
 * article or a pronoun as often as a number.
 */
const FROM_TWO = answerTableOf('numberWords');

/** Round ones: word, value. */
const ROUND = answerTableOf('roundNumbers');

const VALUES = new Map(Object.keys(FROM_TWO).map((language) => [language, valuesOf(language)]));

function valuesOf(language: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [i, spellings] of (FROM_TWO[language] ?? '').split(' ').entries())
    for (const word of spellings.split('|')) values.set(word, String(i + 2));
  const round = (ROUND[language] ?? '').split(' ');
  for (let i = 0; i + 1 < round.length; i += 2) values.set(round[i] ?? '', round[i + 1] ?? '');
  return values;
}

/** Digits of a normalised number word; undefined when it is none, or the language has no table. */
function digitsOfWord(word: string, language: string): string | undefined {
  return VALUES.get(language)?.get(word);
}
