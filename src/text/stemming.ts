import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as irish } from '@orama/stemmers/irish';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian';
import { stemmer as nepali } from '@orama/stemmers/nepali';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as sanskrit } from '@orama/stemmers/sanskrit';
import { stemmer as serbian } from '@orama/stemmers/serbian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as tamil } from '@orama/stemmers/tamil';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import { newStemmer } from 'snowball-stemmers';
import { stemBulgarian } from './bulgarian-stemmer.ts';
import { foldWord } from './folding.ts';

type Stemmer = (word: string) => string;

const Y = 'y'.charCodeAt(0);
/** A leading y is a consonant, and stands as a capital while the word is worked on. */
const FIRST_Y = 'Y'.charCodeAt(0);
const E = 'e'.charCodeAt(0);
const I = 'i'.charCodeAt(0);
const L = 'l'.charCodeAt(0);
const S = 's'.charCodeAt(0);
const T = 't'.charCodeAt(0);
const SHORTEST = 3;

const SSES = unitsOf('sses');
const IES = unitsOf('ies');
const EED = unitsOf('eed');
const ED = unitsOf('ed');
const ING = unitsOf('ing');
const ION = unitsOf('ion');
const COMPLETED = ['at', 'bl', 'iz'].map(unitsOf);
const DERIVED = endingsOf(
  `ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate
  ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log`,
);
const SHORTENED = endingsOf('icate:ic ative: alize:al iciti:ic ical:ic ful: ness:');
const DROPPED = endingsOf(
  'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ou: ism: ate: iti: ous: ive: ize:',
);

/** a, e, i, o and u as bits of the letter. */
const VOWELS = (1 << 1) | (1 << 5) | (1 << 9) | (1 << 15) | (1 << 21);

const STEMMERS: ReadonlyMap<string, Stemmer> = new Map([
  ['ar', arabic],
  ['bg', stemBulgarian],
  ['ca', snowballStemmer('catalan')],
  ['cs', snowballStemmer('czech')],
  ['da', danish],
  ['de', german],
  ['el', greek],
  ['en', stemEnglishWord],
  ['es', spanish],
  ['eu', snowballStemmer('basque')],
  ['fi', finnish],
  ['fr', french],
  ['ga', irish],
  ['hi', hindi],
  ['hu', hungarian],
  ['hy', armenian],
  ['id', indonesian],
  ['it', italian],
  ['lt', lithuanian],
  ['nb', norwegian],
  ['ne', nepali],
  ['nl', stemDutch],
  ['nn', norwegian],
  ['no', norwegian],
  ['pt', portuguese],
  ['ro', romanian],
  ['ru', russian],
  ['sa', sanskrit],
  ['sl', snowballStemmer('slovene')],
  ['sr', serbian],
  ['sv', swedish],
  ['ta', tamil],
  ['tr', turkish],
  ['uk', ukrainian],
]);

/** Stems kept over all languages; beyond it the cache starts again (search-engine design 6.3). */
const CACHED_WORDS = 500_000;
const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u;

/** Normalised words hold no ASCII units above `a` but letters. */
const FIRST_LETTER = 'a'.charCodeAt(0);

const caches = new Map<string, Map<string, string>>();
let cachedWords = 0;

/** Whether words of a language (ISO 639-1) are more than folded. */
export function hasStemmer(language: string): boolean {
  return STEMMERS.has(language);
}

/**
 * Folded stem of a normalised word in a language (ISO 639-1); the folded word when the language has no stemmer or
 * the word holds digits or symbols. Cached per word and language.
 */
export function stemWord(word: string, language: string): string {
  const stemmer = STEMMERS.get(language);
  if (stemmer === undefined) return foldWord(word);
  let cache = caches.get(language);
  const known = cache?.get(word);
  if (known !== undefined) return known;
  if (cache === undefined || cachedWords >= CACHED_WORDS) cache = startCache(language);
  const stem = stemOf(word, stemmer);
  cache.set(word, stem);
  cachedWords++;
  return stem;
}

/**
 * `stemWord` in place for a normalised word of ASCII units; returns the length of the stem, or -1 when only `stemWord`
 * can tell: then `word` holds nothing of use. Makes no string.
 */
