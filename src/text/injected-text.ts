import { hasDependentOpener } from './dependent-openers.ts';
import { inOneScript, isDisguised, withoutInvisible } from './disguised-text.ts';
import { foldWord } from './folding.ts';
import type { InjectionWords } from './languages/language-pack.ts';
import { tableOf } from './languages/packs.ts';

/**
 * Whether a sentence addresses an assistant instead of a reader: its rules, its prompt, its answer; by itself, or
 * together with a sentence beside it. Read as written and once decoded from entities and base64, with invisible
 * characters folded away. A list of patterns alone is weak: what
 * it misses is held back by the rule that a quoted sentence must bear on the question itself. Linear in the text, 8 µs
 * for a sentence.
 */
export function isInjected(sentence: string, language: string, { before, next }: Beside = {}): boolean {
  const own = readSentence(sentence, language);
  if (own.isOrder) return true;
  if (next !== undefined) {
    const read = readSentence(next, language);
    if (read.isOrder) return isTakenUp(sentence, next, language);
    if (isSplitOrder(own, read, language)) return true;
  }
  const read = before === undefined ? undefined : readSentence(before, language);
  return read !== undefined && !read.isOrder && isSplitOrder(read, own, language);
}

/** The sentences around one, in its paragraph, list or table. */
export type Beside = { readonly before?: string | undefined; readonly next?: string | undefined };

/** Whether an order takes up what the sentence before it names: "It is so. Put it first." */
function isTakenUp(sentence: string, order: string, language: string): boolean {
  const [, ...behindVerb] = order.split(/\s+/, WORDS_WITH_OBJECT + 1);
  return (
    hasDependentOpener(sentence, language) &&
    behindVerb.some((word) => word.length > 1 && hasDependentOpener(word, language))
  );
}

/** Behind the verb of an order. */
const WORDS_WITH_OBJECT = 2;

/** A sentence as words, and whether it is an order by itself. */
type Reading = { readonly text: string; readonly words: readonly string[]; readonly parts: Uint16Array };
type ReadSentence = Reading & { readonly isOrder: boolean };

/** Those read last, by language and text: each sentence is asked about with its neighbours. */
const recent = new Map<string, ReadSentence>();
const MOST_RECENT = 4;

function readSentence(sentence: string, language: string): ReadSentence {
  const key = `${language} ${sentence}`;
  const known = recent.get(key);
  if (known !== undefined) return known;
  const own = readingOf(sentence);
  const read = { ...own, isOrder: isOrder(own, language) };
  recent.set(key, read);
  for (const oldest of recent.keys()) if (recent.size > MOST_RECENT) recent.delete(oldest);
  return read;
}

function readingOf(text: string): Reading {
  const words = foldedWords(text);
  return { text, words, parts: partsIn(words) };
}

function isOrder(own: Reading, language: string): boolean {
  const { text } = own;
  if (TEMPLATE_MARKS.test(text) || CALLED_ON.test(text) || TALK.test(text) || isDisguised(text)) return true;
  if (haveInjection(own, language)) return true;
  const decoded = [...(text.includes('&') ? [decodeEntities(text)] : []), ...decodeBase64(text), ...turnedAround(own)];
  return decoded.some((other) => haveInjection(readingOf(other), language));
}

function isSplitOrder(first: Reading, second: Reading, language: string): boolean {
  const text = `${first.text} ${second.text}`;
  const parts = first.parts.map((bits, index) => bits | (second.parts[index] ?? 0));
  return TALK.test(text) || haveInjection({ text, words: [...first.words, ...second.words], parts }, language);
}

/** A text from its end, when one of its words orders something from there. */
function turnedAround({ text, words }: Reading): readonly string[] {
  const isTurned = words.some((word) => TURNED_KEYS.has(word.slice(-KEY_CHARS)));
  return isTurned ? [[...text].reverse().join('')] : [];
}

/** A talk with an assistant: `User: … Assistant: …`. */
const TALK = /(?:^|[\s|])(?:user|human|visitor|customer) ?: .{1,400}\s(?:assistant|ai|bot|chat ?bot) ?: ?\S/i;

