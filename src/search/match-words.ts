import type { MatchNode, WordNode } from '../search-index/query-plan.ts';
import { analyzeText, wordsOf } from '../text/analyzer.ts';
import { foldWord } from '../text/folding.ts';
import { isStopWord, stopWordLanguage } from '../text/stop-words.ts';
import type { QueryClause, QueryNode } from './query/parse-query.ts';

export type WordRules = {
  /** Between the words of one written piece. */
  readonly operator: 'AND' | 'OR';
  /** Whose stop words are optional, unless the words of the query fit another language better. */
  readonly language: string;
  /** Called with every word that is neither quoted nor a pattern, of no field and not excluded: synonyms are for these. */
  readonly onPlainWord?: (word: WordNode) => void;
};

type Context = WordRules & {
  /** Product of the factors around. */
  readonly boost: number;
  /** Whether fuzzy terms may stand for an absent word: every list around is an OR. */
  readonly fuzzy: WordNode['fuzzy'];
};

/** More words than this of one text select nothing further. */
const MAX_WORDS = 64;
/** Products of nested factors stay within these. */
const MAX_BOOST = 1_000_000;
const MIN_BOOST = 1 / MAX_BOOST;
/** From this length on a fuzzy word without a number may have two edits (search-engine design 14.2). */
const TWO_EDITS_CHARS = 8;

/** What a parsed query matches; `none` when it holds no word. Contract: 2.2. */
export function matchOf(query: QueryNode, rules: WordRules): MatchNode {
  const language = stopWordLanguage(wordsOf(writtenText(query)), rules.language);
  const fuzzy = rules.operator === 'OR' ? 'when-absent' : 'never';
  return nodeOf(query, { ...rules, language, boost: 1, fuzzy }) ?? { kind: 'none' };
}

/** All words and phrases of a query, without its operators and patterns. */
function writtenText(query: QueryNode): string {
  if (query.kind === 'list') return query.clauses.map(({ node }) => writtenText(node)).join(' ');
  return 'text' in query ? query.text : '';
}

/** Undefined when nothing of the query is a word. */
function nodeOf(query: QueryNode, context: Context): MatchNode | undefined {
  switch (query.kind) {
    case 'everything':
      return { kind: 'all' };
    case 'words':
      return wordsNode(query.text, query.field, context);
    case 'phrase':
      return phraseNode(query, context);
    case 'pattern':
      return patternNode(query, context);
    case 'fuzzy':
      return fuzzyNode(query, context);
    case 'range':
      return { kind: 'filter', filter: query.filter, boost: context.boost };
    case 'list':
      return listNode(query.clauses, query.operator, context);
  }
}

/** One node per word; a word that was written in joined parts matches as one or as its parts side by side. */
function wordsNode(text: string, field: string | undefined, context: Context): MatchNode | undefined {
  const words = counted(
    writtenWords(text).slice(0, MAX_WORDS),
    ({ parts, joined }) => JSON.stringify([parts, joined]),
    () => 1,
  );
  const nodes = words.flatMap(([{ parts, joined }, times]): readonly MatchNode[] => {
    const weighted = { ...context, boost: boundedBoost(context.boost * repeatedWeight(times)) };
    if (joined === undefined) return parts.map((part) => wordNode(part, field, weighted));
    const whole = contentWord(joined, { field, context: weighted });
    if (field === undefined) context.onPlainWord?.(whole);
    return [{ kind: 'or', of: [whole, phraseOf(parts, { field, context: weighted })] }];
  });
  return join(nodes, context.operator);
}

/** Each of them once, where it stands first, with the sum of what they count. */
function counted<T>(items: readonly T[], keyOf: (item: T) => string, count: (item: T) => number) {
  const byKey = new Map<string, [item: T, count: number]>();
  for (const item of items) {
    const known = byKey.get(keyOf(item));
    if (known === undefined) byKey.set(keyOf(item), [item, count(item)]);
    else known[1] += count(item);
  }
  return [...byKey.values()];
}

