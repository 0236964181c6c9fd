import { type FieldType, parseDate, parseNumber } from '../../core/field-values.ts';
import type { FilterNode } from '../../core/filters.ts';
import type { Engine } from '../../core/records.ts';
import type { MatchNode, WordNode } from '../../search-index/query-plan.ts';
import type { FieldStatus, SearchIndex } from '../../search-index/search-index.ts';
import type { SynonymGroup } from '../../storage/system/synonym-groups.ts';
import { analyzeText, wordsOf } from '../../text/analyzer.ts';
import { isStopWord, stopWordLanguage } from '../../text/stop-words.ts';
import { nameTerm } from '../../text/term-keys.ts';
import { matchOf } from '../match-words.ts';
import { compileSynonyms, type Expansion, expandSynonyms, type SynonymTable } from '../synonyms.ts';
import { writtenNames } from '../written-names.ts';
import { parseQuery, type QueryGrammar, type QueryNode } from './parse-query.ts';
import type { WrittenBound, WrittenRange } from './read-lexemes.ts';

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
  /** Terms of what documents may be called: of plain words the whole text, and under OR the names written in it. */
  readonly names: readonly string[];
  /** Places of plain words in `text`: neither quoted nor patterns, of no field, not excluded. */
  readonly plainSpans: readonly TextSpan[];
};

export type TextSpan = { readonly start: number; readonly end: number };

/** Reads a query text; total, whatever the text. Contract: 2.2, 2.9. */
export function readQuery(text: string, rules: ReadingRules): ReadQuery {
  const { operator, language, synonyms } = rules;
  if (matchesEverything(text)) return { text, match: { kind: 'all' }, expansions: [], names: [], plainSpans: [] };
  const parsed = parseQuery(text, queryGrammar(text, rules));
  const plain = new Set<WordNode>();
  const match = matchOf(parsed, { operator, language, onPlainWord: (word) => plain.add(word) });
  const expanded = expandSynonyms(match, { table: synonyms, isPlain: (word) => plain.has(word) });
  const names = isPlain(parsed) ? namesIn(text, operator) : [];
  return { text, ...expanded, names, plainSpans: plainSpans(parsed) };
}

const MAX_NAMES = 8;
/** Words of a query whose beginnings may be names: longer ones are sentences. */
const MAX_NAMING_WORDS = 6;

function namesIn(text: string, operator: 'AND' | 'OR'): readonly string[] {
  // What a document is called by a part of the text does not make it match all of it.
  const parts =
    operator === 'OR' ? [...writtenNames(text).map((name) => name.text), ...swapped(text), ...beginnings(text)] : [];
  const terms = new Set([text, ...parts].map(nameTerm).filter((term) => term !== undefined));
  return [...terms].slice(0, MAX_NAMES);
}

/** What a query begins with, of two words and more: `CREATE TABLE IF NOT EXISTS` names CREATE TABLE. */
function beginnings(text: string): readonly string[] {
  const words = text.trim().split(/\s+/);
  if (words.length > MAX_NAMING_WORDS) return [];
  return words.map((_, at) => words.slice(0, at).join(' ')).slice(2);
}

/** Two words the other way round: `busy_timeout pragma`, where a manual says `PRAGMA busy_timeout`. */
function swapped(text: string): readonly string[] {
  const [first, second, ...more] = text.trim().split(/\s+/);
  return first === undefined || second === undefined || more.length > 0 ? [] : [`${second} ${first}`];
}

/** What a name counts against a word that is as rare (tuned on names of manuals, docs/relevance.md). */
const NAME_BOOST = 1.5;

/** What a query selects: what its words match, and documents that are called what it says. */
export function selectionOf({ match, names }: Pick<ReadQuery, 'match' | 'names'>): MatchNode {
  if (names.length === 0) return match;
  const called = names.map((text): MatchNode => {
    return { kind: 'word', text, boost: NAME_BOOST, role: 'name', fuzzy: 'never', also: [] };
  });
  return { kind: 'or', of: [...(match.kind === 'or' ? match.of : [match]), ...called] };
}