export function stemAscii(word: Uint16Array, length: number, language: string): number {
  if (!isLettersOnly(word, length)) return length;
  if (language !== 'en') return STEMMERS.has(language) ? -1 : length;
  const stemLength = stemEnglish(word, length);
  return stemLength > 1 ? stemLength : -1;
}

function isLettersOnly(word: Uint16Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (word[i]! < FIRST_LETTER) return false;
  return true;
}

function startCache(language: string): Map<string, string> {
  if (cachedWords >= CACHED_WORDS) {
    caches.clear();
    cachedWords = 0;
  }
  const cache = new Map<string, string>();
  caches.set(language, cache);
  return cache;
}

/** A stemmer that leaves one letter or nothing would make unrelated words equal: the word stays whole then. */
function stemOf(word: string, stemmer: Stemmer): string {
  const folded = foldWord(word);
  if (!LETTERS_ONLY.test(word)) return folded;
  const stem = foldWord(stemmer(word));
  return stem.length > 1 ? stem : folded;
}

/**
 * The stemmer takes one ending off (molens → molen → mol), and leaves the z and v of plurals, which no Dutch word ends
 * in (huizen, bedrijven).
 */
function stemDutch(word: string): string {
  const stem = dutch(dutch(word));
  return stem.replace(/z$/, 's').replace(/v$/, 'f');
}

/** Accents of English are optional, and no ending has one (résumé). */
function stemEnglishWord(accented: string): string {
  const word = foldWord(accented);
  const units = new Uint16Array(word.length);
  for (let i = 0; i < word.length; i++) units[i] = word.charCodeAt(i);
  return String.fromCharCode(...units.subarray(0, stemEnglish(units, units.length)));
}

function snowballStemmer(algorithm: string): Stemmer {
  const stemmer = newStemmer(algorithm);
  return (word) => stemmer.stem(word);
}

type Ending = { readonly ending: Uint16Array; readonly becomes: Uint16Array };

/**
 * Stems the lower-case word `word[0..length)` in place; returns the length of the stem. Porter's stemmer (1980) with the
 * endings `bli` and `logi`; gives what the package's English stemmer gives, its one deviation included: `-sion` and
 * `-tion` go whole. 0.25 µs a word, a seventh of the package's, as no regular expression and no string is made.
 */
export function stemEnglish(word: Uint16Array, length: number): number {
  if (length < SHORTEST) return length;
  const startsWithY = word[0] === Y;
  if (startsWithY) word[0] = FIRST_Y;
  let end = cutPlural(word, length);
  end = cutPast(word, end);
  if (end > 1 && word[end - 1] === Y && hasVowel(word, end - 1)) word[end - 1] = I;
  end = replaceEnding(word, end, DERIVED);
  end = replaceEnding(word, end, SHORTENED);
  end = dropEnding(word, end);
  end = cutLastLetter(word, end);
  if (startsWithY) word[0] = Y;
  return end;
}

function cutPlural(word: Uint16Array, end: number): number {
  if (word[end - 1] !== S) return end;
  if (endsWith(word, end, SSES) || endsWith(word, end, IES)) return end - 2;
  return end >= SHORTEST && word[end - 2] !== S ? end - 1 : end;
}

function cutPast(word: Uint16Array, end: number): number {
  if (endsWith(word, end, EED)) return measure(word, end - EED.length) > 0 ? end - 1 : end;
  const cut = endsWith(word, end, ED) ? ED.length : endsWith(word, end, ING) ? ING.length : 0;
  if (cut === 0 || !hasVowel(word, end - cut)) return end;
  const stem = end - cut;
  const last = word[stem - 1]!;
  const isCompleted = COMPLETED.some((ending) => stem >= ending.length && matches(word, stem, ending));
  if (!isCompleted && stem > 1 && last === word[stem - 2] && !keepsDouble(last)) return stem - 1;
  if (!isCompleted && !isShort(word, stem)) return stem;
  word[stem] = E;
  return stem + 1;
}