/** What a word weighs that is written several times: twice about two, twenty times nine (k3 of BM25). */
function repeatedWeight(times: number): number {
  return (times * (REPEATED_SATURATION + 1)) / (times + REPEATED_SATURATION);
}

const REPEATED_SATURATION = 16;

function phraseNode(
  { text, slop, field }: Extract<QueryNode, { kind: 'phrase' }>,
  context: Context,
): MatchNode | undefined {
  const words = writtenWords(text)
    .flatMap(({ parts }) => parts)
    .slice(0, MAX_WORDS);
  return words.length === 0 ? undefined : phraseOf(words, { slop, field, context });
}

/**
 * One node per part between characters that no word has: `wi-f*` is the word `wi` and the prefix `f*`. A part of
 * wildcards only is nothing.
 */
function patternNode({ pattern, field }: Extract<QueryNode, { kind: 'pattern' }>, context: Context) {
  const parts = pattern.replace(/\\[\s\S]?/g, unescapedLetter).match(PATTERN_PARTS) ?? [];
  const nodes = parts.flatMap((part): readonly MatchNode[] => {
    if (!/[*?]/.test(part)) return wordsOf(part).map((word) => contentWord(word, { field, context }));
    const folded = foldedPattern(part);
    if (!/[^*?]/.test(folded)) return [];
    const wanted = fieldOf(field);
    return /^[^*?]+\*$/.test(folded)
      ? [{ kind: 'prefix', pattern: folded.slice(0, -1), boost: context.boost, ...wanted }]
      : [{ kind: 'wildcard', pattern: folded, boost: context.boost, ...wanted }];
  });
  return join(nodes, 'AND');
}

const PATTERN_PARTS = /[\p{L}\p{M}\p{N}*?]+/gu;

/** An escaped letter is the letter; an escaped wildcard is in no word. */
function unescapedLetter(escaped: string): string {
  const char = escaped.slice(1);
  return char === '*' || char === '?' || char === '' ? ' ' : char;
}

/** Letters as the index has them; neighbouring `*` are one. */
function foldedPattern(part: string): string {
  return part.replace(/\*+/g, '*').replace(/[^*?]+/g, (letters) => foldWord(wordsOf(letters).join('')));
}

function fuzzyNode({ text, distance, field }: Extract<QueryNode, { kind: 'fuzzy' }>, context: Context) {
  const nodes = writtenWords(text)
    .slice(0, MAX_WORDS)
    .flatMap(({ parts, joined }) => (joined === undefined ? parts : [joined]))
    .map((word): MatchNode => {
      const folded = foldWord(word);
      const edits = distance ?? ([...folded].length >= TWO_EDITS_CHARS ? 2 : 1);
      return { kind: 'fuzzy', text: folded, distance: edits, boost: context.boost, ...fieldOf(field) };
    });
  return join(nodes, 'AND');
}

function listNode(clauses: readonly QueryClause[], operator: 'AND' | 'OR', context: Context): MatchNode | undefined {
  const nodes = counted(clauses, clauseKey, ({ boost }) => boost).flatMap(([{ sign, node, boost: first }, sum]) => {
    const boost = first * repeatedWeight(sum / first);
    const match = nodeOf(node, contextOf({ sign, boost, operator }, context));
    return match === undefined ? [] : [{ sign, match: sign === 'none' ? match : asContent(match, context) }];
  });
  const required = nodes.filter(({ sign }) => sign === 'required').map(({ match }) => match);
  const plain = nodes.filter(({ sign }) => sign === 'none').map(({ match }) => match);
  const excluded = nodes.filter(({ sign }) => sign === 'excluded').map(({ match }) => match);
  // An explicit AND needs all its clauses, marked or not.
  const marks = operator === 'OR' || context.operator === 'AND';
  const positive = marks && required.length > 0 ? someOf(required, plain) : join([...required, ...plain], operator);
  if (excluded.length === 0) return positive;
  return { kind: 'and', of: [positive ?? { kind: 'all' }, { kind: 'not', of: excluded }] };
}

