import { hasDependentOpener } from './dependent-openers.ts';
import { isDisguised } from './disguised-text.ts';
import {
  agentsOf,
  bitsOf,
  INJECTION_WORDS,
  type InjectionSigns,
  injectionSigns,
  LEAST_RUN,
  MARKS,
  NAME,
  type Part,
} from './injection-signs.ts';
import type { InjectionWords } from './languages/language-pack.ts';

/**
 * Whether a sentence addresses an assistant instead of a reader: its rules, its prompt, its answer; by itself, or
 * together with a sentence beside it. Read as written and once decoded from entities and base64, with invisible
 * characters folded away. A list of patterns alone is weak: what it misses is held back by the rule that a quoted
 * sentence must bear on the question itself. Linear in the text, 5 µs for a sentence in ASCII and 23 µs for another, each
 * with those beside it.
 */
export function isInjected(sentence: string, language: string, { before, next }: Beside = {}): boolean {
  const own = readSentence(sentence, language);
  if (own.isOrder) return true;
  if (next !== undefined) {
    const read = readSentence(next, language);
    if (read.isOrder) return isTakenUp(sentence, next, language);
    if (isSplitOrder(own, read)) return true;
  }
  const read = before === undefined ? undefined : readSentence(before, language);
  return read !== undefined && !read.isOrder && isSplitOrder(read, own);
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

/** A text with its signs. */
type Reading = InjectionSigns & { readonly text: string };
type ReadSentence = Reading & {
  readonly language: string;
  readonly isOrder: boolean;
  /** Whether it is an order together with the sentence behind it that it was asked about with last. */
  split?: { readonly next: ReadSentence; readonly isOrder: boolean };
};

/** Those read last: each sentence is asked about with its neighbours. */
const recent: ReadSentence[] = [];
const MOST_RECENT = 4;

function readSentence(text: string, language: string): ReadSentence {
  for (const read of recent) if (read.text === text && read.language === language) return read;
  const own = readingOf(text);
  const read = { ...own, language, isOrder: isOrder(own, language) };
  recent.push(read);
  if (recent.length > MOST_RECENT) recent.shift();
  return read;
}

function readingOf(text: string): Reading {
  return { ...injectionSigns(text), text };
}

function isOrder(own: Reading, language: string): boolean {
  const { text, marks } = own;
  const has = (mark: number) => (marks & mark) !== 0;
  if (has(MARKS.template) && TEMPLATE_MARKS.test(text)) return true;
  if (has(MARKS.colon | MARKS.comma) && CALLED_ON.test(text)) return true;
  if (has(MARKS.colon) && TALK.test(text)) return true;
  if (has(MARKS.folded) && isDisguised(text)) return true;
  if (haveInjection(language, own)) return true;
  return decodings(own).some((other) => haveInjection(language, readingOf(other)));
}

/** What else a text may say: from entities, from base64, and from its end. */
function decodings({ text, marks, isTurned }: Reading): readonly string[] {
  return [
    ...((marks & MARKS.ampersand) === 0 ? [] : [decodeEntities(text)]),
    ...((marks & MARKS.longRun) === 0 ? [] : decodeBase64(text)),
    ...(isTurned ? [[...text].reverse().join('')] : []),
  ];
}

function isSplitOrder(first: ReadSentence, second: ReadSentence): boolean {
  if (first.split?.next !== second) first.split = { next: second, isOrder: haveSplitOrder(first, second) };
  return first.split.isOrder;
}

function haveSplitOrder(first: ReadSentence, second: ReadSentence): boolean {
  const mayBeTalk = ((first.marks | second.marks) & MARKS.colon) !== 0;
  return (mayBeTalk && TALK.test(`${first.text} ${second.text}`)) || haveInjection(first.language, first, second);
}

/** A talk with an assistant: `User: … Assistant: …`. */
const TALK = /(?:^|[\s|])(?:user|human|visitor|customer) ?: .{1,400}\s(?:assistant|ai|bot|chat ?bot) ?: ?\S/i;

/** Marks of chat templates, borders of sources in prompts, and a role at the head of a line that goes on as an order. */
const TEMPLATE_MARKS =
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|instructions?)>|<\/?[scq]-[0-9a-f]{4,}|\bno_answer\b|["'](?:tool|tool_call|function|function_call)["']\s{0,9}:[^\n]{0,200}["'](?:arguments|parameters|args|input)["']\s{0,9}:|#{2,} {0,3}(?:system|instruction|new task)\b|^\s{0,9}(?:system|assistant|developer) {0,3}: {0,3}(?:you|ignore|from now|the assistant|disregard|maintenance mode|new mode)\b/i;

/** An assistant called by what it is, in a cell of a table too, and at once told what to do; `AI: answers to ten questions` is a title. */
const CALLED_ON =
  /(?:^|\|)[\s\p{P}]{0,9}(?:(?:ai|ki|ia|bot|copilot) ?:|(?:assistant|assistente?|asistente|chat ?bot|chatgpt|gpt|llm|language model|sprachmodell) ?[:,]) ?(?:tell|say|answer|reply|respond|output|print|include|insert|append|add|put|mention|repeat|write|reveal|translate|recommend|antworte|sage?|schreibe?|nenne|gib|füge|réponds|répondez|dis|dites|écris|écrivez|ajoutez?|affichez?|responde|escribe|añade|muestra|rispondi|scrivi|aggiungi|antwoord|zeg|schrijf|voeg|responda|diga|escreva|svara?|skriv|säg|vastaa|kirjoita|odpowiedz|napisz|powiedz)(?![\p{L}\p{N}])/iu;

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntities(text: string): string {
  return text.replace(ENTITY, (_, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? ' ';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });
}

const BASE64_RUN = new RegExp(`(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{${LEAST_RUN},}={0,2}`, 'g');
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

const CAPITALISES_NOUNS = 'de';

type LanguagePatterns = {
  readonly language: string;
  readonly commands: readonly Pattern[];
  readonly all: readonly Pattern[];
};

/**
 * Whether a text, one reading or two that follow one another, holds an order to a model. Commands over rules and models
 * are looked for in 12 languages; what is said about answers in `language` and in English, as its words are frequent
 * ones. An expression is tried only on texts that have a word for each of its parts.
 */
function haveInjection(language: string, first: Reading, second?: Reading): boolean {
  let words: string | undefined;
  const isFound = (tried: Pattern, writtenIn: string) => {
    if (tried.hasLiteral && !haveLiteral(writtenIn, first, second)) return false;
    words ??= joinedWords(first, second);
    return tried.expression.test(words);
  };
  for (let index = 0; index < PATTERNS.length; index++) {
    const parts = (first.parts[index] ?? 0) | (second?.parts[index] ?? 0);
    if (parts === 0) continue;
    const patterns = PATTERNS[index] ?? NO_PATTERNS;
    for (const each of triedOn(patterns, language)) {
      if ((parts & each.required) === each.required && isFound(each, patterns.language)) return true;
    }
  }
  return false;
}

function triedOn({ language: writtenIn, all, commands }: LanguagePatterns, language: string): readonly Pattern[] {
  return writtenIn === language || writtenIn === 'en' ? all : commands;
}

/** Between single blanks. */
function joinedWords(first: Reading, second: Reading | undefined): string {
  const { words } = first;
  const others = second?.words ?? '';
  return words === '' || others === '' ? ` ${words}${others} ` : ` ${words} ${others} `;
}

/** Whether a text has words to be said as they are, by the language whose expression asks. No such sign has a blank. */
function haveLiteral(language: string, first: Reading, second: Reading | undefined): boolean {
  if (first.isLiteral || second?.isLiteral === true) return true;
  if (language === CAPITALISES_NOUNS) return false;
  if (first.hasName || second?.hasName === true) return true;
  return second !== undefined && NAME.test(`${first.text.slice(-2)} ${second.text.slice(0, 2)}`);
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

const NO_PATTERNS: LanguagePatterns = { language: '', commands: [], all: [] };
const PATTERNS: readonly LanguagePatterns[] = Object.entries(INJECTION_WORDS).map(([language, words]) => {
  const commands = [...commandsOf(words), ...dictationOf(words)];
  return { language, commands, all: [...commands, ...aboutAnswersOf(words)] };
});
