import { wordsOf } from './analyzer.ts';
import { createHashTable, type HashTable } from './hash-table.ts';
import { stemWord } from './stemming.ts';
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
let kept = createHashTable(CACHED_WORDS);
let language = '';

/** One for all texts: making a reader for each sentence costs as much as a third of its words. */
const reader: TokenSink = {
  token(word, length, _position, wordHash) {
    if (length > 1 && word[0]! >= FIRST_PAIRED && isPaired(String.fromCharCode(...word.subarray(0, length)))) return;
    let hash = kept.get(wordHash);
    if (hash === undefined) {
      hash = hashText(stemWord(String.fromCharCode(...word.subarray(0, length)), language));
      kept.set(wordHash, hash);
    }
    add(hash);
  },
  bigram: (pair, length) => add(hashWord(pair, length)),
};

function add(hash: number): void {
  if (count === hashes.length) {
    const larger = new Uint32Array(2 * count);
    larger.set(hashes);
    hashes = larger;
  }
  hashes[count++] = hash;
}

/** Hashes of the stems of a text in its order, and of its pairs of characters. O(length); 30 MB/s when words recur. */
export function stemHashes(text: string, input: string): Uint32Array {
  count = 0;
  language = input;
  kept = keptOf(input);
  tokenize(text, reader);
  return hashes.slice(0, count);
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