/** The same for clauses that are written alike, wherever they stand. */
function clauseKey({ sign, node }: QueryClause): string {
  const alike = JSON.stringify(node, (key, value) => (key === 'start' || key === 'end' ? undefined : value));
  return `${sign} ${alike.toLowerCase()}`;
}

type ClauseRules = Pick<QueryClause, 'sign' | 'boost'> & { readonly operator: 'AND' | 'OR' };

/** What holds inside a clause of a list. */
function contextOf({ sign, boost, operator }: ClauseRules, context: Context): Context {
  const { onPlainWord, ...rest } = context;
  return {
    ...rest,
    ...(sign === 'excluded' || onPlainWord === undefined ? {} : { onPlainWord }),
    boost: boundedBoost(context.boost * boost),
    fuzzy: sign === 'none' && operator === 'OR' ? context.fuzzy : 'never',
  };
}

function boundedBoost(boost: number): number {
  return Math.min(MAX_BOOST, Math.max(MIN_BOOST, boost));
}

function someOf(must: readonly MatchNode[], should: readonly MatchNode[]): MatchNode | undefined {
  return should.length === 0 ? join(must, 'AND') : { kind: 'some', must, should };
}

function join(nodes: readonly MatchNode[], operator: 'AND' | 'OR'): MatchNode | undefined {
  if (nodes.length < 2) return nodes[0];
  return { kind: operator === 'AND' ? 'and' : 'or', of: nodes };
}

function wordNode(text: string, field: string | undefined, context: Context): WordNode {
  const { language, fuzzy, onPlainWord } = context;
  const word = contentWord(text, { field, context });
  if (field !== undefined) return word;
  const plain: WordNode = isStopWord(text, language)
    ? { ...word, role: 'stop' }
    : { ...word, fuzzy: HAS_DIGIT.test(text) ? 'never' : fuzzy };
  onPlainWord?.(plain);
  return plain;
}

const HAS_DIGIT = /\p{Nd}/u;

type WordRequest = { readonly field: string | undefined; readonly context: Context };

function contentWord(text: string, { field, context }: WordRequest): WordNode {
  return {
    kind: 'word',
    text,
    boost: context.boost,
    role: 'content',
    fuzzy: 'never',
    also: [],
    ...fieldOf(field),
  };
}

function phraseOf(
  words: readonly string[],
  { slop = 0, field, context }: WordRequest & { readonly slop?: number },
): MatchNode {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return contentWord(only, { field, context });
  return { kind: 'phrase', words, slop, boost: context.boost, ...fieldOf(field) };
}

function fieldOf(field: string | undefined): { readonly field?: string } {
  return field === undefined ? {} : { field };
}

/** A word that was marked `+` or `-` is meant, whatever list it is in. */
function asContent(node: MatchNode, { onPlainWord }: Context): MatchNode {
  if (node.kind !== 'word' || node.role === 'content') return node;
  const content: WordNode = { ...node, role: 'content' };
  onPlainWord?.(content);
  return content;
}

export type WrittenWord = { readonly parts: readonly string[]; readonly joined?: string };

/** The words of a text; parts that have a joined form stay together with it. */
export function writtenWords(text: string): readonly WrittenWord[] {
  const words: { parts: string[]; joined?: string; position: number }[] = [];
  for (const { surface, position } of analyzeText(text, '').tokens) {
    const first = words.findIndex((word) => word.position === position);
    if (first === -1) words.push({ parts: [surface], position });
    else {
      const parts = words.splice(first).flatMap((word) => word.parts);
      words.push({ parts, joined: surface, position });
    }
  }
  return words;
}
