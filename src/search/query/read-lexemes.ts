/** One end of a range as written; undefined = open. */
export type WrittenBound = { readonly text: string; readonly inclusive: boolean };

export type WrittenRange = { readonly from: WrittenBound | undefined; readonly to: WrittenBound | undefined };

/** A piece of a query text. `start` and `end` are its place in the text; a field name is not known to exist. */
export type Lexeme =
  | WordLexeme
  /** Written with `*` or `?`; `\\*`, `\\?` and `\\\\` stay escaped. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** `distance` undefined = as fits the length of the word. */
  | { readonly kind: 'fuzzy'; readonly text: string; readonly distance: Distance | undefined }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number }
  | { readonly kind: 'range'; readonly range: WrittenRange }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'boost'; readonly factor: number }
  /** What it is when it is a word after all. */
  | { readonly kind: 'not'; readonly written: WordLexeme }
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'required' | 'excluded' | 'everything' };

type WordLexeme = { readonly kind: 'word'; readonly text: string; readonly start: number; readonly end: number };

export type Distance = 0 | 1 | 2;

const OPERATORS: ReadonlyMap<string, Lexeme> = new Map([
  ['AND', { kind: 'and' }],
  ['&&', { kind: 'and' }],
  ['OR', { kind: 'or' }],
  ['||', { kind: 'or' }],
  ['*', { kind: 'everything' }],
]);
const SIGNS: ReadonlyMap<string, Lexeme> = new Map([
  ['+', { kind: 'required' }],
  ['!', { kind: 'excluded' }],
]);
/** `-` before a phrase, a group, or a token of two letters or digits that does not begin with another `-` and has no `=`. */
const EXCLUDING_HYPHEN = /-(?:["(]|(?!-)(?=[^\s()"]*[\p{L}\p{N}][^\s()"]*[\p{L}\p{N}])(?![^\s()"]*=))/uy;

