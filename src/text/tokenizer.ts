import {
  APOSTROPHE,
  type BigramSink,
  type Character,
  COMBINING_MARK,
  charactersOf,
  classOf,
  classOfCodePoint,
  DIGIT,
  emitBigrams,
  HASH,
  IGNORED,
  isHangul,
  JOINER,
  LETTER,
  loweredUnit,
  PLUS,
  SEPARATOR,
  SURROGATE,
  syllableRuns,
  UNSPACED,
} from './characters.ts';

/**
 * Receives tokens; `units[0..length)` is the normalised word (NFC, lower case, accents kept), valid only during the
 * call. `hash` is `hashWord` of it, made while reading.
 */
export interface TokenSink extends BigramSink {
  token(units: Uint16Array, length: number, position: number, hash: number): void;
}

/** A `TokenSink` that also learns which part `[start, end)` of the text the token stands for. */
export interface SpanSink extends BigramSink {
  token(units: Uint16Array, length: number, position: number, hash: number, start: number, end: number): void;
}

/**
 * Emits every token of `text`; returns the number of positions used. Joined forms (wi-fi -> wifi) are emitted at the
 * first part's position, after the last part. No string is made per token of a text that is in NFC.
 */
export function tokenize(text: string, sink: TokenSink): number {
  return tokenizeSpans(text, sink);
}

/** `tokenize` with the place of each token in `text`. */
export function tokenizeSpans(text: string, sink: SpanSink): number {
  const scanner = idle ?? new Scanner();
  idle = undefined;
  try {
    return scanner.run(text, sink);
  } finally {
    idle = scanner;
  }
}

/** Kept between calls, as its buffers cost more than a short text; absent while in use, so that a sink may tokenize. */
let idle: Scanner | undefined;

/** Tokens are cut here (search-engine design 6.2). */
const MAX_UNITS = 64;
/** Units read of one word before composing; four marks per letter still fill a token. */
const RAW_UNITS = 5 * MAX_UNITS;
const SHORT_PART_UNITS = 2;
/** From here on: ligatures, presentation forms and half-width letters that compose with what follows. */
const FIRST_COMPATIBILITY_UNIT = 0xfb00;
const LATIN_S = 0x73;

/** Articles and pronouns that lose their vowel before a vowel (French, Italian, Catalan). */
const ELISIONS = new Set(
  `l d j m t s n c qu jusqu lorsqu puisqu quoiqu quelqu un all dall dell nell sull coll quest quell sant bell tutt nessun ciascun`.split(
    ' ',
  ),
);

/** Lower case of ASCII letters and digits, 0 = any other unit. */
const PLAIN = new Uint8Array(128);
/** 1 = no word goes on behind this ASCII unit, whatever follows. */
const ENDS_WORD = new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) {
  const kind = classOf(unit);
  if (kind === LETTER || kind === DIGIT) PLAIN[unit] = loweredUnit(unit);
  if (kind === SEPARATOR) ENDS_WORD[unit] = 1;
}
const BLANK = 0x20;

/** First value and factor of FNV-1a. */
const HASH_SEED = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
const NOWHERE: SpanSink = { token: () => undefined };

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

class Scanner {
  readonly #word = new Uint16Array(RAW_UNITS);
  readonly #joined = new Uint16Array(MAX_UNITS);
  #text = '';
  #sink: SpanSink = NOWHERE;
  #composed: boolean | undefined;
  #at = 0;
  #position = 0;
  #bigramPosition = 0;
  #length = 0;
  #start = 0;
  #end = 0;
  #hasDigit = false;
  #hasSigns = false;
  #mustCompose = false;

