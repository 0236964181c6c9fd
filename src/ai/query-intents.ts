import { foldWord } from '../text/folding.ts';
import { type IntentWords, QUERY_INTENTS, type QueryIntent } from '../text/languages/language-pack.ts';
import { answerTableOf } from '../text/languages/packs.ts';

/** What a plain question (`plainQuestion`) of somebody new to a place wants to know; undefined = something else. */
export function queryIntent(plain: string, language: string): QueryIntent | undefined {
  const table = phrasesOf(language);
  return QUERY_INTENTS.find((intent) => table?.[intent].wanted.test(plain) === true);
}

/** Words that say a need themselves: they are what is asked for, however often questions hold them. */
export function isIntentWord(word: string, intent: QueryIntent, language: string): boolean {
  return phrasesOf(language)?.[intent].names.test(foldWord(word.toLowerCase())) === true;
}

/** Words that pages answer a need with, the one that stands for the need in a question first. */
export function intentWords(intent: QueryIntent, language: string): readonly string[] {
  return INTENT_TABLES[language]?.[intent].words.split(/\s+/) ?? [];
}

/** What pages say for a word of a question about hours (`summer`); undefined = they say the word. */
export function timeWords(word: string, intent: QueryIntent, language: string): readonly string[] | undefined {
  return INTENT_TABLES[language]?.[intent].times?.[foldWord(word.toLowerCase())]?.split(' ');
}

/** How far a text holds what answers a need, 0 to 1: several of its kind are a list of them. */
export function meetsIntent(text: string, intent: QueryIntent, language: string): number {
  return Math.min(1, countOf(text, intent, language) / ENOUGH[intent]);
}

/** Whether a title or heading holds a word that names the need. */
export function namesIntent(title: string, intent: QueryIntent, language: string): boolean {
  return title.split(/[^\p{L}]+/u).some((word) => isIntentWord(word, intent, language));
}

/** Two places named or ways to come, an opening and a closing time of two days; one address to write to. */
const ENOUGH: Readonly<Record<QueryIntent, number>> = { hours: 4, way: 3, price: 3, contact: 1 };

const CLOCK = /\b\d{1,2}[:.h]\d\d\b|\b\d{1,2} ?(?:am|pm|uhr|a\.m\.|p\.m\.)/gu;
const MONEY = /[$€£¥₩₽฿]\s?\d|\d\s?(?:[$€£¥₩₽฿]|(?:eur|usd|gbp|chf|dkk|sek|nok|pln|kr|zl|euros?)\b)/gu;
const REACHED = /\b0\d{2,5}[ /-]?\d{3,}|\+\d[\d ()-]{6,}\d|[\w.+-]{1,64}@[\w-]{1,64}\.\w/gu;

function countOf(text: string, intent: QueryIntent, language: string): number {
  if (intent === 'way') {
    const words = wayWords(language);
    return words === undefined ? 0 : new Set(foldWord(text.toLowerCase()).match(words)).size;
  }
  const pattern = { hours: CLOCK, price: MONEY, contact: REACHED }[intent];
  return text.toLowerCase().match(pattern)?.length ?? 0;
}

const ANY_WORDS = "(?:[\\p{L}\\p{N}'-]+ ){0,5}";

type Phrases = Readonly<Record<QueryIntent, { readonly wanted: RegExp; readonly names: RegExp }>>;
const phrases = new Map<string, Phrases>();
const ways = new Map<string, RegExp>();

/** Compiled when a language is asked for first. */
function phrasesOf(language: string): Phrases | undefined {
  const table = INTENT_TABLES[language];
  if (table === undefined) return undefined;
  const known = phrases.get(language) ?? compile(table);
  phrases.set(language, known);
  return known;
}

function compile(table: Readonly<Record<QueryIntent, IntentWords>>): Phrases {
  const made = QUERY_INTENTS.map((intent) => [
    intent,
    { wanted: wholeWords(table[intent].wanted), names: namesOf(table[intent]) },
  ]);
  return Object.fromEntries(made) as Phrases;
}

function namesOf({ names }: IntentWords): RegExp {
  return new RegExp(`^(?:${alternatives(names)})$`, 'u');
}

function wayWords(language: string): RegExp | undefined {
  const table = INTENT_TABLES[language];
  if (table === undefined) return undefined;
  const known = ways.get(language) ?? new RegExp(`(?<!\\p{L})(?:${alternatives(table.way.words)})`, 'gu');
  ways.set(language, known);
  return known;
}

function wholeWords(list: string): RegExp {
  const either = list
    .split('|')
    .map((each) => each.trim().replace('~', ANY_WORDS))
    .join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${either})(?![\\p{L}\\p{N}])`, 'u');
}

function alternatives(words: string): string {
  return foldWord(words.toLowerCase()).trim().split(/\s+/).join('|');
}

const INTENT_TABLES = answerTableOf('intents');
