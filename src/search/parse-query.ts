import type { FilterNode } from '../core/filters.ts';

type GrammarRequest = { readonly field: string | undefined };

export type QueryNode =
  | { readonly kind: 'everything' }
  | WordsNode
  | ({ readonly kind: 'pattern'; readonly pattern: string } & GrammarRequest)
  | ({ readonly kind: 'fuzzy'; readonly text: string; readonly distance: Distance | undefined } & GrammarRequest)
  | ({ readonly kind: 'phrase'; readonly text: string; readonly slop: number } & GrammarRequest)
  | { readonly kind: 'range'; readonly field: string; readonly range: WrittenRange; readonly filter: FilterNode }
  | { readonly kind: 'list'; readonly operator: 'AND' | 'OR'; readonly clauses: readonly QueryClause[] };

/** Words as written in `[start, end)` of the query text; the tokenizer decides how many they are. */
export type WordsNode = GrammarRequest & {
  readonly kind: 'words';
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

export type QueryClause = {
  readonly sign: 'none' | 'required' | 'excluded';
  readonly node: QueryNode;
  /** Above 0; 1 when none is written. */
  readonly boost: number;
};

export type QueryGrammar = {
  /** What stands between words that are only adjacent. */
  readonly operator: 'AND' | 'OR';
  /** The document field that a written name means; undefined when there is none. */
  readonly resolveField: (name: string) => string | undefined;
  /** What a range of such a field means; undefined when its bounds do not fit the field. */
  readonly rangeFilter: (field: string, range: WrittenRange) => FilterNode | undefined;
};

const MAX_CLAUSES = 64;
const MAX_DEPTH = 16;
/** Each pattern or fuzzy word is a scan of dictionary and lists: docs/decisions/0034. */
const MAX_PATTERNS = 4;
/** Patterns that every word of the dictionary is held against, as hardly any letter stands before their wildcard. */
const MAX_OPEN_PATTERNS = 2;
const OPEN_PATTERN = /^(?:\\?[^*?\\])?[*?]/;
/** A pattern that begins with a wildcard needs two letters, or one that a word of few letters is written with. */
const MIN_LETTER_BYTES = 2;
const HAS_SYNTAX = /[-+!()":\\^~*?[\]{}]|&&|\|\||\b(?:AND|OR|NOT)\b/;
const SYMBOLS = /&&|\|\||[()":\\^~*?[\]{}]|(?<=^|[\s(])[-+!]+(?=\S)|(?<=^|\s)(?:AND|OR|NOT)(?=\s|$)/g;

/**
 * Reads a query text. A syntax error (an unknown field, an open bracket or quote, an empty clause, a range that its
 * field cannot have, over 64 clauses, 16 levels or 4 patterns) never fails: the whole text is then plain words,
 * operator symbols dropped. Linear. Contract: 2.2.
 */
export function parseQuery(text: string, grammar: QueryGrammar): QueryNode {
  if (!HAS_SYNTAX.test(text)) return plainWords(text);
  const lexemes = readLexemes(text);
  const parsed = lexemes === undefined ? undefined : parseWhole(lexemes, grammar);
  return parsed ?? plainWords(withoutSymbols(text));
}

/** As long as the text was. A text of nothing but operators (`OR`, the state) is meant as it stands. */
function withoutSymbols(text: string): string {
  const words = text.replace(SYMBOLS, (symbols) => ' '.repeat(symbols.length));
  return words.trim() === '' ? text : words;
}

function plainWords(text: string): QueryNode {
  return { kind: 'words', text, field: undefined, start: 0, end: text.length };
}

type Context = { readonly field: string | undefined; readonly depth: number };

/** Recursive descent over the lexemes; every step gives undefined at a syntax error. */
type Cursor = {
  readonly lexemes: readonly Lexeme[];
  readonly grammar: QueryGrammar;
  at: number;
  clauses: number;
  patterns: number;
  openPatterns: number;
};

function parseWhole(lexemes: readonly Lexeme[], grammar: QueryGrammar): QueryNode | undefined {
  const cursor: Cursor = { lexemes, grammar, at: 0, clauses: 0, patterns: 0, openPatterns: 0 };
  const whole = parseOr(cursor, { field: undefined, depth: 0 });
  return cursor.at === lexemes.length ? whole : undefined;
}

/** Alternatives: between them OR, or nothing when adjacency means OR. */
function parseOr(cursor: Cursor, context: Context): QueryNode | undefined {
  const clauses: QueryClause[] = [];
  for (;;) {
    const clause = parseAnd(cursor, context);
    if (clause === undefined) return undefined;
    clauses.push(clause);
    const joined = accept(cursor, 'or');
    if (!joined && (atEndOfList(cursor) || cursor.grammar.operator === 'AND')) break;
  }
  return { kind: 'list', operator: 'OR', clauses };
}

/** Conjunction: between its clauses AND, or nothing when adjacency means AND. One clause alone keeps its sign. */
function parseAnd(cursor: Cursor, context: Context): QueryClause | undefined {
  const clauses: QueryClause[] = [];
  for (;;) {
    const clause = parseClause(cursor, context);
    if (clause === undefined) return undefined;
    clauses.push(clause);
    const joined = accept(cursor, 'and');
    if (!joined && (cursor.grammar.operator === 'OR' || atEndOfList(cursor) || nextKind(cursor) === 'or')) break;
  }
  const [only] = clauses;
  if (clauses.length === 1 && only !== undefined) return only;
  return { sign: 'none', node: { kind: 'list', operator: 'AND', clauses }, boost: 1 };
}

function parseClause(cursor: Cursor, context: Context): QueryClause | undefined {
  cursor.clauses++;
  if (cursor.clauses > MAX_CLAUSES) return undefined;
  const sign = readSign(cursor);
  const node = parseAtom(cursor, context);
  return node === undefined ? undefined : { sign, node, boost: readBoost(cursor) };
}

function readBoost(cursor: Cursor): number {
  const lexeme = cursor.lexemes[cursor.at];
  if (lexeme?.kind !== 'boost') return 1;
  cursor.at++;
  return lexeme.factor;
}

function readSign(cursor: Cursor): QueryClause['sign'] {
  if (accept(cursor, 'required')) return 'required';
  return accept(cursor, 'excluded') || accept(cursor, 'not') ? 'excluded' : 'none';
}

function parseAtom(cursor: Cursor, context: Context): QueryNode | undefined {
  const lexeme = cursor.lexemes[cursor.at++];
  const { field } = context;
  switch (lexeme?.kind) {
    case 'word':
    case 'phrase':
      return lexeme.kind === 'word' ? { ...lexeme, kind: 'words', field } : { ...lexeme, field };
    case 'pattern':
      return hasLetters(lexeme.pattern) && countPattern(cursor, OPEN_PATTERN.test(lexeme.pattern))
        ? { ...lexeme, field }
        : undefined;
    case 'fuzzy':
      return countPattern(cursor, false) ? { ...lexeme, field } : undefined;
    case 'range':
      return parseRange(cursor, lexeme.range, field);
    case 'everything':
      return field === undefined
        ? { kind: 'everything' }
        : parseRange(cursor, { from: undefined, to: undefined }, field);
    case 'open':
      return parseGroup(cursor, { ...context, depth: context.depth + 1 });
    case 'field':
      return parseFieldAtom(cursor, lexeme.name, context);
    default:
      return undefined;
  }
}

function hasLetters(pattern: string): boolean {
  return !/^[*?]/.test(pattern) || Buffer.byteLength(pattern.replace(/[*?\\]/g, '')) >= MIN_LETTER_BYTES;
}

/** False when the query would cost too much with one more. */
function countPattern(cursor: Cursor, isOpen: boolean): boolean {
  cursor.patterns++;
  if (isOpen) cursor.openPatterns++;
  return cursor.patterns <= MAX_PATTERNS && cursor.openPatterns <= MAX_OPEN_PATTERNS;
}

function parseRange(cursor: Cursor, range: WrittenRange, field: string | undefined): QueryNode | undefined {
  const filter = field === undefined ? undefined : cursor.grammar.rangeFilter(field, range);
  return field === undefined || filter === undefined ? undefined : { kind: 'range', field, range, filter };
}

function parseGroup(cursor: Cursor, context: Context): QueryNode | undefined {
  if (context.depth > MAX_DEPTH) return undefined;
  const inner = parseOr(cursor, context);
  return inner !== undefined && accept(cursor, 'close') ? inner : undefined;
}

/** A second name right behind the first (`a:b:c`) is no field of anything. */
function parseFieldAtom(cursor: Cursor, name: string, context: Context): QueryNode | undefined {
  const field = cursor.grammar.resolveField(name);
  return field === undefined || nextKind(cursor) === 'field' ? undefined : parseAtom(cursor, { ...context, field });
}

function accept(cursor: Cursor, kind: Lexeme['kind']): boolean {
  if (nextKind(cursor) !== kind) return false;
  cursor.at++;
  return true;
}

function nextKind({ lexemes, at }: Cursor): Lexeme['kind'] | undefined {
  return lexemes[at]?.kind;
}

function atEndOfList(cursor: Cursor): boolean {
  return nextKind(cursor) === undefined || nextKind(cursor) === 'close';
}

/** One end of a range as written; undefined = open. */
export type WrittenBound = { readonly text: string; readonly inclusive: boolean };

export type WrittenRange = { readonly from: WrittenBound | undefined; readonly to: WrittenBound | undefined };

/** A piece of a query text. `start` and `end` are its place in the text; a field name is not known to exist. */
type Lexeme =
  | { readonly kind: 'word'; readonly text: string; readonly start: number; readonly end: number }
  /** Written with `*` or `?`; `\\*`, `\\?` and `\\\\` stay escaped. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** `distance` undefined = as fits the length of the word. */
  | { readonly kind: 'fuzzy'; readonly text: string; readonly distance: Distance | undefined }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number }
  | { readonly kind: 'range'; readonly range: WrittenRange }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'boost'; readonly factor: number }
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' | 'required' | 'excluded' | 'everything' };

type Distance = 0 | 1 | 2;

const OPERATORS: ReadonlyMap<string, Lexeme> = new Map([
  ['AND', { kind: 'and' }],
  ['&&', { kind: 'and' }],
  ['OR', { kind: 'or' }],
  ['||', { kind: 'or' }],
  ['NOT', { kind: 'not' }],
  ['*', { kind: 'everything' }],
]);
const SIGNS: ReadonlyMap<string, Lexeme> = new Map([
  ['+', { kind: 'required' }],
  ['-', { kind: 'excluded' }],
  ['!', { kind: 'excluded' }],
]);

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

/** Cuts a query text into lexemes; undefined when a quote or range is not closed or a factor is 0. Linear. Contract: 2.2. */
function readLexemes(text: string): readonly Lexeme[] | undefined {
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
  return lexemes.some((lexeme) => lexeme.kind === 'boost' && lexeme.factor === 0) ? undefined : lexemes;
}

/** Reads the lexemes of one written piece; its end, or undefined for an error. */
function readOne(text: string, at: number, lexemes: Lexeme[]): number | undefined {
  const char = text.charAt(at);
  if (char === '(' || char === ')') {
    lexemes.push({ kind: char === '(' ? 'open' : 'close' });
    return char === '(' ? at + 1 : lexBoost(text, at + 1, lexemes);
  }
  if (char === '"') return readPhrase(text, at, lexemes);
  if (char === '[' || char === '{') return readRange(text, at, lexemes);
  const sign = SIGNS.get(char);
  const followed = at + 1 < text.length && !BLANK.test(text.charAt(at + 1));
  if (sign !== undefined && followed && isTokenStart(text, at)) {
    lexemes.push(sign);
    return at + 1;
  }
  return readWord(text, at, lexemes);
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
  if (operator === undefined) pushWord(written, at, lexemes);
  else lexemes.push(operator);
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