  run(text: string, sink: SpanSink): number {
    this.#text = text;
    this.#sink = sink;
    this.#composed = undefined;
    this.#at = 0;
    this.#position = 0;
    this.#bigramPosition = 0;
    while (this.#at < text.length) {
      const unit = text.charCodeAt(this.#at);
      if (unit < 128) {
        if (PLAIN[unit] === 0) {
          this.#at++;
          continue;
        }
        if (this.#readPlainWord()) continue;
      }
      const kind = this.#kindAt(this.#at);
      if (kind === LETTER || kind === DIGIT) this.#readChain();
      else if (kind === UNSPACED) this.#readUnspacedRun();
      else this.#at++;
    }
    this.#text = '';
    this.#sink = NOWHERE;
    return this.#position;
  }

  /**
   * Emits a word of ASCII letters and digits that ends for sure: nearly all words of most texts, in one loop. False,
   * and nothing is read, when anything else has to be looked at.
   */
  #readPlainWord(): boolean {
    const text = this.#text;
    const word = this.#word;
    const start = this.#at;
    const most = Math.min(text.length, start + MAX_UNITS);
    let at = start;
    let hash = HASH_SEED;
    let unit = BLANK;
    for (; at < most; at++) {
      unit = text.charCodeAt(at);
      if (unit > 127) return false;
      const plain = PLAIN[unit]!;
      if (plain === 0) break;
      word[at - start] = plain;
      hash = Math.imul(hash ^ plain, HASH_FACTOR);
    }
    if (at === most ? at < text.length : ENDS_WORD[unit] === 0 && !this.#isLastOfSentence(unit, at + 1)) return false;
    this.#at = at;
    this.#sink.token(word, at - start, this.#position++, mixHash(hash), start, at);
    return true;
  }

  /** A point, hyphen or the like with an ASCII unit behind it that belongs to no word. */
  #isLastOfSentence(unit: number, next: number): boolean {
    if (classOf(unit) !== JOINER) return false;
    if (next >= this.#text.length) return true;
    const following = this.#text.charCodeAt(next);
    return following < 128 && PLAIN[following] === 0;
  }

  /** Whether the text is in NFC; only asked where a mark stands, as the answer costs a pass. */
  #isComposed(): boolean {
    this.#composed ??= this.#text.normalize('NFC') === this.#text;
    return this.#composed;
  }

  #kindAt(index: number): number {
    if (index >= this.#text.length) return SEPARATOR;
    const kind = classOf(this.#text.charCodeAt(index));
    if (kind !== SURROGATE) return kind;
    const codePoint = this.#text.codePointAt(index)!;
    return codePoint > 0xffff ? classOfCodePoint(codePoint) : SEPARATOR;
  }

  #startsWord(index: number): boolean {
    const kind = this.#kindAt(index);
    return kind === LETTER || kind === DIGIT;
  }

  /** Parts joined by single joiners: each is a token; with a short part or a digit the whole is one too. */
  #readChain(): void {
    const firstPosition = this.#position;
    let chainStart = -1;
    let joinedLength = 0;
    let parts = 0;
    let joinsParts = false;
    for (;;) {
      this.#readPart();
      if (chainStart < 0) chainStart = this.#start;
      this.#emit();
      parts++;
      joinsParts ||= this.#hasDigit || this.#length <= SHORT_PART_UNITS;
      joinedLength = this.#hasSigns ? Number.POSITIVE_INFINITY : this.#appendToJoined(joinedLength);
      if (this.#kindAt(this.#at) !== JOINER || !this.#startsWord(this.#at + 1)) break;
      this.#at++;
    }
    // A joined form that would be cut is left out: it could equal one of its parts and break the order of positions.
    if (parts > 1 && joinsParts && joinedLength <= MAX_UNITS) {
      const hash = hashWord(this.#joined, joinedLength);
      this.#sink.token(this.#joined, joinedLength, firstPosition, hash, chainStart, this.#end);
    }
  }

  #appendToJoined(joinedLength: number): number {
    const total = joinedLength + this.#length;
    if (total <= MAX_UNITS) {
      for (let i = 0; i < this.#length; i++) this.#joined[joinedLength + i] = this.#word[i]!;
    }
    return total;
  }

  #readPart(): void {
    this.#beginWord(this.#at);
    while (this.#at < this.#text.length) {
      const unit = this.#text.charCodeAt(this.#at);
      const kind = classOf(unit);
      if (kind === LETTER) this.#take(unit);
      else if (kind === DIGIT) {
        this.#hasDigit = true;
        this.#take(unit);
      } else if (!this.#readRareUnit(unit, kind)) break;
    }
    this.#readSymbolSuffix();
    this.#finishWord();
    if (isHangul(this.#word[0]!) || isHangul(this.#word[this.#length - 1]!)) this.#emitSyllables();
  }

  /** Anything in a word but plain letters and digits; false when the word ends before it. */
  #readRareUnit(unit: number, kind: number): boolean {
    if (kind === COMBINING_MARK) {
      this.#mustCompose ||= !this.#isComposed();
      this.#take(unit);
      return true;
    }
    if (kind === IGNORED) {
      this.#at++;
      return true;
    }
    if (kind === APOSTROPHE) return this.#readApostrophe();
    if (kind !== SURROGATE) return false;
    const pairKind = this.#kindAt(this.#at);
    if (pairKind !== LETTER && pairKind !== DIGIT && pairKind !== COMBINING_MARK) return false;
    this.#takePair();
    return true;
  }

  /** Cuts a possessive or an elision, drops any other inner apostrophe; false when the word ends. */
  #readApostrophe(): boolean {
    const next = this.#at + 1;
    if (!this.#startsWord(next)) return false;
    if (loweredUnit(this.#text.charCodeAt(next)) === LATIN_S && !this.#continuesWord(next + 1)) {
      this.#at = next + 1;
      return false;
    }
    if (ELISIONS.has(String.fromCharCode(...this.#word.subarray(0, this.#length)))) this.#beginWord(next);
    this.#at = next;
    return true;
  }

  #continuesWord(index: number): boolean {
    return this.#startsWord(index) || this.#kindAt(index) === COMBINING_MARK;
  }

  /** `c++` and `c#`: letters keep these signs when no word follows them. */
  #readSymbolSuffix(): void {
    if (this.#hasDigit || this.#at !== this.#end) return;
    const kind = this.#kindAt(this.#at);
    const signs = kind === PLUS && this.#kindAt(this.#at + 1) === PLUS ? 2 : kind === HASH ? 1 : 0;
    if (signs === 0 || this.#startsWord(this.#at + signs)) return;
    this.#hasSigns = true;
    for (let i = 0; i < signs; i++) this.#take(this.#text.charCodeAt(this.#at));
  }

  /** Words of a script without blanks, as the platform's dictionaries see them. */
  #readUnspacedRun(): void {
    const start = this.#at;
    let end = start;
    for (let kind = UNSPACED; kind === UNSPACED || kind === COMBINING_MARK; kind = this.#kindAt(end)) {
      end += classOf(this.#text.charCodeAt(end)) === SURROGATE ? 2 : 1;
    }
    for (const { segment, index, isWordLike } of segmenter.segment(this.#text.slice(start, end))) {
      if (isWordLike !== true) continue;
      this.#beginWord(start + index);
      this.#mustCompose = !this.#isComposed();
      while (this.#at < start + index + segment.length) this.#take(this.#text.charCodeAt(this.#at));
      this.#finishWord();
      this.#emit();
    }
    if (this.#sink.bigram !== undefined) this.#emitBigrams(charactersOf(this.#text, start, end));
    this.#at = end;
  }

  #emitSyllables(): void {
    if (this.#sink.bigram === undefined) return;
    const word = String.fromCharCode(...this.#word.subarray(0, this.#length));
    for (const run of syllableRuns(word, this.#start, this.#end)) this.#emitBigrams(run);
  }

  #emitBigrams(characters: readonly Character[]): void {
    this.#bigramPosition = emitBigrams(characters, this.#bigramPosition, this.#sink);
  }

  #beginWord(start: number): void {
    this.#at = start;
    this.#start = start;
    this.#end = start;
    this.#length = 0;
    this.#hasDigit = false;
    this.#hasSigns = false;
    this.#mustCompose = false;
  }

  #take(unit: number): void {
    if (unit >= FIRST_COMPATIBILITY_UNIT) this.#mustCompose = true;
    classOf(unit);
    if (this.#length < RAW_UNITS) this.#word[this.#length++] = loweredUnit(unit);
    this.#end = ++this.#at;
  }

  #takePair(): void {
    const lower = String.fromCodePoint(this.#text.codePointAt(this.#at)!).toLowerCase();
    if (this.#length + lower.length <= RAW_UNITS) {
      for (let i = 0; i < lower.length; i++) this.#word[this.#length++] = lower.charCodeAt(i);
    }
    this.#at += 2;
    this.#end = this.#at;
  }

  #finishWord(): void {
    if (this.#mustCompose) this.#compose();
    if (this.#length > MAX_UNITS) this.#length = MAX_UNITS;
    const last = this.#word[this.#length - 1]!;
    if (last >= 0xd800 && last < 0xdc00) this.#length--;
  }

  #compose(): void {
    const raw = String.fromCharCode(...this.#word.subarray(0, this.#length));
    const form = /[\ufb00-\ufb06\ufe70-\ufefc]/.test(raw) ? 'NFKC' : 'NFC';
    const word = raw.normalize(form).toLowerCase();
    this.#length = Math.min(word.length, RAW_UNITS);
    for (let i = 0; i < this.#length; i++) this.#word[i] = word.charCodeAt(i);
  }

  #emit(): void {
    const hash = hashWord(this.#word, this.#length);
    this.#sink.token(this.#word, this.#length, this.#position++, hash, this.#start, this.#end);
  }
}

/** 32-bit hash of a word: FNV-1a over its code units with a final mix, as its low bits alone cluster. */
export function hashWord(units: Uint16Array, length: number): number {
  let hash = HASH_SEED;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ units[i]!, HASH_FACTOR);
  return mixHash(hash);
}

function mixHash(fnv: number): number {
  let hash = fnv ^ (fnv >>> 15);
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
