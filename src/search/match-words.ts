import type { MatchNode, WordNode } from '../search-index/query-plan.ts';
import { analyzeText, wordsOf } from '../text/analyzer.ts';
import { isStopWord, stopWordLanguage } from '../text/stop-words.ts';
import type { QueryClause, QueryNode } from './parse-query.ts';

export type WordRules = {
  /** Between the words of one written piece. */
  readonly operator: 'AND' | 'OR';
  /** Whose stop words are optional, unless the words of the query fit another language better. */
  readonly language: string;
};

/** More words than this of one text select nothing further. */
const MAX_WORDS = 64;

/** What a parsed query matches; `none` when it holds no word. Contract: 2.2. */
export function matchOf(query: QueryNode, rules: WordRules): MatchNode {
  const language = stopWordLanguage(wordsOf(writtenText(query)), rules.language);
  return nodeOf(query, { ...rules, language }) ?? { kind: 'none' };
}

/** All words and phrases of a query, without its operators. */
function writtenText(query: QueryNode): string {
  if (query.kind === 'list') return query.clauses.map(({ node }) => writtenText(node)).join(' ');
  return query.kind === 'everything' ? '' : query.text;
}

/** Undefined when nothing of the query is a word. */
function nodeOf(query: QueryNode, rules: WordRules): MatchNode | undefined {
  switch (query.kind) {
    case 'everything':
      return { kind: 'all' };
    case 'words':
      return wordsNode(query.text, query.field, rules);
    case 'phrase':
      return phraseNode(query);
    case 'list':
      return listNode(query.clauses, query.operator, rules);
  }
}

/** One node per word; a word that was written in joined parts matches as one or as its parts side by side. */
function wordsNode(text: string, field: string | undefined, rules: WordRules): MatchNode | undefined {
  const nodes = writtenWords(text)
    .slice(0, MAX_WORDS)
    .flatMap(({ parts, joined }): readonly MatchNode[] => {
      if (joined === undefined) return parts.map((part) => wordNode(part, field, rules));
      return [{ kind: 'or', of: [contentWord(joined, field), phraseOf(parts, { slop: 0, field })] }];
    });
  return join(distinct(nodes), rules.operator);
}

function phraseNode({ text, slop, field }: Extract<QueryNode, { kind: 'phrase' }>): MatchNode | undefined {
  const words = writtenWords(text)
    .flatMap(({ parts }) => parts)
    .slice(0, MAX_WORDS);
  return words.length === 0 ? undefined : phraseOf(words, { slop, field });
}

function listNode(clauses: readonly QueryClause[], operator: 'AND' | 'OR', rules: WordRules): MatchNode | undefined {
  const nodes = clauses.flatMap(({ sign, node }) => {
    const match = nodeOf(node, rules);
    return match === undefined ? [] : [{ sign, match: sign === 'none' ? match : asContent(match) }];
  });
  const required = nodes.filter(({ sign }) => sign === 'required').map(({ match }) => match);
  const plain = nodes.filter(({ sign }) => sign === 'none').map(({ match }) => match);
  const excluded = nodes.filter(({ sign }) => sign === 'excluded').map(({ match }) => match);
  // An explicit AND needs all its clauses, marked or not.
  const marks = operator === 'OR' || rules.operator === 'AND';
  const positive =
    marks && required.length > 0 ? someOf(required, plain) : join(distinct([...required, ...plain]), operator);
  if (excluded.length === 0) return positive;
  return { kind: 'and', of: [positive ?? { kind: 'all' }, { kind: 'not', of: excluded }] };
}

function someOf(must: readonly MatchNode[], should: readonly MatchNode[]): MatchNode | undefined {
  return should.length === 0 ? join(must, 'AND') : { kind: 'some', must, should };
}

function join(nodes: readonly MatchNode[], operator: 'AND' | 'OR'): MatchNode | undefined {
  if (nodes.length < 2) return nodes[0];
  return { kind: operator === 'AND' ? 'and' : 'or', of: nodes };
}

function wordNode(text: string, field: string | undefined, { language }: WordRules): WordNode {
  const word = contentWord(text, field);
  return field === undefined && isStopWord(text, language) ? { ...word, role: 'stop' } : word;
}

function contentWord(text: string, field: string | undefined): WordNode {
  return {
    kind: 'word',
    text,
    boost: 1,
    role: 'content',
    near: 'never',
    also: [],
    ...(field === undefined ? {} : { field }),
  };
}

function phraseOf(
  words: readonly string[],
  { slop, field }: { readonly slop: number; readonly field: string | undefined },
): MatchNode {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return contentWord(only, field);
  return { kind: 'phrase', words, slop, boost: 1, ...(field === undefined ? {} : { field }) };
}

/** A word that was marked `+` or `-` is meant, whatever list it is in. */
function asContent(node: MatchNode): MatchNode {
  return node.kind === 'word' ? { ...node, role: 'content' } : node;
}

/** The same word twice in a list scores once. */
function distinct(nodes: readonly MatchNode[]): readonly MatchNode[] {
  const byForm = new Map(nodes.map((node) => [JSON.stringify(node), node]));
  return [...byForm.values()];
}

type WrittenWord = { readonly parts: readonly string[]; readonly joined?: string };

/** The words of a text; parts that have a joined form stay together with it. */
function writtenWords(text: string): readonly WrittenWord[] {
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
