import { inOneScript, withoutInvisible } from './disguised-text.ts';
import { foldWord } from './folding.ts';
import type { InjectionWords } from './languages/language-pack.ts';
import { tableOf } from './languages/packs.ts';

/** What tells most sentences from orders to an assistant without any expression. */
export type InjectionSigns = {
  /** By language in the order of `INJECTION_WORDS` the parts of which the text may have a word: a bit for each. */
  readonly parts: readonly number[];
  /** One of its words orders something when it is read from its end. */
  readonly isTurned: boolean;
  /** Signs that stand in it: a bit for each of `MARKS`. */
  readonly marks: number;
  /** The folded words, between single blanks. */
  readonly words: string;
  /** It has words to be said as they are: a number or a code, a quotation. */
  readonly isLiteral: boolean;
  /** It has a name, as written where nouns have small letters. */
  readonly hasName: boolean;
};

/** Kinds of signs without which expressions find nothing. `folded`: anything but ASCII that a reader sees. */
export const MARKS = { colon: 1, comma: 2, ampersand: 4, template: 8, longRun: 16, folded: 32 } as const;

/** Characters of a run that may be base64: 24 hold 18 bytes, three words or so. Shorter ones are names and hashes. */
export const LEAST_RUN = 24;

/** Parts that tell texts apart; the others are frequent words or have shorter beginnings than keys. */
const PARTS = [
  ...['override', 'orders', 'which', 'agents', 'address', 'demand', 'reveal', 'secrets'],
  ...['control', 'answer', 'request', 'tell', 'phrases', 'dictated', 'occasion', 'addressed'],
] as const satisfies readonly (keyof InjectionWords)[];
export type Part = (typeof PARTS)[number];

export function bitsOf(...parts: readonly Part[]): number {
  return parts.reduce((bits, part) => bits | (1 << PARTS.indexOf(part)), 0);
}

export const INJECTION_WORDS = tableOf('injectionWords');

export function agentsOf({ agents }: InjectionWords): string {
  return `${agents}|${MODEL_NAMES}`;
}

/** Names of models are the same everywhere; `ai` is not, being a word of Italian and French. */
const MODEL_NAMES = 'llm|llms|chatgpt|gpt|copilot|claude|gemini|chatbot*|language model*|ai agent*|ai assistant*';

/** The signs of a text; of ASCII in one pass that makes no words. Linear. */
export function injectionSigns(text: string): InjectionSigns {
  const plain = plainReader.read(text);
  if (plain !== undefined) return plain;
  const words = foldedWords(text);
  const [isLiteral, hasName] = [LITERAL.test(text), NAME.test(text)];
  return { ...signsOfWords(words), marks: marksOf(text) | MARKS.folded, words: words.join(' '), isLiteral, hasName };
}

