import { wordsOf } from './analyzer.ts';
import { stemAscii, stemWord } from './stemming.ts';
import { isStopWord } from './stop-words.ts';
import { hashWord, type TokenSink, tokenize } from './tokenizer.ts';

/**
 * Words are compared by 32-bit hashes of their stems: a passage of 100 words is 400 bytes, and two unrelated words of
 * a question and of its 4,000 passages are taken for one another once in some hundred thousand questions.
 */

/** Hashes kept per language, by the hash of the word; beyond it they start again. */
const CACHED_WORDS = 200_000;
/** Han, kana and Hangul: what is written without blanks, or with endings, is compared by pairs of characters. */
const FIRST_PAIRED = 0x1100;
const PAIRED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]+$/u;

const units = new Uint16Array(256);
const keptByLanguage = new Map<string, HashTable>();

/** Of the text that is read now: filled by `reader`, copied when the text ends. */
let hashes = new Uint32Array(1_024);
let count = 0;

const FIRST_SLOTS = 4_096;

/** Stands for the key 0, which marks free slots. */
const ZERO = 1;

let kept = createHashTable(CACHED_WORDS);
let language = '';

/** One for all texts: making a reader for each sentence costs as much as a third of its words. */
const reader: TokenSink = {
  token(word, length, _position, wordHash) {
    if (length > 1 && word[0]! >= FIRST_PAIRED && isPaired(String.fromCharCode(...word.subarray(0, length)))) return;
    let hash = kept.get(wordHash);
    if (hash === undefined) {
      hash = hashOfStem(word, length);
      kept.set(wordHash, hash);
    }
    add(hash);
  },
  bigram: (pair, length) => add(hashWord(pair, length)),
};

/** Of a word that is met first: most are stemmed in place, without a string. */
function hashOfStem(word: Uint16Array, length: number): number {
  let isAscii = true;
  for (let i = 0; i < length; i++) {
    units[i] = word[i]!;
    isAscii &&= word[i]! < 128;
  }
  const stemLength = isAscii ? stemAscii(units, length, language) : -1;
  if (stemLength >= 0) return hashWord(units, stemLength);
  return hashText(stemWord(String.fromCharCode(...word.subarray(0, length)), language));
}

function add(hash: number): void {
  if (count === hashes.length) {
    const larger = new Uint32Array(2 * count);
    larger.set(hashes);
    hashes = larger;
  }
  hashes[count++] = hash;
}

/**
 * Hashes of the stems of each text in its order, and of its pairs of characters. O(length); 30 MB/s when words recur. All
 * are parts of one array: most sentences are too long for V8 to keep the numbers of an array of their own beside it.
 */
export function stemHashes(texts: readonly string[], input: string): readonly Uint32Array[] {
  count = 0;
  language = input;
  kept = keptOf(input);
  const ends = texts.map((text) => {
    tokenize(text, reader);
    return count;
  });
  const all = hashes.slice(0, count);
  return ends.map((end, at) => all.subarray(ends[at - 1] ?? 0, end));
}

/** Hashes of the distinct words of a short text that carry content; of all its words when none does. */
export function contentHashes(text: string, language: string): Uint32Array {
  const words = wordsOf(text);
  const content = words.filter((word) => !isStopWord(word, language));
  const parts = (content.length > 0 ? content : words).flatMap((word) => (isPaired(word) ? pairsOf(word) : [word]));
  return Uint32Array.from(new Set(parts.map((part) => stemHash(part, language))));
}

/** The hash under which texts of a language hold a word, or a pair of characters. */
export function stemHash(word: string, language: string): number {
  return hashText(isPaired(word) ? word : stemWord(word, language));
}

/** Whether texts hold a word by its pairs of characters alone. */
export function isPaired(word: string): boolean {
  return word.charCodeAt(0) >= FIRST_PAIRED && PAIRED.test(word);
}

/** The pairs of characters of such a word in order; the word itself when it has one character. */
export function pairsOf(word: string): readonly string[] {
  const characters = [...word];
  return characters.length < 2 ? characters : characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

function keptOf(input: string): HashTable {
  const known = keptByLanguage.get(input);
  if (known !== undefined && !known.isFull()) return known;
  const fresh = createHashTable(CACHED_WORDS);
  keptByLanguage.set(input, fresh);
  return fresh;
}

function hashText(text: string): number {
  const length = Math.min(text.length, units.length);
  for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
  return hashWord(units, length);
}

/** Numbers of 32 bits by numbers of 32 bits. A `Map` allocates one for each key that it is asked for. */
type HashTable = {
  get(key: number): number | undefined;
  /** Replaces nothing: a key is set once. */
  set(key: number, value: number): void;
  /** Holds as many as it was made for. */
  isFull(): boolean;
};

/** Keys must be hashes already: they are looked for at their low bits. Takes 16 to 32 bytes a key. O(1). */
export function createHashTable(maxKeys: number): HashTable {
  let keys = new Uint32Array(FIRST_SLOTS);
  let values = new Uint32Array(FIRST_SLOTS);
  let size = 0;

  /** Slot of a key, or the free one where it belongs. */
  const slotOf = (key: number): number => {
    const mask = keys.length - 1;
    let slot = key & mask;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  };

  const grow = () => {
    const [oldKeys, oldValues] = [keys, values];
    keys = new Uint32Array(2 * oldKeys.length);
    values = new Uint32Array(2 * oldKeys.length);
    for (let i = 0; i < oldKeys.length; i++) {
      const key = oldKeys[i]!;
      if (key === 0) continue;
      const slot = slotOf(key);
      keys[slot] = key;
      values[slot] = oldValues[i]!;
    }
  };

  return {
    get(key) {
      const slot = slotOf(key || ZERO);
      return keys[slot] === 0 ? undefined : values[slot];
    },
    set(key, value) {
      if (2 * size >= keys.length) grow();
      const slot = slotOf(key || ZERO);
      keys[slot] = key || ZERO;
      values[slot] = value;
      size++;
    },
    isFull: () => size >= maxKeys,
  };
}
