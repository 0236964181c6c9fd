import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian';
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
import { stemEnglish } from './english-stemmer.ts';
import { foldWord } from './folding.ts';

type Stemmer = (word: string) => string;

const STEMMERS: ReadonlyMap<string, Stemmer> = new Map([
  ['ar', arabic],
  ['bg', bulgarian],
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
  const units = Uint16Array.from({ length: word.length }, (_, i) => word.charCodeAt(i));
  return String.fromCharCode(...units.subarray(0, stemEnglish(units, units.length)));
}

function snowballStemmer(algorithm: string): Stemmer {
  const stemmer = newStemmer(algorithm);
  return (word) => stemmer.stem(word);
}