const LITERAL = /\p{N}|["“”«»„‚‘`]|\p{Lu}\p{Lu}|\p{Ll}\p{Lu}/u;
/** A name where nouns have small letters. */
export const NAME = /(?<=[\p{Ll},;:] )\p{Lu}/u;

/** `ignore`, `all`, `previous`, `instructions`; single letters in a row are one word. */
function foldedWords(text: string): readonly string[] {
  const words = PLAIN_TEXT.test(text)
    ? text
        .toLowerCase()
        .replaceAll("'", '')
        .match(/[a-z0-9]+/g)
    : foldWord(inOneScript(withoutInvisible(text).normalize('NFKC').toLowerCase()))
        .replace(/['’]/g, '')
        .match(/[\p{L}\p{N}]+/gu);
  if (words === null) return [];
  const isSpelled = words.some((word, index) => isSingle(word) && isSingle(words[index + 1] ?? ''));
  return (isSpelled ? joinLetters(words) : words).map((word) => word.slice(0, MAX_WORD_CHARS));
}

/** ASCII that a reader sees: nothing to fold. */
const PLAIN_TEXT = /^[\t\n\x20-\x7e]*$/;

function isSingle(word: string): boolean {
  return word.length === 1 || (word.length === 2 && (word.codePointAt(0) ?? 0) > 0xffff);
}

function joinLetters(words: readonly string[]): readonly string[] {
  return ` ${words.join(' ')} `
    .replace(/(?<= \p{L}) (?=\p{L} )/gu, '')
    .trim()
    .split(' ');
}

const MAX_WORD_CHARS = 40;
/** Units of a text at first. */
const FIRST_UNITS = 1_024;

/** A phrase is looked for by the beginning of its longest word. */
const KEY_CHARS = 4;

/** Parts that may have a word with this beginning; `index` is that of the language. */
type KeyParts = { readonly index: number; readonly parts: number };

const PARTS_BY_KEY = readKeys();

/** How words end that order something from the end of a text. */
const TURNED = bitsOf('override', 'secrets');
const TURNED_KEYS: ReadonlySet<string> = new Set(
  PARTS_BY_KEY.entries().flatMap(([key, found]) =>
    found.some(({ parts }) => (parts & TURNED) !== 0) ? [[...key].reverse().join('')] : [],
  ),
);

function readKeys(): ReadonlyMap<string, readonly KeyParts[]> {
  const keys = new Map<string, KeyParts[]>();
  for (const [index, words] of Object.values(INJECTION_WORDS).entries()) {
    const partsByKey = new Map<string, number>();
    for (const part of PARTS) {
      for (const key of keysOf(words, part)) partsByKey.set(key, (partsByKey.get(key) ?? 0) | bitsOf(part));
    }
    for (const [key, parts] of partsByKey) keys.set(key, [...(keys.get(key) ?? []), { index, parts }]);
  }
  return keys;
}

function keysOf(words: InjectionWords, part: Part): readonly string[] {
  const phrases = (part === 'agents' ? agentsOf(words) : words[part]).split('|');
  return phrases.map((phrase) => longestOf(phrase.replaceAll('*', '').split(' ')).slice(0, KEY_CHARS));
}

function longestOf(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function signsOfWords(words: readonly string[]): Pick<InjectionSigns, 'parts' | 'isTurned'> {
  const parts: number[] = [];
  for (const word of words) addParts(parts, PARTS_BY_KEY.get(word.slice(0, KEY_CHARS)));
  return { parts, isTurned: words.some((word) => TURNED_KEYS.has(word.slice(-KEY_CHARS))) };
}

/** Makes the list whole with the first of them. */
function addParts(found: number[], known: readonly KeyParts[] | undefined): void {
  if (known === undefined) return;
  while (found.length < LANGUAGES) found.push(0);
  for (const { index, parts } of known) found[index] = (found[index] ?? 0) | parts;
}

const LANGUAGES = Object.keys(INJECTION_WORDS).length;

/** Bits of an ASCII character in a key that is a number. */
const CHAR_BITS = 7;

/** The keys that ASCII words may have, as numbers: these are compared without a string for each word. */
const PLAIN_KEYS: ReadonlyMap<number, readonly KeyParts[]> = new Map(
  PARTS_BY_KEY.entries().flatMap(([key, parts]) => (PLAIN_TEXT.test(key) ? [[numberOf(key), parts] as const] : [])),
);
const PLAIN_TURNED: ReadonlySet<number> = new Set(
  TURNED_KEYS.values().flatMap((key) => (PLAIN_TEXT.test(key) ? [numberOf(key)] : [])),
);
/** Most words have no key: a byte per residue tells it without a look-up. */
const RESIDUES = 16_384;
const MAY_BE = new Uint8Array(RESIDUES);
for (const key of PLAIN_KEYS.keys()) MAY_BE[residueOf(key)] = 1;
for (const key of PLAIN_TURNED) MAY_BE[residueOf(key)] = 1;

function numberOf(key: string): number {
  let number = 0;
  for (let i = 0; i < key.length; i++) number |= key.charCodeAt(i) << (CHAR_BITS * i);
  return number;
}

function residueOf(key: number): number {
  return (key ^ (key >>> 14)) & (RESIDUES - 1);
}

/** What an ASCII unit is: bits of `KINDS`. */
const KIND = { word: 1, upper: 2, digit: 4, inRun: 8, quote: 16, beforeName: 32, hidden: 64 } as const;
const KINDS = new Uint8Array(128);
/** By ASCII unit: lower case of a letter or digit. */
const LOWERED = new Uint8Array(128);
/** By ASCII unit: its bits of `MARKS`. */
const MARKS_OF = new Uint8Array(128);
const TEMPLATE_SIGNS = new Set('<[#_:');
for (let unit = 0; unit < 128; unit++) {
  const sign = String.fromCharCode(unit);
  LOWERED[unit] = sign.toLowerCase().charCodeAt(0);
  MARKS_OF[unit] =
    (sign === ':' ? MARKS.colon : 0) |
    (sign === ',' ? MARKS.comma : 0) |
    (sign === '&' ? MARKS.ampersand : 0) |
    (TEMPLATE_SIGNS.has(sign) ? MARKS.template : 0);
  KINDS[unit] =
    (/[A-Za-z0-9]/.test(sign) ? KIND.word : 0) |
    (/[A-Z]/.test(sign) ? KIND.upper : 0) |
    (/[0-9]/.test(sign) ? KIND.digit : 0) |
    (/[A-Za-z0-9+/_-]/.test(sign) ? KIND.inRun : 0) |
    (/["`]/.test(sign) ? KIND.quote : 0) |
    (/[a-z,;:]/.test(sign) ? KIND.beforeName : 0) |
    (PLAIN_TEXT.test(sign) ? 0 : KIND.hidden);
}
const APOSTROPHE = 0x27;
const BLANK = 0x20;

function isKind(unit: number, kind: number): boolean {
  return ((KINDS[unit] ?? KIND.hidden) & kind) !== 0;
}

/** What signs of ASCII stand in a text, whatever else does. */
function marksOf(text: string): number {
  let [marks, run] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    run = isKind(unit, KIND.inRun) ? run + 1 : 0;
    if (run === LEAST_RUN) marks |= MARKS.longRun;
    marks |= MARKS_OF[unit] ?? 0;
  }
  return marks;
}

/**
 * Reads the signs of texts in ASCII whose words are neither spelled letter by letter nor longer than 40 characters: as
 * `signsOfWords` of their folded words. It runs over every sentence that is asked about and makes one string of it.
 */
class PlainReader {
  #parts: number[] = [];
  #isTurned = false;
  #marks = 0;
  /** Characters so far of what may be base64. */
  #run = 0;
  #isLiteral = false;
  #hasName = false;
  #isBehindSingle = false;
  /** A word is spelled letter by letter, or is cut. */
  #isRare = false;
  /** The words so far, a blank behind each, and where they end. */
  #words = Buffer.alloc(FIRST_UNITS);
  #end = 0;

  /** Undefined for any other text. */
  read(text: string): InjectionSigns | undefined {
    this.#begin(text.length);
    let at = 0;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      if (isKind(unit, KIND.word)) at = this.#readWord(text, at);
      else if (isKind(unit, KIND.hidden)) return undefined;
      else {
        this.#readSign(unit);
        at++;
      }
    }
    if (this.#isRare) return undefined;
    const words = this.#words.toString('latin1', 0, Math.max(0, this.#end - 1));
    const [parts, isTurned, marks] = [this.#parts, this.#isTurned, this.#marks];
    return { parts, isTurned, marks, words, isLiteral: this.#isLiteral, hasName: this.#hasName };
  }

  #begin(length: number): void {
    this.#parts = [];
    this.#isTurned = false;
    this.#marks = 0;
    this.#run = 0;
    this.#isLiteral = false;
    this.#hasName = false;
    this.#isBehindSingle = false;
    this.#isRare = false;
    this.#end = 0;
    // Each word is followed by a blank.
    if (this.#words.length <= length) this.#words = Buffer.alloc(2 * length);
  }

  #readSign(unit: number): void {
    this.#run = isKind(unit, KIND.inRun) ? this.#run + 1 : 0;
    if (this.#run === LEAST_RUN) this.#marks |= MARKS.longRun;
    this.#marks |= MARKS_OF[unit] ?? 0;
    this.#isLiteral ||= isKind(unit, KIND.quote);
  }

  /** Reads a word, in which apostrophes are left out, from its first letter; returns where it ends. */
  #readWord(text: string, start: number): number {
    const [words, begin] = [this.#words, this.#end];
    let [at, end, kinds, run] = [start, begin, 0, this.#run];
    // A capital in a word makes it a literal, behind a letter; digits always do.
    let isBehindLetter = false;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const kind = KINDS[unit] ?? KIND.hidden;
      if ((kind & KIND.word) === 0) {
        if (unit !== APOSTROPHE) break;
        run = 0;
        isBehindLetter = false;
        continue;
      }
      if (++run === LEAST_RUN) this.#marks |= MARKS.longRun;
      kinds |= isBehindLetter ? kind : kind & KIND.digit;
      isBehindLetter = (kind & KIND.digit) === 0;
      words[end++] = LOWERED[unit] ?? 0;
    }
    this.#run = run;
    this.#isLiteral ||= (kinds & (KIND.upper | KIND.digit)) !== 0;
    this.#hasName ||= isName(text, start);
    words[end] = BLANK;
    this.#end = end + 1;
    this.#addWord(begin, end);
    return at;
  }

  #addWord(begin: number, end: number): void {
    const length = end - begin;
    const isSingle = length === 1;
    if ((isSingle && this.#isBehindSingle) || length > MAX_WORD_CHARS) this.#isRare = true;
    this.#isBehindSingle = isSingle;
    const first = keyAt(this.#words, begin, Math.min(end, begin + KEY_CHARS));
    const last = keyAt(this.#words, Math.max(begin, end - KEY_CHARS), end);
    if (MAY_BE[residueOf(first)] !== 0) addParts(this.#parts, PLAIN_KEYS.get(first));
    if (MAY_BE[residueOf(last)] !== 0 && PLAIN_TURNED.has(last)) this.#isTurned = true;
  }
}

/** A capital behind a blank that something but the end of a sentence stands before. */
function isName(text: string, at: number): boolean {
  return (
    isKind(text.charCodeAt(at), KIND.upper) &&
    text.charCodeAt(at - 1) === BLANK &&
    isKind(text.charCodeAt(at - 2), KIND.beforeName)
  );
}

/** `numberOf` the units from `begin` to `end`. */
function keyAt(units: Uint8Array, begin: number, end: number): number {
  let key = 0;
  for (let at = begin; at < end; at++) key |= (units[at] ?? 0) << (CHAR_BITS * (at - begin));
  return key;
}

const plainReader = new PlainReader();
