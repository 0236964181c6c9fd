import { escapeHtml } from '../../core/escape-html.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { countWords, scanWords } from '../word-characters.ts';
import { collectBlocks, type TextBlock } from './blocks.ts';
import { foldText, parsePage } from './page-tree.ts';
import { type DataItem, isOfType, textAt, textsAt } from './structured-data.ts';

export type FallbackText = {
  /** In the order of their sources; their elements are not of the page. */
  readonly blocks: readonly TextBlock[];
  /** The page has no other text, so that these may be quoted. */
  readonly isOnlyText: boolean;
  /** `json-ld`, `state`. */
  readonly sources: readonly string[];
  readonly notes: readonly string[];
};

type Page = {
  readonly chosen: readonly TextBlock[];
  readonly items: readonly DataItem[];
  /** Scripts that hold the state of an application. */
  readonly states: readonly string[];
};

/** Fewer chosen words ask for more; fewer than the second number do when JSON-LD has more than four times as many. */
const FEW_WORDS = 60;
const SOME_WORDS = 150;
const MUCH_MORE = 4;
/** What a source must add, and how much of it may be there already. */
const MIN_ADDED_WORDS = 60;
const MAX_KNOWN_SHARE = 0.3;
/** A title at best. */
const HARDLY_ANY_WORDS = 10;

const NOTHING: FallbackText = { blocks: [], isOnlyText: false, sources: [], notes: [] };

/**
 * Text that the page holds but does not show: of its JSON-LD, then of its application's state. Asked when hardly any
 * text was chosen; a thread may have more posts in its JSON-LD than it shows. Beside a chosen text of some length the
 * description of a product was worse on 5 of 5 labelled pages, the state of an application on 2 of 4. Costs a parse of
 * these texts, and nothing when none is wanted.
 */
export function extractFallback({ chosen, items, states }: Page): FallbackText {
  const words = wordsOf(chosen);
  const isThread = items.filter((item) => isOfType(item, THREAD)).length === 1;
  if (words >= SOME_WORDS && !isThread) return NOTHING;
  const known = shinglesOf(chosen);
  const blocks: TextBlock[] = [];
  const sources: string[] = [];
  const take = (source: string, html: string, wants: (foundWords: number) => boolean) => {
    const found = html.trim() === '' ? [] : blocksOf(html);
    const foundWords = wordsOf(found);
    if (foundWords < MIN_ADDED_WORDS || !wants(foundWords) || isKnown(found, known)) return;
    blocks.push(...found);
    sources.push(source);
    for (const shingle of shinglesOf(found)) known.add(shingle);
  };
  take('json-ld', structuredText(items), (foundWords) => {
    const isMuchMore = words < SOME_WORDS && words * MUCH_MORE < foundWords;
    return words < FEW_WORDS || isMuchMore || (isThread && words < foundWords);
  });
  const state = words + wordsOf(blocks) < FEW_WORDS ? stateText(states) : { html: '', notes: [] };
  take('state', state.html, () => true);
  const isOnlyText = wordsOf(chosen.filter(({ kind }) => kind !== 'heading')) < HARDLY_ANY_WORDS;
  return { blocks, isOnlyText, sources, notes: state.notes };
}

const THREAD = /^DiscussionForumPosting$/;

function blocksOf(html: string): readonly TextBlock[] {
  return collectBlocks(parsePage(html)).blocks.filter(
    ({ visibility, kind }) => visibility === 'visible' && kind !== 'button',
  );
}

function wordsOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { words }) => sum + words, 0);
}

function isKnown(found: readonly TextBlock[], known: ReadonlySet<number>): boolean {
  const shingles = shinglesOf(found);
  let there = 0;
  for (const shingle of shingles) if (known.has(shingle)) there++;
  return there >= shingles.size * MAX_KNOWN_SHARE;
}

const SHINGLE_WORDS = 8;

