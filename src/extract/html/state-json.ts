import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { countWords } from '../word-characters.ts';
import { htmlOf } from './structured-text.ts';

/** Data without the name of a framework is settings more often than text. */
const MIN_UNNAMED_CHARS = 2_000;
/** How far into a script its name may stand. */
const HEAD_CHARS = 400;
const STATE_NAME = /__(?:NEXT_DATA|NUXT|NUXT_DATA|INITIAL_STATE|PRELOADED_STATE|APOLLO_STATE)__/;

/** Whether a script holds what an application starts with: data, not a program. */
export function isStateScript(attributes: Readonly<Record<string, string>>, text: string): boolean {
  if (STATE_NAME.test(attributes['id'] ?? '') || STATE_NAME.test(text.slice(0, HEAD_CHARS))) return true;
  return text.length >= MIN_UNNAMED_CHARS && attributes['type']?.trim().toLowerCase() === 'application/json';
}

/** Prose in the state of an application, in order, each text once, as HTML. O(characters). */
export function stateText(scripts: readonly string[]): { readonly html: string; readonly notes: readonly string[] } {
  const texts = new Set<string>();
  const left = { chars: EXTRACT_LIMITS.stateChars, values: EXTRACT_LIMITS.stateValues };
  for (const script of scripts) {
    left.chars -= script.length;
    if (left.chars < 0) break;
    addTexts(texts, parseState(script), left);
  }
  const isCut = left.chars < 0 || left.values <= 0;
  return { html: [...texts].map(htmlOf).join('\n'), notes: isCut ? ['state limit'] : [] };
}

/** The script itself, what stands behind the first `=`, or the quoted text of a `JSON.parse` there. */
function parseState(script: string): unknown {
  const text = script.trim();
  if (/^[[{]/.test(text)) return parse(text);
  const assigned = text.slice(text.indexOf('=') + 1).trimStart();
  const quoted = /^JSON\.parse\(\s*(?=")/.exec(assigned);
  if (quoted === null) return parse(assigned.slice(0, endOfValue(assigned)));
  const from = quoted[0].length;
  const inner = parse(assigned.slice(from, endOfString(assigned, from)));
  return typeof inner === 'string' ? parse(inner) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Behind the closing bracket of the object or list that a text begins with; 0 = it begins with none. */
function endOfValue(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    else if (char === '"') at = endOfString(text, at) - 1;
    if (depth === 0) return at === 0 ? 0 : at + 1;
  }
  return 0;
}

/** Behind the closing quotation mark of the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function addTexts(texts: Set<string>, root: unknown, left: { values: number }): void {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let step = pending.pop(); step !== undefined && left.values > 0; step = pending.pop()) {
    left.values--;
    const { value, depth } = step;
    if (typeof value === 'string' && isProse(value)) texts.add(value);
    const inner = depth < EXTRACT_LIMITS.stateDepth ? membersOf(value) : [];
    for (let at = inner.length - 1; at >= 0; at--) pending.push({ value: inner[at], depth: depth + 1 });
  }
}

function membersOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

const MIN_PROSE_CHARS = 40;
const MIN_PROSE_WORDS = 6;
const MIN_LETTER_SHARE = 0.6;
/** What is judged of a long text. */
const SAMPLE_CHARS = 2_000;
const LETTERS = /\p{L}/gu;
/** Characters of scripts without blanks, where words cannot be counted. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const MIN_UNSPACED = 20;
const ADDRESS = /^\s*(?:https?:|data:|\/\/|\/\w)\S*\s*$/i;
const CODE = /\bfunction\b[^(]{0,40}\(|=>|\b(?:var|const|let)\s+\w+\s*=|^\s*[[{]|\bwindow\./;
/** Signs of programs and style sheets, and the share of them that no prose has. */
const SIGNS = /[{}()[\];=<>|&$]/g;
const MAX_SIGN_SHARE = 0.05;
const LONG_RUN = /[^\s<>]{80,}/;

/** Text that somebody wrote for readers, HTML or not; no address, style sheet, program or coded bytes. */
function isProse(text: string): boolean {
  if (text.length < MIN_PROSE_CHARS || ADDRESS.test(text)) return false;
  const sample = text
    .slice(0, SAMPLE_CHARS)
    .replace(/<[^>]*>/g, ' ')
    .trim();
  if (sample.length < MIN_PROSE_CHARS || CODE.test(sample) || isCoded(sample)) return false;
  const letters = sample.match(LETTERS)?.length ?? 0;
  const visible = sample.replace(/\s+/g, '').length;
  const signs = sample.match(SIGNS)?.length ?? 0;
  if (letters < visible * MIN_LETTER_SHARE || signs > visible * MAX_SIGN_SHARE) return false;
  return countWords(sample) >= MIN_PROSE_WORDS || (sample.match(UNSPACED)?.length ?? 0) >= MIN_UNSPACED;
}

/** Runs without a blank are no words, but in scripts that have none. */
function isCoded(sample: string): boolean {
  return LONG_RUN.test(sample) && (sample.match(UNSPACED)?.length ?? 0) < MIN_UNSPACED;
}
