import { analyzeText } from '../../text/analyzer.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { type ExclusiveGroup, exclusiveGroupsOf } from './exclusive-words.ts';
import { isLight } from './light-words.ts';
import { type NegationKind, negationOf } from './negation-words.ts';
import { NUMBER, numberForms } from './number-forms.ts';
import { digitsOfWord } from './number-words.ts';

export type ReadWord = {
  /** Normalised; `raw` as written. */
  readonly word: string;
  readonly raw: string;
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

/** Reads a text in a language; what is no reader's words (URLs of links) is left out before. Linear; 20 µs a sentence. */
export function readText(text: string, language: string): ReadText {
  const pieces = piecesOf(text, language);
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
  const stems = new Set(words.filter(({ weight }) => weight > 0).map(({ stem }) => stem));
  return { text, plain: plainText(text), words, stems };
}

/** Where a text comes from adds nothing to what it says: the words of an opening "According to the page," lose weight. */
function weightAttribution(words: ReadWord[], language: string): void {
  if (words[0]?.word !== ATTRIBUTIONS[language]) return;
  const end = words.findIndex(({ endsClause }) => endsClause) + 1;
  if (end > MAX_ATTRIBUTION_WORDS) return;
  for (const [i, word] of words.slice(0, end).entries()) words[i] = { ...word, weight: 0 };
}

const MAX_ATTRIBUTION_WORDS = 8;
const ATTRIBUTIONS: Readonly<Record<string, string>> = {
  en: 'according',
  de: 'laut',
  fr: 'selon',
  es: 'según',
  it: 'secondo',
  nl: 'volgens',
  pt: 'segundo',
  da: 'ifølge',
  sv: 'enligt',
  nb: 'ifølge',
  pl: 'według',
};

/** Lower case with plain quotes, apostrophes and dashes, runs of blanks one blank: two spellings of one text are equal. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[‘’‛ʼ]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/\s+/g, ' ');
}

type Piece = { readonly start: number; readonly end: number; readonly surface: string; readonly stem: string };

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

function readPiece({ start, end, surface, stem }: Piece, text: string, language: string) {
  const isDigits = /^\d/.test(surface) && /^[\d.,:’'\s]+$/.test(surface);
  const spelled = digitsOfWord(surface, language);
  const numbers = isDigits ? numberForms(surface) : spelled === undefined ? [] : [spelled];
  const isContent =
    numbers.length === 0 && !isStopWord(surface, language) && negationOf(surface, language) === undefined;
  const isCapitalised = /^\p{Lu}/u.test(text.slice(start, start + 2)) && !(language === 'en' && surface === 'i');
  return {
    word: surface,
    raw: text.slice(start, end),
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

const JOINING: Readonly<Record<string, string>> = {
  en: 'and but or while whereas which who because although so then',
  de: 'und aber oder während weil obwohl sondern',
  fr: 'et mais ou tandis car qui',
  es: 'y e pero o mientras porque',
  it: 'e ed ma o mentre perché',
  nl: 'en maar of terwijl omdat',
  pt: 'e mas ou enquanto porque',
  da: 'og men eller mens fordi som',
  sv: 'och men eller medan som',
  nb: 'og men eller mens fordi som',
  fi: 'ja mutta tai vaan joka',
  pl: 'i a ale lub oraz',
};
const JOINING_WORDS = new Map(
  Object.entries(JOINING).map(([language, words]) => [language, new Set(words.split(' '))]),
);

function isJoining(word: string, language: string): boolean {
  return JOINING_WORDS.get(language)?.has(word) ?? false;
}