/** Replaces the longest of the endings, when what stands before it has a measure. */
function replaceEnding(word: Uint16Array, end: number, endings: Endings): number {
  const found = longestEnding(word, end, endings);
  if (found === undefined) return end;
  const stem = end - found.ending.length;
  if (measure(word, stem) === 0) return end;
  word.set(found.becomes, stem);
  return stem + found.becomes.length;
}

function dropEnding(word: Uint16Array, end: number): number {
  const found = longestEnding(word, end, DROPPED);
  const cut = found === undefined ? ionLength(word, end) : found.ending.length;
  return cut > 0 && measure(word, end - cut) > 1 ? end - cut : end;
}

/** Length of a final -sion or -tion, 0 = there is none. */
function ionLength(word: Uint16Array, end: number): number {
  const length = ION.length + 1;
  if (end <= length || !matches(word, end, ION)) return 0;
  return word[end - length] === S || word[end - length] === T ? length : 0;
}

function cutLastLetter(word: Uint16Array, end: number): number {
  let stem = end;
  if (end > 1 && word[end - 1] === E) {
    const count = measure(word, end - 1);
    if (count > 1 || (count === 1 && !isShort(word, end - 1))) stem = end - 1;
  }
  const isDouble = stem > 1 && word[stem - 1] === L && word[stem - 2] === L;
  return isDouble && measure(word, stem) > 1 ? stem - 1 : stem;
}

/** Groups of consonants that follow vowels: Porter's m. O(end). */
function measure(word: Uint16Array, end: number): number {
  let at = 0;
  let count = 0;
  while (at < end && !isVowelOrY(word[at]!)) at++;
  while (at < end) {
    at++;
    while (at < end && isVowel(word[at]!)) at++;
    if (at >= end) break;
    at++;
    while (at < end && !isVowelOrY(word[at]!)) at++;
    count++;
  }
  return count;
}

function hasVowel(word: Uint16Array, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowelOrY(word[at]!)) return true;
  return false;
}

/** Consonants, one vowel, and a consonant other than w and x. */
function isShort(word: Uint16Array, end: number): boolean {
  if (end < SHORTEST || !isVowelOrY(word[end - 2]!)) return false;
  const last = word[end - 1]!;
  if (isVowelOrY(last) || last === 0x77 || last === 0x78) return false;
  return !hasVowel(word, end - 2);
}

/** Vowels, l, s and z stay doubled. */
function keepsDouble(unit: number): boolean {
  return isVowelOrY(unit) || unit === L || unit === S || unit === 0x7a;
}

function isVowel(unit: number): boolean {
  return unit >>> 5 === 3 && ((VOWELS >>> (unit & 31)) & 1) === 1;
}

function isVowelOrY(unit: number): boolean {
  return unit === Y || isVowel(unit);
}

/** Whether the word ends so and has more before it. */
function endsWith(word: Uint16Array, end: number, ending: Uint16Array): boolean {
  return end > ending.length && matches(word, end, ending);
}

function matches(word: Uint16Array, end: number, ending: Uint16Array): boolean {
  const from = end - ending.length;
  for (let i = ending.length - 1; i >= 0; i--) if (word[from + i] !== ending[i]) return false;
  return true;
}

/** Endings by their last unit, longest first. */
type Endings = readonly (readonly Ending[])[];

function longestEnding(word: Uint16Array, end: number, endings: Endings): Ending | undefined {
  const candidates = endings[word[end - 1]!];
  if (candidates === undefined) return undefined;
  for (let i = 0; i < candidates.length; i++) {
    const candidate = candidates[i]!;
    if (endsWith(word, end, candidate.ending)) return candidate;
  }
  return undefined;
}

function endingsOf(list: string): Endings {
  const endings: Ending[][] = Array.from({ length: 128 }, () => []);
  const pairs = list.split(/\s+/).map((pair) => pair.split(':') as [string, string]);
  for (const [ending, becomes] of pairs.sort(([a], [b]) => b.length - a.length)) {
    endings[ending.charCodeAt(ending.length - 1)]?.push({ ending: unitsOf(ending), becomes: unitsOf(becomes) });
  }
  return endings;
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from(text, (letter) => letter.charCodeAt(0));
}
