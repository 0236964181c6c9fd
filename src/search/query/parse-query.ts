import type { FilterNode } from '../../core/filters.ts';
import { type Distance, type Lexeme, readLexemes, type WrittenRange } from './read-lexemes.ts';

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
  /** Whether a piece of the text holds a word that is no stop word. */
  readonly hasContent: (words: string) => boolean;
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
/** What is dropped of a text that would exclude and select nothing: a `NOT` is one of its words. */
const JOINING_SYMBOLS = new RegExp(SYMBOLS.source.replace('|NOT', ''), 'g');

/**
 * Reads a query text. A syntax error (an unknown field, an open bracket or quote, an empty clause, a range that its
 * field cannot have, over 64 clauses, 16 levels or 4 patterns) never fails: the whole text is then plain words,
 * operator symbols dropped. Linear. Contract: 2.2.
 */
export function parseQuery(text: string, grammar: QueryGrammar): QueryNode {
  if (!HAS_SYNTAX.test(text)) return plainWords(text);
  const lexemes = readLexemes(text, grammar.hasContent);
  const parsed = lexemes === undefined ? undefined : parseWhole(lexemes, grammar);
  if (parsed === undefined) return plainWords(withoutSymbols(text, SYMBOLS));
  return excludesOnly(parsed, grammar) ? plainWords(withoutSymbols(text, JOINING_SYMBOLS)) : parsed;
}

/** As long as the text was. A text of nothing but operators (`OR`, the state) is meant as it stands. */
function withoutSymbols(text: string, symbols: RegExp): string {
  const words = text.replace(symbols, (found) => ' '.repeat(found.length));
  return words.trim() === '' ? text : words;
}

/** Whether something is excluded and nothing selects: then nothing was meant to be excluded. */
function excludesOnly(query: QueryNode, grammar: QueryGrammar): boolean {
  return excludes(query) && !selects(query, grammar);
}

function excludes(query: QueryNode): boolean {
  return query.kind === 'list' && query.clauses.some(({ sign, node }) => sign === 'excluded' || excludes(node));
}

/** Whether a part that is not excluded is a phrase, a pattern, of a field, or a word that is no stop word. */
function selects(query: QueryNode, grammar: QueryGrammar): boolean {
  if (query.kind === 'words') return query.field !== undefined || grammar.hasContent(query.text);
  if (query.kind !== 'list') return true;
  return query.clauses.some(({ sign, node }) => sign !== 'excluded' && selects(node, grammar));
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
