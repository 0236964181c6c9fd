import { foldWord } from './folding.ts';
import { haveInjection } from './injection-patterns.ts';
import { withoutInvisible } from './invisible-characters.ts';

/**
 * Whether a sentence addresses an assistant instead of a reader: its rules, its prompt, its answer. Read as written and
 * once decoded from entities and base64, with invisible characters folded away. A list of patterns alone is weak: what
 * it misses is held back by the rule that a quoted sentence must bear on the question itself. Linear in the text, 8 µs
 * for a sentence.
 */
export function isInjected(sentence: string, language: string): boolean {
  if (TEMPLATE_MARKS.test(sentence) || CALLED_ON.test(sentence)) return true;
  if (haveInjection(foldedWords(sentence), language)) return true;
  const decoded = [...(sentence.includes('&') ? [decodeEntities(sentence)] : []), ...decodeBase64(sentence)];
  return decoded.some((reading) => haveInjection(foldedWords(reading), language));
}

/** Marks of chat templates, borders of sources in prompts, and a role at the head of a line that goes on as an order. */
const TEMPLATE_MARKS =
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|instructions?)>|<\/?[scq]-[0-9a-f]{4,}|\bno_answer\b|#{2,} {0,3}(?:system|instruction|new task)\b|^\s{0,9}(?:system|assistant|developer) {0,3}: {0,3}(?:you|ignore|from now|the assistant|disregard|maintenance mode|new mode)\b/i;

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
    : foldWord(withoutInvisible(text).normalize('NFKC').toLowerCase())
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