const BLANK = /\s/;
const BREAKS_WORD = /[\s()"]/;
const SLOP = /~(\d{1,4})/y;
/** Longer numbers are no factor: the product over all levels stays far from the ends of a float. */
const BOOST = /\^(\d{1,6}(?:\.\d{1,6})?)/y;
const BOOST_AT_END = /\^(\d{1,6}(?:\.\d{1,6})?)$/;
const FUZZY_AT_END = /~([012]?)$/;
const BOUND = String.raw`"(?:[^"\\]|\\[\s\S])*"|(?:[^\s"\\\]}]|\\\S)+`;
const RANGE = new RegExp(String.raw`([[{])\s*(${BOUND})\s+TO\s+(${BOUND})\s*([\]}])`, 'y');
/** A `?` at the end of a word is punctuation: a question is not a pattern. */
const PUNCTUATION_AT_END = /[?:]+$/;

/**
 * Cuts a query text into lexemes; undefined when a quote or range is not closed or a factor is 0. What looks like an
 * operator and is meant as text is text: options of commands, `IS NOT NULL`, `count(*)`. Linear. Contract: 2.2.
 */
export function readLexemes(text: string, hasContent: (words: string) => boolean): readonly Lexeme[] | undefined {
  const lexemes: Lexeme[] = [];
  let at = 0;
  while (at < text.length) {
    if (BLANK.test(text.charAt(at))) {
      at++;
      continue;
    }
    const end = readOne(text, at, lexemes);
    if (end === undefined) return undefined;
    at = end;
  }
  if (lexemes.some((lexeme) => lexeme.kind === 'boost' && lexeme.factor === 0)) return undefined;
  return withoutStars(lexemes).map((lexeme, i, all) => {
    if (lexeme.kind !== 'not') return lexeme;
    return isText({ before: all[i - 1], behind: all[i + 1] }, hasContent) ? lexeme.written : lexeme;
  });
}

type Neighbours = { readonly before: Lexeme | undefined; readonly behind: Lexeme | undefined };

/** Whether a `NOT` is a word: it is the first one, or stands behind a word with a stop word at either side. */
function isText({ before, behind }: Neighbours, hasContent: (words: string) => boolean): boolean {
  if (before === undefined) return true;
  if (before.kind !== 'word') return false;
  return [before, behind].some((lexeme) => lexeme?.kind === 'word' && !hasContent(lexeme.text));
}

/** Without the `*` that stand for no value of a field, what belongs to them, and groups that hold nothing else. */
function withoutStars(lexemes: readonly Lexeme[]): readonly Lexeme[] {
  if (lexemes.length === 1 || !lexemes.some(({ kind }) => kind === 'everything')) return lexemes;
  const kept: Lexeme[] = [];
  let isDropped = false;
  const drop = () => {
    while (SIGN_KINDS.has(kept.at(-1)?.kind)) kept.pop();
    isDropped = true;
  };
  for (const lexeme of lexemes) {
    const before = kept.at(-1)?.kind;
    if (lexeme.kind === 'everything' && before !== 'field') drop();
    else if (lexeme.kind === 'close' && before === 'open' && isDropped) {
      kept.pop();
      drop();
    } else if (lexeme.kind !== 'boost' || !isDropped) {
      kept.push(lexeme);
      isDropped = false;
    }
  }
  return kept;
}

const SIGN_KINDS: ReadonlySet<Lexeme['kind'] | undefined> = new Set(['required', 'excluded', 'not'] as const);

/** Reads the lexemes of one written piece; its end, or undefined for an error. */
function readOne(text: string, at: number, lexemes: Lexeme[]): number | undefined {
  const char = text.charAt(at);
  if (char === '(' || char === ')') {
    lexemes.push({ kind: char === '(' ? 'open' : 'close' });
    return char === '(' ? at + 1 : lexBoost(text, at + 1, lexemes);
  }
  if (char === '"') return readPhrase(text, at, lexemes);
  if (char === '[' || char === '{') return readRange(text, at, lexemes);
  const sign = isTokenStart(text, at) ? signAt(text, at) : undefined;
  if (sign === undefined) return readWord(text, at, lexemes);
  lexemes.push(sign);
  return at + 1;
}

/** The sign before a clause; undefined where it is text, as in `--quiet`, `-y`, `-DNAME=1`. */
function signAt(text: string, at: number): Lexeme | undefined {
  if (matchAt(EXCLUDING_HYPHEN, text, at) !== null) return { kind: 'excluded' };
  const isFollowed = at + 1 < text.length && !BLANK.test(text.charAt(at + 1));
  return isFollowed ? SIGNS.get(text.charAt(at)) : undefined;
}

function isTokenStart(text: string, at: number): boolean {
  return at === 0 || /[\s(]/.test(text.charAt(at - 1));
}

/** Reads the factor that may stand directly behind an atom; where it ends. */
function lexBoost(text: string, at: number, lexemes: Lexeme[]): number {
  const written = matchAt(BOOST, text, at);
  if (written === null) return at;
  lexemes.push({ kind: 'boost', factor: Number(written[1]) });
  return at + written[0].length;
}

function readPhrase(text: string, at: number, lexemes: Lexeme[]): number | undefined {
  let end = at + 1;
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1;
  if (end >= text.length) return undefined;
  const slop = matchAt(SLOP, text, end + 1);
  lexemes.push({ kind: 'phrase', text: withoutEscapes(text.slice(at + 1, end)), slop: Number(slop?.[1] ?? 0) });
  return lexBoost(text, end + 1 + (slop?.[0].length ?? 0), lexemes);
}

function readRange(text: string, at: number, lexemes: Lexeme[]): number | undefined {
  const written = matchAt(RANGE, text, at);
  if (written === null) return undefined;
  const [whole, open, from = '', to = '', close] = written;
  const range = { from: boundOf(from, open === '['), to: boundOf(to, close === ']') };
  lexemes.push({ kind: 'range', range });
  return lexBoost(text, at + whole.length, lexemes);
}

function boundOf(written: string, inclusive: boolean): WrittenBound | undefined {
  if (written === '*') return undefined;
  return { text: withoutEscapes(written.startsWith('"') ? written.slice(1, -1) : written), inclusive };
}

function readWord(text: string, at: number, lexemes: Lexeme[]): number {
  let end = at;
  while (end < text.length && !BREAKS_WORD.test(text.charAt(end))) {
    const next = text.charAt(end + 1);
    if (text.charAt(end) === ':' && end > at && next !== '' && !BLANK.test(next)) {
      lexemes.push({ kind: 'field', name: withoutEscapes(text.slice(at, end)) });
      return end + 1;
    }
    end += text.charAt(end) === '\\' ? 2 : 1;
  }
  // A `\` that ends the text escapes nothing.
  const written = text.slice(at, end > text.length ? text.length - 1 : end);
  const operator = OPERATORS.get(written);
  if (operator !== undefined) lexemes.push(operator);
  else if (written === 'NOT') lexemes.push({ kind: 'not', written: { kind: 'word', text: written, start: at, end } });
  else pushWord(written, at, lexemes);
  return Math.min(end, text.length);
}

/** A word with what is written behind it: nearness, then a factor. */
function pushWord(written: string, start: number, lexemes: Lexeme[]): void {
  const boost = suffixOf(written, BOOST_AT_END);
  const behind = boost === null ? written : written.slice(0, boost.index);
  const fuzzy = suffixOf(behind, FUZZY_AT_END);
  const core = fuzzy === null ? behind : behind.slice(0, fuzzy.index);
  const wanted = core.replace(PUNCTUATION_AT_END, (marks, at: number) => (isEscaped(core, at) ? marks : ''));
  if (wanted === '*') lexemes.push({ kind: 'everything' });
  else if (hasWildcard(wanted)) lexemes.push({ kind: 'pattern', pattern: withNeededEscapes(wanted) });
  else if (fuzzy === null) {
    lexemes.push({ kind: 'word', text: withoutEscapes(wanted), start, end: start + wanted.length });
  } else {
    const distance = fuzzy[1] === '' ? undefined : (Number(fuzzy[1]) as Distance);
    lexemes.push({ kind: 'fuzzy', text: withoutEscapes(wanted), distance });
  }
  if (boost !== null) lexemes.push({ kind: 'boost', factor: Number(boost[1]) });
}

/** A mark at the end of a word that is neither escaped nor all there is. */
function suffixOf(written: string, pattern: RegExp): RegExpExecArray | null {
  const found = pattern.exec(written);
  return found === null || found.index === 0 || isEscaped(written, found.index) ? null : found;
}

function isEscaped(text: string, at: number): boolean {
  let escapes = 0;
  while (text.charAt(at - 1 - escapes) === '\\') escapes++;
  return escapes % 2 === 1;
}

function hasWildcard(written: string): boolean {
  return /[*?]/.test(written.replace(/\\[\s\S]?/g, ''));
}

/** Escapes of a pattern that decide what is a wildcard. */
function withNeededEscapes(pattern: string): string {
  return pattern.replace(/\\([\s\S])/g, (written, char: string) => (/[*?\\]/.test(char) ? written : char));
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function withoutEscapes(text: string): string {
  return text.replace(/\\([\s\S]?)/g, '$1');
}
