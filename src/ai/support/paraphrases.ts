import { answerTableOf } from '../../text/languages/packs.ts';
import { stemWord } from '../../text/stemming.ts';

/** A word of a text: where it stands, normalised, and its stem. */
export type Piece = {
  readonly start: number;
  readonly end: number;
  readonly surface: string;
  readonly stem: string;
  /** Read in place of a phrase that says the same. */
  readonly isParaphrase?: boolean;
};

/** A single word as it is written or a phrase by its stems, and the words that it is read as. `rest` may follow up to four words later: turn it off. */
type Phrase = {
  readonly stems: readonly string[];
  readonly word: string | undefined;
  readonly rest: readonly string[];
  readonly plain: readonly string[];
};
/** A form of words, `un*ed`: what is said of the word that remains. */
type WordForm = { readonly form: RegExp; readonly plain: readonly string[] };

type Paraphrases = { readonly phrases: ReadonlyMap<string, readonly Phrase[]>; readonly forms: readonly WordForm[] };

/** Words between the halves of a phrase. */
const MAX_BETWEEN = 4;

/** Letters that remain of a word: fewer are no word. */
const REST = '(\\p{L}{4,})';

const TABLES = new Map(
  Object.entries(answerTableOf('paraphrases')).map(([language, text]) => [language, paraphrasesOf(text, language)]),
);

/** Phrases by the stem that they begin with, the longest first. */
function paraphrasesOf(text: string, language: string): Paraphrases {
  const entries = text.split('|').flatMap((group) => {
    const [plain = '', list = ''] = group.split(':');
    return list.split(',').map((phrase) => ({ phrase: phrase.trim(), plain: wordsOf(plain) }));
  });
  const stemsOf = (words: string) => wordsOf(words).map((word) => stemWord(word, language));
  const phrases = entries
    .filter(({ phrase }) => !phrase.includes('*'))
    .map(({ phrase, plain }): Phrase => {
      const [first = '', rest = ''] = phrase.split('~');
      const isWord = wordsOf(phrase).length === 1;
      return { stems: stemsOf(first), word: isWord ? phrase : undefined, rest: stemsOf(rest), plain };
    })
    .sort((a, b) => b.stems.length + b.rest.length - a.stems.length - a.rest.length);
  const forms = entries
    .filter(({ phrase }) => phrase.includes('*'))
    .map(({ phrase, plain }) => ({ form: new RegExp(`^${phrase.replace('*', REST)}$`, 'u'), plain }));
  return { phrases: Map.groupBy(phrases, ({ stems }) => stems[0] ?? ''), forms };
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/**
 * The words of a text with every phrase that says something in a way of its own read as the plain words for it, the same
 * in claims and sources: "off limits" and "must not" as `not`. Names are left alone. Words × phrases of one beginning.
 */
export function withPlainPhrases(pieces: readonly Piece[], text: string, language: string): readonly Piece[] {
  const table = TABLES.get(language);
  if (table === undefined) return pieces;
  const read: Piece[] = [];
  const skipped = new Set<number>();
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece === undefined || skipped.has(at)) continue;
    const found = phraseAt(table, { pieces, text, at }) ?? formAt(table, { pieces, text, at });
    if (found === undefined) {
      read.push(piece);
      continue;
    }
    const end = pieces[found.last]?.end ?? piece.end;
    for (const word of found.plain) {
      read.push({ start: piece.start, end, surface: word, stem: stemWord(word, language), isParaphrase: true });
    }
    for (const index of found.skipped) skipped.add(index);
    at = found.last;
  }
  return read;
}

type Found = { readonly plain: readonly string[]; readonly last: number; readonly skipped: readonly number[] };
type Position = { readonly pieces: readonly Piece[]; readonly text: string; readonly at: number };

function phraseAt({ phrases }: Paraphrases, position: Position): Found | undefined {
  for (const phrase of phrases.get(position.pieces[position.at]?.stem ?? '') ?? []) {
    const found = matchAt(phrase, position);
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchAt({ stems, word, rest, plain }: Phrase, { pieces, text, at }: Position): Found | undefined {
  const last = at + stems.length - 1;
  if (word !== undefined && word !== pieces[at]?.surface) return undefined;
  if (!standsAt(stems, { pieces, text, at })) return undefined;
  if (rest.length === 0) return { plain, last, skipped: [] };
  for (let from = last + 1; from <= last + 1 + MAX_BETWEEN; from++) {
    if (standsAt(rest, { pieces, text, at: from })) return { plain, last, skipped: rest.map((_, i) => from + i) };
  }
  return undefined;
}

function formAt({ forms }: Paraphrases, { pieces, text, at }: Position): Found | undefined {
  const piece = pieces[at];
  if (piece === undefined || isName(piece, text)) return undefined;
  for (const { form, plain } of forms) {
    const rest = form.exec(piece.surface)?.[1];
    if (rest !== undefined) return { plain: plain.map((word) => word.replace('*', rest)), last: at, skipped: [] };
  }
  return undefined;
}

function standsAt(stems: readonly string[], { pieces, text, at }: Position): boolean {
  return stems.every((stem, i) => {
    const piece = pieces[at + i];
    return piece?.stem === stem && !isName(piece, text);
  });
}

/** Capitalised where no sentence begins. */
function isName({ start }: Piece, text: string): boolean {
  return start > 0 && /^\p{Lu}/u.test(text.slice(start, start + 2)) && !/[.!?:]\s+$/.test(text.slice(0, start));
}