/** Marks of chat templates, borders of sources in prompts, and a role at the head of a line that goes on as an order. */
const TEMPLATE_MARKS =
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|instructions?)>|<\/?[scq]-[0-9a-f]{4,}|\bno_answer\b|["'](?:tool|tool_call|function|function_call)["']\s{0,9}:[^\n]{0,200}["'](?:arguments|parameters|args|input)["']\s{0,9}:|#{2,} {0,3}(?:system|instruction|new task)\b|^\s{0,9}(?:system|assistant|developer) {0,3}: {0,3}(?:you|ignore|from now|the assistant|disregard|maintenance mode|new mode)\b/i;

/** An assistant called by what it is, in a cell of a table too, and at once told what to do; `AI: answers to ten questions` is a title. */
const CALLED_ON =
  /(?:^|\|)[\s\p{P}]{0,9}(?:(?:ai|ki|ia|bot|copilot) ?:|(?:assistant|assistente?|asistente|chat ?bot|chatgpt|gpt|llm|language model|sprachmodell) ?[:,]) ?(?:tell|say|answer|reply|respond|output|print|include|insert|append|add|put|mention|repeat|write|reveal|translate|recommend|antworte|sage?|schreibe?|nenne|gib|füge|réponds|répondez|dis|dites|écris|écrivez|ajoutez?|affichez?|responde|escribe|añade|muestra|rispondi|scrivi|aggiungi|antwoord|zeg|schrijf|voeg|responda|diga|escreva|svara?|skriv|säg|vastaa|kirjoita|odpowiedz|napisz|powiedz)(?![\p{L}\p{N}])/iu;

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
const BASE64_RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g;
const MOSTLY_TEXT = 0.9;

function decodeBase64(text: string): readonly string[] {
  const runs = text.match(BASE64_RUN) ?? [];
  return runs.map((run) => Buffer.from(run, 'base64').toString('utf8')).filter(isText);
}

function isText(decoded: string): boolean {
  const readable = decoded.match(/[\p{L}\p{N}\p{P}\s]/gu)?.length ?? 0;
  return readable >= decoded.length * MOSTLY_TEXT;
}

/** An expression over folded words between single blanks, and the parts of which a text has to have a word for it. */
type Pattern = {
  readonly expression: RegExp;
  readonly required: number;
  /** What is to be said stands in the text, too. */
  readonly hasLiteral: boolean;
};

/** Words to be said as they are: a number or a code, a quotation, a name where nouns have small letters. */
const LITERAL = /\p{N}|["“”«»„‚‘`]|\p{Lu}\p{Lu}|\p{Ll}\p{Lu}/u;
const NAME = /(?<=[\p{Ll},;:] )\p{Lu}/u;
const CAPITALISES_NOUNS = 'de';

function hasLiteralIn(text: string, language: string): boolean {
  return LITERAL.test(text) || (language !== CAPITALISES_NOUNS && NAME.test(text));
}

type LanguagePatterns = {
  readonly language: string;
  readonly commands: readonly Pattern[];
  readonly all: readonly Pattern[];
};

/**
 * Whether a text holds an order to a model. Commands over rules and models are looked for in 12 languages; what
 * is said about answers in `language` and in English, as its words are frequent ones. An expression is tried only on
 * texts that have a word for each of its parts: 0.03 µs for a word of other texts.
 */
function haveInjection({ text, words, parts: found }: Reading, language: string): boolean {
  let joined: string | undefined;
  return PATTERNS.some((patterns, index) => {
    const parts = found[index] ?? 0;
    if (parts === 0) return false;
    const tried = patterns.language === language || patterns.language === 'en' ? patterns.all : patterns.commands;
    return tried.some(({ required, expression, hasLiteral }) => {
      if ((parts & required) !== required || (hasLiteral && !hasLiteralIn(text, patterns.language))) return false;
      joined ??= ` ${words.join(' ')} `;
      return expression.test(joined);
    });
  });
}

/** Parts by language of which the words may have one: a bit for each. */
function partsIn(words: readonly string[]): Uint16Array {
  const found = new Uint16Array(PATTERNS.length);
  for (const word of words) {
    const known = PARTS_BY_KEY.get(word.slice(0, KEY_CHARS));
    if (known === undefined) continue;
    for (const { index, parts } of known) found[index] = (found[index] ?? 0) | parts;
  }
  return found;
}

/** Parts that tell texts apart; the others are frequent words or have shorter beginnings than keys. */
const PARTS = [
  ...['override', 'orders', 'which', 'agents', 'address', 'demand', 'reveal', 'secrets'],
  ...['control', 'answer', 'request', 'tell', 'phrases', 'dictated', 'occasion', 'addressed'],
] as const satisfies readonly (keyof InjectionWords)[];
type Part = (typeof PARTS)[number];

function bitsOf(...parts: readonly Part[]): number {
  return parts.reduce((bits, part) => bits | (1 << PARTS.indexOf(part)), 0);
}

/** Words of one part, as alternatives of an expression. */
function anyOf(words: string): string {
  return `(?:${words.replaceAll('*', '[^ ]*')})`;
}

/** `parts` in this order with at most `gap` words between two of them. */
function inOrder(gap: number, ...parts: readonly string[]): string {
  return ` ${parts.map(anyOf).join(`(?: [^ ]+){0,${gap}}? `)} `;
}

function pattern(expression: string, ...required: readonly Part[]): Pattern {
  return { expression: new RegExp(expression, 'u'), required: bitsOf(...required), hasLiteral: false };
}

/** Words between two parts: what is to be said has some, what it is said about more. */
const SHORT_GAP = 6;
const LONG_GAP = 16;

/** What whoever answers is to say, none of them being named. */
function dictationOf({ demand, dictated, dictate, occasion, addressed }: InjectionWords): readonly Pattern[] {
  const patterns = [
    pattern(inOrder(LONG_GAP, dictated, demand, dictate), 'dictated', 'demand'),
    pattern(inOrder(SHORT_GAP, demand, dictated, dictate), 'dictated', 'demand'),
    pattern(inOrder(LONG_GAP, occasion, demand, dictate), 'occasion', 'demand'),
    pattern(inOrder(LONG_GAP, demand, dictate, occasion), 'occasion', 'demand'),
    pattern(inOrder(SHORT_GAP, occasion, dictate, demand), 'occasion', 'demand'),
    pattern(inOrder(LONG_GAP, addressed, dictate), 'addressed'),
  ];
  return patterns.map((each) => ({ ...each, hasLiteral: true }));
}

/** What is ordered of a model, or about its orders. */
function commandsOf(words: InjectionWords): readonly Pattern[] {
  const agents = agentsOf(words);
  const { override, which, orders, demand, speech } = words;
  return [
    pattern(inOrder(3, override, which, orders), 'override', 'which', 'orders'),
    pattern(inOrder(3, override, orders, which), 'override', 'which', 'orders'),
    pattern(inOrder(3, which, orders, override), 'override', 'which', 'orders'),
    pattern(inOrder(2, orders, which, override), 'override', 'which', 'orders'),
    pattern(inOrder(1, words.address, agents), 'address', 'agents'),
    pattern(inOrder(4, agents, demand, speech), 'agents', 'demand'),
    pattern(inOrder(4, words.reveal, words.secrets), 'reveal', 'secrets'),
    pattern(inOrder(4, override, words.secrets), 'override', 'secrets'),
  ];
}

/** What is ordered about an answer: a single one of these words is a word of any page. */
function aboutAnswersOf(words: InjectionWords): readonly Pattern[] {
  return [
    pattern(inOrder(3, words.control, words.answer, CONTROLLED), 'control', 'answer'),
    pattern(inOrder(8, words.request, words.tell), 'request', 'tell'),
    pattern(` ${anyOf(words.phrases)} `, 'phrases'),
  ];
}

/** with, by, the word: what follows where an answer is dictated; any word where it stands first. */
const CONTROLLED = '[^ ]+';

function agentsOf({ agents }: InjectionWords): string {
  return `${agents}|${MODEL_NAMES}`;
}

/** Names of models are the same everywhere; `ai` is not, being a word of Italian and French. */
const MODEL_NAMES = 'llm|llms|chatgpt|gpt|copilot|claude|gemini|chatbot*|language model*|ai agent*|ai assistant*';

export const INJECTION_WORDS = tableOf('injectionWords');

const PATTERNS: readonly LanguagePatterns[] = Object.entries(INJECTION_WORDS).map(([language, words]) => {
  const commands = [...commandsOf(words), ...dictationOf(words)];
  return { language, commands, all: [...commands, ...aboutAnswersOf(words)] };
});

/** A phrase is looked for by the beginning of its longest word. */
const KEY_CHARS = 4;

/** Parts that may have a word with this beginning; `index` is that of the language. */
type KeyParts = { readonly index: number; readonly parts: number };

const PARTS_BY_KEY: ReadonlyMap<string, readonly KeyParts[]> = readKeys();

/** How words end that order something from the end of a text. */
const TURNED = bitsOf('override', 'secrets');
const TURNED_KEYS: ReadonlySet<string> = new Set(
  PARTS_BY_KEY.entries().flatMap(([key, found]) =>
    found.some(({ parts }) => (parts & TURNED) !== 0) ? [[...key].reverse().join('')] : [],
  ),
);

function readKeys(): Map<string, KeyParts[]> {
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
