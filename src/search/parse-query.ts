import { type Lexeme, readLexemes } from './query-lexer.ts';

export type QueryNode =
  | { readonly kind: 'everything' }
  /** Words as written; the tokenizer decides how many they are. */
  | { readonly kind: 'words'; readonly text: string; readonly field: string | undefined }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number; readonly field: string | undefined }
  | { readonly kind: 'list'; readonly operator: 'AND' | 'OR'; readonly clauses: readonly QueryClause[] };

export type QueryClause = { readonly sign: 'none' | 'required' | 'excluded'; readonly node: QueryNode };

export type QueryGrammar = {
  /** What stands between words that are only adjacent. */
  readonly operator: 'AND' | 'OR';
  /** The document field that a written name means; undefined when there is none. */
  readonly resolveField: (name: string) => string | undefined;
};

const MAX_CLAUSES = 64;
const MAX_DEPTH = 16;
const HAS_SYNTAX = /[-+!()":\\^~*?[\]{}]|&&|\|\||\b(?:AND|OR|NOT)\b/;
const SYMBOLS = /&&|\|\||[()":\\^~*?[\]{}]|(?<=^|[\s(])[-+!]+(?=\S)|(?<=^|\s)(?:AND|OR|NOT)(?=\s|$)/g;

/**
 * Reads a query text. A syntax error (an unknown field, an open bracket or quote, an empty clause, over 64 clauses
 * or 16 levels) never fails: the whole text is then plain words, operator symbols dropped. Linear. Contract: 2.2.
 */
export function parseQuery(text: string, grammar: QueryGrammar): QueryNode {
  if (!HAS_SYNTAX.test(text)) return plainWords(text);
  const lexemes = readLexemes(text);
  const parsed = lexemes === undefined ? undefined : parseWhole(lexemes, grammar);
  return parsed ?? plainWords(withoutSymbols(text));
}

/** A text of nothing but operators (`OR`, the state) is meant as it stands. */
function withoutSymbols(text: string): string {
  const words = text.replace(SYMBOLS, ' ');
  return words.trim() === '' ? text : words;
}

function plainWords(text: string): QueryNode {
  return { kind: 'words', text, field: undefined };
}

type Context = { readonly field: string | undefined; readonly depth: number };

/** Recursive descent over the lexemes; every step gives undefined at a syntax error. */
type Cursor = { readonly lexemes: readonly Lexeme[]; readonly grammar: QueryGrammar; at: number; clauses: number };

function parseWhole(lexemes: readonly Lexeme[], grammar: QueryGrammar): QueryNode | undefined {
  const cursor: Cursor = { lexemes, grammar, at: 0, clauses: 0 };
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
  return { sign: 'none', node: { kind: 'list', operator: 'AND', clauses } };
}

function parseClause(cursor: Cursor, context: Context): QueryClause | undefined {
  cursor.clauses++;
  if (cursor.clauses > MAX_CLAUSES) return undefined;
  const sign = readSign(cursor);
  const node = parseAtom(cursor, context);
  return node === undefined ? undefined : { sign, node };
}

function readSign(cursor: Cursor): QueryClause['sign'] {
  if (accept(cursor, 'required')) return 'required';
  return accept(cursor, 'excluded') || accept(cursor, 'not') ? 'excluded' : 'none';
}

function parseAtom(cursor: Cursor, context: Context): QueryNode | undefined {
  const lexeme = cursor.lexemes[cursor.at++];
  switch (lexeme?.kind) {
    case 'word':
      return { kind: 'words', text: lexeme.text, field: context.field };
    case 'phrase':
      return { kind: 'phrase', text: lexeme.text, slop: lexeme.slop, field: context.field };
    case 'everything':
      return context.field === undefined ? { kind: 'everything' } : undefined;
    case 'open':
      return parseGroup(cursor, { ...context, depth: context.depth + 1 });
    case 'field':
      return parseFieldAtom(cursor, lexeme.name, context);
    default:
      return undefined;
  }
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