/** Whether a query is nothing but words. */
function isPlain(query: QueryNode): boolean {
  if (query.kind === 'words') return query.field === undefined;
  return query.kind === 'list' && query.clauses.every(({ sign, node }) => sign === 'none' && isPlain(node));
}

/** Whether a query text asks for all documents. Contract: 2.1. */
export function matchesEverything(query: string): boolean {
  const text = query.trim();
  return text === '' || text === '*';
}

function queryGrammar(text: string, { operator, language, fields }: ReadingRules): QueryGrammar {
  let stopLanguage: string | undefined;
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  const names = [...types.keys()];
  return {
    operator,
    resolveField: (name) => resolveField(name, names),
    rangeFilter: (field, range) => rangeFilter(field, range, types.get(field) ?? 'text'),
    hasContent: (words) => {
      stopLanguage ??= stopWordLanguage(wordsOf(text), language);
      const stops = stopLanguage;
      return wordsOf(words).some((word) => !isStopWord(word, stops));
    },
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

export type QueryReaderDeps = {
  readonly searchIndex: Pick<SearchIndex, 'languages'>;
  /** The same list as long as no group of the customer changes. */
  readonly tools: { of(customerId: number): Promise<{ readonly synonymGroups: readonly SynonymGroup[] }> };
};

type ReaderRequest = {
  readonly engine: Engine;
  readonly fields: readonly FieldStatus[];
};

/** Reads texts as queries of one engine, with what stands between adjacent words. */
export type QueryReader = (text: string, operator: 'AND' | 'OR') => ReadQuery;

/** A reader with the engine's fields, and the customer's synonyms in the languages of engine and documents. */
export async function createQueryReader(
  { searchIndex, tools }: QueryReaderDeps,
  { engine, fields }: ReaderRequest,
): Promise<QueryReader> {
  const synonyms = await customerSynonyms({ searchIndex, tools }, engine);
  return (text, operator) => readQuery(text, { operator, language: engine.language, fields, synonyms });
}

/** The customer's synonyms in the languages of engine and documents. */
export async function customerSynonyms({ searchIndex, tools }: QueryReaderDeps, engine: Engine): Promise<SynonymTable> {
  const { synonymGroups } = await tools.of(engine.customerId);
  const languages = synonymGroups.length === 0 ? [] : [engine.language, ...(await searchIndex.languages(engine.id))];
  return tableOf(synonymGroups, [...new Set(languages)]);
}

/** Tables by the groups and languages they were made from, as long as somebody holds the groups. */
const tables = new WeakMap<readonly SynonymGroup[], Map<string, SynonymTable>>();

function tableOf(groups: readonly SynonymGroup[], languages: readonly string[]): SynonymTable {
  const byLanguages = tables.get(groups) ?? new Map<string, SynonymTable>();
  tables.set(groups, byLanguages);
  const key = languages.join(' ');
  const table = byLanguages.get(key) ?? compileSynonyms(groups, languages);
  byLanguages.set(key, table);
  return table;
}

/**
 * The filter that a range of a query text means under the type of its field: one value lies in it; dates cover whole
 * units, text compares without regard to case. Both ends open = the field exists. Undefined when a bound does not
 * parse under the type, or the type has no order. Contract: 2.2.
 */
export function rangeFilter(field: string, { from, to }: WrittenRange, type: FieldType): FilterNode | undefined {
  if (from === undefined && to === undefined) return { kind: 'exists', field };
  switch (type) {
    case 'number':
      return numberRange(field, { from, to });
    case 'date':
      return dateRange(field, { from, to });
    case 'text':
      return textRange(field, { from, to });
    case 'geo':
      return undefined;
  }
}

function numberRange(field: string, { from, to }: WrittenRange): FilterNode | undefined {
  const min = from === undefined ? Number.NEGATIVE_INFINITY : parseNumber(from.text);
  const max = to === undefined ? Number.POSITIVE_INFINITY : parseNumber(to.text);
  if (Number.isNaN(min) || Number.isNaN(max)) return undefined;
  return {
    kind: 'number',
    field,
    min: from?.inclusive === false ? neighbour(min, 1) : min,
    max: to?.inclusive === false ? neighbour(max, -1) : max,
  };
}

/** The next double above (1) or below (-1) a finite number: an exclusive bound as an inclusive one. */
function neighbour(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 === direction > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] ?? value;
}

/** An exclusive bound leaves out the whole unit it names. */
function dateRange(field: string, { from, to }: WrittenRange): FilterNode | undefined {
  const first = from === undefined ? OPEN : parseDate(from.text);
  const last = to === undefined ? OPEN : parseDate(to.text);
  if (first === undefined || last === undefined) return undefined;
  return {
    kind: 'date',
    field,
    from: from?.inclusive === false ? first.to + 1 : first.from,
    to: to?.inclusive === false ? last.from - 1 : last.to,
  };
}

const OPEN = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

function textRange(field: string, { from, to }: WrittenRange): FilterNode {
  const compare = (bound: WrittenBound | undefined, operators: readonly ['gte', 'gt'] | readonly ['lte', 'lt']) =>
    bound === undefined
      ? []
      : [{ kind: 'compare', field, operator: operators[bound.inclusive ? 0 : 1], values: [bound.text] } as const];
  return { kind: 'and', of: [...compare(from, ['gte', 'gt']), ...compare(to, ['lte', 'lt'])] };
}

/** A plain word of the query text. */
export type PlainWord = TextSpan & { readonly surface: string };

/** What may stand in a place of the query text. */
export type Replacement = TextSpan & { readonly text: string };

const HAS_DIGIT = /\p{Nd}/u;

/** Plain words in order of the text, without joined forms and words with digits. */
export function plainWordsOf({ text, plainSpans }: ReadQuery): readonly PlainWord[] {
  return plainSpans.flatMap((span) => {
    const written = text.slice(span.start, span.end);
    // Escapes shift places; who writes them means what is there.
    if (written.includes('\\')) return [];
    const words: PlainWord[] = [];
    for (const { surface, start, end } of analyzeText(written, '').tokens) {
      const position = { start: span.start + start, end: span.start + end };
      // A joined form comes behind its parts.
      if (position.start >= (words.at(-1)?.end ?? 0) && !HAS_DIGIT.test(surface)) words.push({ ...position, surface });
    }
    return words;
  });
}

/** Words of a match that may select, those under a `not` left out. */
export function wordNodes(match: MatchNode): readonly WordNode[] {
  switch (match.kind) {
    case 'word':
      return [match];
    case 'and':
    case 'or':
      return match.of.flatMap(wordNodes);
    case 'some':
      return [...match.must, ...match.should].flatMap(wordNodes);
    default:
      return [];
  }
}

/** A query text with other words in some places, none over another, each in the letter case of what it replaces. */
export function replaceWords(text: string, replacements: readonly Replacement[]): string {
  let corrected = text;
  for (const { start, end, text: word } of replacements.toSorted((a, b) => b.start - a.start)) {
    corrected = corrected.slice(0, start) + inCaseOf(text.slice(start, end), word) + corrected.slice(end);
  }
  return corrected;
}

/** The word in the letter case that was typed. */
function inCaseOf(typed: string, word: string): string {
  const lower = word.toLowerCase();
  if (typed === typed.toLowerCase()) return lower;
  if (typed.length > 1 && typed === typed.toUpperCase()) return lower.toUpperCase();
  const [first = '', ...rest] = lower;
  return typed.charAt(0) === typed.charAt(0).toLowerCase() ? lower : first.toUpperCase() + rest.join('');
}
