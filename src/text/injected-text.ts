import { foldWord } from './folding.ts';
import { INJECTION_WORDS, type InjectionWords, MODEL_NAMES } from './injection-words.ts';
import { withoutInvisible } from './invisible-characters.ts';

/**
 * Whether a sentence addresses an assistant instead of a reader: its rules, its prompt, its answer. Read as written and
 * once decoded from entities and base64, with invisible characters folded away. Commands over rules and models are
 * looked for in 12 languages; what is said about answers in the language of the text and in English, as its words are
 * frequent ones. A list of patterns alone is weak: what it misses is held back by the rule that a quoted sentence must
 * bear on the question itself. Linear in the text, 20 µs for a sentence.
 */
export function isInjected(sentence: string, language: string): boolean {
  if (TEMPLATE_MARKS.test(sentence)) return true;
  const readings = [sentence, decodeEntities(sentence), ...decodeBase64(sentence)];
  return new Set(readings).values().some((reading) => readsAsInjected(reading, language));
}

/** Marks of chat templates, and a role at the head of a line that goes on as an order. */
const TEMPLATE_MARKS =
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|instructions?)>|#{2,} {0,3}(?:system|instruction|new task)\b|^\s{0,9}(?:system|assistant|developer) {0,3}: {0,3}(?:you|ignore|from now|the assistant|disregard)\b/i;

function readsAsInjected(text: string, language: string): boolean {
  const words = foldedWords(text);
  if (!words.split(' ').some((word) => KEYS.has(word.slice(0, KEY_CHARS)))) return false;
  if (ANY_COMMAND.test(words)) return true;
  const own = ABOUT_ANSWERS.get(language);
  return ENGLISH_ABOUT_ANSWERS.test(words) || (own?.test(words) ?? false);
}

/** ` ignore all previous instructions `: folded words between single blanks; single letters in a row are one word. */
function foldedWords(text: string): string {
  const folded = foldWord(withoutInvisible(text).normalize('NFKC').toLowerCase()).replace(/['’]/g, '');
  const words = (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, MAX_WORD_CHARS));
  return ` ${words.join(' ')} `.replace(/(?<= \p{L}) (?=\p{L} )/gu, '');
}

const MAX_WORD_CHARS = 40;

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntities(text: string): string {
  return text.replace(ENTITY, (_, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? ' ';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });
}

/** 24 characters hold 18 bytes: three words or so. Shorter ones are names and hashes. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const MOSTLY_TEXT = 0.9;

function decodeBase64(text: string): readonly string[] {
  const runs = text.match(BASE64_RUN) ?? [];
  return runs.map((run) => Buffer.from(run, 'base64').toString('utf8')).filter(isText);
}

function isText(decoded: string): boolean {
  const readable = decoded.match(/[\p{L}\p{N}\p{P}\s]/gu)?.length ?? 0;
  return readable >= decoded.length * MOSTLY_TEXT;
}

/** Words of one part, as alternatives of an expression over `foldedWords`. */
function anyOf(words: string): string {
  return `(?:${words.replaceAll('*', '[^ ]*')})`;
}

/** `parts` in this order with at most `gap` words between two of them. */
function inOrder(gap: number, ...parts: readonly string[]): string {
  return ` ${parts.map(anyOf).join(`(?: [^ ]+){0,${gap}}? `)} `;
}

/** What is ordered of a model, or about its orders. */
function commandsOf(words: InjectionWords): readonly string[] {
  const agents = `${words.agents}|${MODEL_NAMES}`;
  const { override, which, orders, demand, speech } = words;
  return [
    inOrder(3, override, which, orders),
    inOrder(3, override, orders, which),
    inOrder(3, which, orders, override),
    inOrder(2, orders, which, override),
    inOrder(1, words.address, agents),
    inOrder(4, agents, demand, speech),
    inOrder(4, words.reveal, words.secrets),
    inOrder(4, override, words.secrets),
  ];
}

/** What is ordered about an answer: a single one of these words is a word of any page. */
function aboutAnswersOf(words: InjectionWords): readonly string[] {
  return [
    inOrder(3, words.control, words.answer, CONTROLLED),
    inOrder(8, words.asked, words.tell),
    ` ${anyOf(words.phrases)} `,
  ];
}

/** with, by, the word: what follows where an answer is dictated; any word where it stands first. */
const CONTROLLED = '[^ ]+';

/** How words begin of which every command and every order about answers has one; the other texts are read once. */
const KEY_CHARS = 4;
const KEYS = new Set(
  Object.values(INJECTION_WORDS)
    .flatMap(({ override, agents, secrets, answer, asked, phrases }) => [
      override,
      agents,
      secrets,
      answer,
      asked,
      phrases,
    ])
    .concat(MODEL_NAMES)
    .flatMap((words) => words.split('|'))
    .map((phrase) => longestOf(phrase.replaceAll('*', '').split(' ')).slice(0, KEY_CHARS)),
);

function longestOf(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function expressionOf(alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join('|'), 'u');
}

const ANY_COMMAND = expressionOf(Object.values(INJECTION_WORDS).flatMap(commandsOf));
const ABOUT_ANSWERS = new Map(
  Object.entries(INJECTION_WORDS).map(([language, words]) => [language, expressionOf(aboutAnswersOf(words))]),
);
const ENGLISH_ABOUT_ANSWERS = ABOUT_ANSWERS.get('en') ?? /$^/;
