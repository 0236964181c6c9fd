import type { MatchNode, WordNode } from '../search-index/query-plan.ts';
import type { FieldStatus } from '../search-index/search-index.ts';
import { matchOf } from './match-words.ts';
import { parseQuery, type QueryGrammar, type QueryNode } from './parse-query.ts';
import { rangeFilter } from './query-range.ts';
import { type Expansion, expandSynonyms, type SynonymTable } from './synonyms.ts';

export type ReadingRules = {
  readonly operator: 'AND' | 'OR';
  /** Mostly that of the engine's documents. */
  readonly language: string;
  readonly fields: readonly FieldStatus[];
  readonly synonyms: SynonymTable;
};

/** What a query text means on an engine. */
export type ReadQuery = {
  readonly text: string;
  /** With synonyms. */
  readonly match: MatchNode;
  /** Synonyms that took part, whether documents have them or not. */
  readonly expansions: readonly Expansion[];
  /** Places of plain words in `text`: neither quoted nor patterns, of no field, not excluded. */
  readonly plainSpans: readonly TextSpan[];
};

export type TextSpan = { readonly start: number; readonly end: number };

/** Reads a query text; total, whatever the text. Contract: 2.2, 2.9. */
export function readQuery(text: string, rules: ReadingRules): ReadQuery {
  const { operator, language, synonyms } = rules;
  if (matchesEverything(text)) return { text, match: { kind: 'all' }, expansions: [], plainSpans: [] };
  const parsed = parseQuery(text, queryGrammar(rules));
  const plain = new Set<WordNode>();
  const match = matchOf(parsed, { operator, language, onPlainWord: (word) => plain.add(word) });
  const expanded = expandSynonyms(match, { table: synonyms, isPlain: (word) => plain.has(word) });
  return { text, ...expanded, plainSpans: plainSpans(parsed) };
}

/** Whether a query text asks for all documents. Contract: 2.1. */
export function matchesEverything(query: string): boolean {
  const text = query.trim();
  return text === '' || text === '*';
}

function queryGrammar({ operator, fields }: ReadingRules): QueryGrammar {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  const names = [...types.keys()];
  return {
    operator,
    resolveField: (name) => resolveField(name, names),
    rangeFilter: (field, range) => rangeFilter(field, range, types.get(field) ?? 'text'),
  };
}

/** A field by its exact name, else the only one with this name in another case. */
function resolveField(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return name;
  const similar = names.filter((known) => known.toLowerCase() === name.toLowerCase());
  return similar.length === 1 ? similar[0] : undefined;
}

function plainSpans(query: QueryNode): readonly TextSpan[] {
  if (query.kind === 'list') {
    return query.clauses.flatMap(({ sign, node }) => (sign === 'excluded' ? [] : plainSpans(node)));
  }
  return query.kind === 'words' && query.field === undefined ? [{ start: query.start, end: query.end }] : [];
}
