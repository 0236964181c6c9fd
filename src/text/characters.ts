/** What a UTF-16 code unit is to the tokenizer. */
export const SEPARATOR = 1;
export const LETTER = 2;
export const DIGIT = 3;
/** Combining mark: part of the word before it. */
export const COMBINING_MARK = 4;
/** Invisible inside a word: soft hyphen, joiners, variation selectors. */
export const IGNORED = 5;
export const APOSTROPHE = 6;
/** May stand between the parts of one written word. */
export const JOINER = 7;
/** Letter or mark of a script that sets no blanks between words. */
export const UNSPACED = 8;
export const PLUS = 9;
export const HASH = 10;
/** First half of a surrogate pair: the class is that of the code point. */
export const SURROGATE = 11;

const UNKNOWN = 0;
const UNITS = 65_536;

/** Class and lower case of each unit met so far, 192 KB; ASCII costs two table reads. */
const classes = new Uint8Array(UNITS);
const lowered = new Uint16Array(UNITS);

const APOSTROPHES = /['\u2018\u2019\u201b\u02bc\uff07]/;
const JOINERS = /[-./_:@\u2010\u2011]/;
const INVISIBLE = /\u00ad|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/;
/** The prolonged sound mark and the voicing marks belong to no script of their own. */
const WITHOUT_BLANKS =
  /(?=[\p{L}\p{M}])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc\u3099\u309a\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/v;
const WIDE_FORM = /[\uff01-\uffef]/;
/** The 2 of CO₂; raised digits are mostly marks of footnotes and end a word. */
const LOWERED_DIGIT = /[\u2080-\u2089]/;

/** Class of a UTF-16 code unit. */
export function classOf(unit: number): number {
  const known = classes[unit]!;
  return known === UNKNOWN ? fillClasses(unit) : known;
}

/** Lower case of a unit that `classOf` has seen; full-width and half-width forms and digits, lowered ones too, are plain. */
export function loweredUnit(unit: number): number {
  return lowered[unit]!;
}

/** Class of a code point above U+FFFF. */
export function classOfCodePoint(codePoint: number): number {
  return classify(String.fromCodePoint(codePoint));
}

function fillClasses(unit: number): number {
  const plain = plainForm(String.fromCharCode(unit));
  const kind = unit >= 0xd800 && unit < 0xdc00 ? SURROGATE : classify(plain);
  classes[unit] = kind;
  lowered[unit] = plain.charCodeAt(0);
  return kind;
}

function plainForm(text: string): string {
  const narrow = WIDE_FORM.test(text) || LOWERED_DIGIT.test(text) ? text.normalize('NFKC') : text;
  if (/\p{Nd}/u.test(narrow)) return digitOf(narrow.charCodeAt(0));
  const lower = narrow.toLowerCase();
  if (lower === 'i\u0307') return 'i';
  // Upper case does not tell which sigma it was, so there is only one.
  if (lower === 'ς') return 'σ';
  return lower.length === 1 ? lower : narrow;
}

/** Decimal digits of a script stand in runs of ten from 0 to 9 (Unicode standard 4.6). */
function digitOf(unit: number): string {
  let zero = unit;
  while (unit - zero < 9 && /\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero--;
  return String(unit - zero);
}

function classify(text: string): number {
  if (APOSTROPHES.test(text)) return APOSTROPHE;
  if (JOINERS.test(text)) return JOINER;
  if (INVISIBLE.test(text)) return IGNORED;
  if (WITHOUT_BLANKS.test(text)) return UNSPACED;
  if (text === '+') return PLUS;
  if (text === '#') return HASH;
  if (/\p{L}/u.test(text)) return LETTER;
  if (/\p{Nd}/u.test(text)) return DIGIT;
  return /\p{M}/u.test(text) ? COMBINING_MARK : SEPARATOR;
}

/** A character of a text as words have it, and its place `[start, end)` in the text. */
export type Character = { text: string; readonly start: number; end: number };

/** Receives bigrams; `units[0..length)` is valid during the call only. */
export interface BigramSink {
  /**
   * Two neighbouring characters of a script without blanks, or two Hangul syllables of a word. Their positions are
   * counted apart from those of words, so that a run of characters is a phrase of its bigrams.
   */
  bigram?(units: Uint16Array, length: number, position: number, start: number, end: number): void;
}

/** Two characters above U+FFFF. */
const PAIR_UNITS = 4;
const FIRST_HANGUL_SYLLABLE = 0xac00;
const LAST_HANGUL_SYLLABLE = 0xd7a3;
const SYLLABLES = /[\uac00-\ud7a3]{2,}/g;

const pair = new Uint16Array(PAIR_UNITS);

export function isHangul(unit: number): boolean {
  return unit >= FIRST_HANGUL_SYLLABLE && unit <= LAST_HANGUL_SYLLABLE;
}

/** Characters of `text[start..end)`: plain forms, voicing marks composed with the character before. */
export function charactersOf(text: string, start: number, end: number): Character[] {
  const characters: Character[] = [];
  for (let at = start; at < end; ) {
    const unit = text.charCodeAt(at);
    const kind = classOf(unit);
    const to = at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
    const plain = kind === SURROGATE ? text.slice(at, to) : String.fromCharCode(loweredUnit(unit));
    const last = characters.at(-1);
    const composed = last === undefined ? '' : (last.text + plain).normalize('NFC');
    if (last !== undefined && composed.length < last.text.length + plain.length) {
      last.text = composed;
      last.end = to;
    } else if (kind !== IGNORED) {
      characters.push({ text: plain, start: at, end: to });
    }
    at = to;
  }
  return characters;
}

/** Runs of Hangul syllables in a word that stands at `[start, end)`, which a decomposed one only knows as a whole. */
export function* syllableRuns(word: string, start: number, end: number): Generator<Character[]> {
  const exact = end - start === word.length;
  for (const { 0: run, index } of word.matchAll(SYLLABLES)) {
    yield [...run].map((text, i) => {
      const at = start + index + i;
      return { text, start: exact ? at : start, end: exact ? at + 1 : end };
    });
  }
}

/** Emits the bigrams of a run from `position` on; returns the position for the next run. */
export function emitBigrams(characters: readonly Character[], position: number, sink: BigramSink): number {
  for (let i = 1; i < characters.length; i++) {
    const first = characters[i - 1]!;
    const second = characters[i]!;
    let length = 0;
    for (const text of [first.text, second.text]) {
      for (let j = 0; j < text.length; j++) pair[length++] = text.charCodeAt(j);
    }
    sink.bigram?.(pair, length, position + i - 1, first.start, second.end);
  }
  // A position stays free: the end of one run and the beginning of the next are no neighbours.
  return characters.length > 1 ? position + characters.length : position;
}
