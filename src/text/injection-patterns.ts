import { INJECTION_WORDS, type InjectionWords, MODEL_NAMES } from './injection-words.ts';

/** An expression over folded words between single blanks, and the parts of which a text has to have a word for it. */
type Pattern = { readonly expression: RegExp; readonly required: number };

type LanguagePatterns = {
  readonly language: string;
  readonly commands: readonly Pattern[];
  readonly all: readonly Pattern[];
};

/**
 * Whether folded words hold an order to a model. Commands over rules and models are looked for in 12 languages; what
 * is said about answers in `language` and in English, as its words are frequent ones. An expression is tried only on
 * texts that have a word for each of its parts: 0.03 µs for a word of other texts.
 */
export function haveInjection(words: readonly string[], language: string): boolean {
  const found = partsIn(words);
  let text: string | undefined;
  return PATTERNS.some((patterns, index) => {
    const parts = found[index] ?? 0;
    if (parts === 0) return false;
    const tried = patterns.language === language || patterns.language === 'en' ? patterns.all : patterns.commands;
    return tried.some(({ required, expression }) => {
      if ((parts & required) !== required) return false;
      text ??= ` ${words.join(' ')} `;
      return expression.test(text);
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
  ...['control', 'answer', 'asked', 'tell', 'phrases'],
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
  return { expression: new RegExp(expression, 'u'), required: bitsOf(...required) };
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
    pattern(inOrder(8, words.asked, words.tell), 'asked', 'tell'),
    pattern(` ${anyOf(words.phrases)} `, 'phrases'),
  ];
}

/** with, by, the word: what follows where an answer is dictated; any word where it stands first. */
const CONTROLLED = '[^ ]+';

function agentsOf({ agents }: InjectionWords): string {
  return `${agents}|${MODEL_NAMES}`;
}

const PATTERNS: readonly LanguagePatterns[] = Object.entries(INJECTION_WORDS).map(([language, words]) => {
  const commands = commandsOf(words);
  return { language, commands, all: [...commands, ...aboutAnswersOf(words)] };
});

/** A phrase is looked for by the beginning of its longest word. */
const KEY_CHARS = 4;

/** Parts that may have a word with this beginning; `index` is that of the language. */
type KeyParts = { readonly index: number; readonly parts: number };

const PARTS_BY_KEY: ReadonlyMap<string, readonly KeyParts[]> = readKeys();

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