/** Hashes of every run of eight words, over the borders of blocks. */
function shinglesOf(blocks: readonly TextBlock[]): Set<number> {
  const shingles = new Set<number>();
  const window = new Uint32Array(SHINGLE_WORDS);
  let words = 0;
  for (const { text } of blocks) {
    const lower = text.toLowerCase();
    scanWords(lower, (start, end) => {
      window[words++ % SHINGLE_WORDS] = hashOf(lower, start, end);
      if (words < SHINGLE_WORDS) return;
      let hash = 0;
      for (let at = words; at < words + SHINGLE_WORDS; at++)
        hash = Math.imul(hash, 31) + (window[at % SHINGLE_WORDS] ?? 0);
      shingles.add(hash | 0);
    });
  }
  return shingles;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

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
function stateText(scripts: readonly string[]): { readonly html: string; readonly notes: readonly string[] } {
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
  if (/^[[{]/.test(text)) return parseJson(text);
  const assigned = text.slice(text.indexOf('=') + 1).trimStart();
  const quoted = /^JSON\.parse\(\s*(?=")/.exec(assigned);
  if (quoted === null) return parseJson(assigned.slice(0, endOfValue(assigned)));
  const from = quoted[0].length;
  const inner = parseJson(assigned.slice(from, endOfString(assigned, from)));
  return typeof inner === 'string' ? parseJson(inner) : undefined;
}

function parseJson(text: string): unknown {
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

const ARTICLE = /(?:Article|Posting|Report)$/;
const POST = /^(?:DiscussionForumPosting|SocialMediaPosting|Comment|Answer|Question)$/;
const STEP = /^(?:HowToStep|HowToDirection|HowToTip)$/;
const DESCRIBED = /^(?:(?:Individual)?Product|Event|JobPosting|Course)$/;

/** The texts that the page's items carry for machines, in order, as HTML. Plain texts are escaped, so that nothing is markup but what was. */
function structuredText(items: readonly DataItem[]): string {
  const parts: string[] = [];
  // Of several they are what a list says of its entries.
  const isOne = items.filter((item) => isOfType(item, DESCRIBED)).length === 1;
  const known = new Set<string>();
  const add = (texts: readonly string[]) => {
    for (const text of texts) {
      if (known.has(text)) continue;
      known.add(text);
      parts.push(htmlOf(text));
    }
  };
  for (const item of items) {
    const { data } = item;
    if (isOfType(item, ARTICLE)) add(textsAt(data, 'articleBody'));
    if (isOfType(item, /^(?:Question|HowToSection)$/)) parts.push(headingOf(textAt(data, 'name')));
    if (isOfType(item, POST) || isOfType(item, STEP)) add(textsAt(data, 'text'));
    if (isOfType(item, /^Recipe$/)) {
      parts.push(listOf(textsAt(data, 'recipeIngredient')));
      add(textsAt(data, 'recipeInstructions'));
    }
    if (isOne && isOfType(item, DESCRIBED)) add(textsAt(data, 'description'));
  }
  return parts.join('\n');
}

function headingOf(text: string): string {
  const plain = foldText(text);
  return plain === '' ? '' : `<summary>${escapeHtml(plain)}</summary>`;
}

function listOf(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `<ul>${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
}

const MARKUP = /<(?:p|br|div|ul|ol|li|h[1-6]|table|b|strong|i|em|a|span)[\s/>]/i;
const ESCAPED_MARKUP = /&lt;(?:p|br|div|ul|ol|li|h[1-6]|table|b|strong|i|em|a|span)(?:\s|\/|&gt;)/i;

/** A text that may be HTML, HTML escaped once more, or plain with lines. */
function htmlOf(text: string): string {
  if (MARKUP.test(text)) return `<div>${text}</div>`;
  if (ESCAPED_MARKUP.test(text)) return `<div>${unescapeOnce(text)}</div>`;
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('');
}

function unescapeOnce(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
