import { yieldToEventLoop } from '../core/yield.ts';
import type { Alternative, MatchNode, WordNode } from '../search-index/query-plan.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { SynonymGroup } from '../storage/system/synonym-groups.ts';
import { stemWord } from '../text/stemming.ts';
import { writtenWords } from './match-words.ts';

/** An entry of a group that took part in a query. */
export type Expansion = {
  /** As the editor wrote it. */
  readonly text: string;
  readonly words: readonly string[];
};

export type ExpandedMatch = {
  readonly match: MatchNode;
  /** Each once, in order of the query. */
  readonly expansions: readonly Expansion[];
};

type GroupWords = Pick<SynonymGroup, 'language' | 'words'>;

/** Finds what else is meant by words that stand side by side. */
export type SynonymTable = {
  /** The longest entry that begins at `words[at]`: how many words it has, and what means the same. */
  findAt(words: readonly string[], at: number): FoundEntry | undefined;
};

type FoundEntry = { readonly length: number; readonly others: readonly Expansion[] };

/** What a match through a synonym scores, against a direct one (search-engine design 11.1, start value). */
const SYNONYM_WEIGHT = 0.8;
/** Alternatives of one word (search-engine design 10.3). */
const MAX_ALTERNATIVES = 32;
/** Entries longer than this are no words of a query. */
const MAX_ENTRY_WORDS = 16;

/**
 * The groups of these languages as one table. Entries are compared by their stems in the language of their group, so
 * that inflected words of a query are found. O(entries) to make; a look-up is O(words of the longest entry · languages).
 */
export function compileSynonyms(groups: readonly GroupWords[], languages: readonly string[]): SynonymTable {
  const tries = new Map<string, Trie>();
  for (const group of groups) addGroup(tries, group, languages);
  return tableOf(tries);
}

/** Groups of one turn of the event loop: some 3 ms. */
const GROUPS_PER_YIELD = 50;

/** The same for many groups, in turns. */
export async function compileManySynonyms(
  groups: readonly GroupWords[],
  languages: readonly string[],
): Promise<SynonymTable> {
  const tries = new Map<string, Trie>();
  for (const [index, group] of groups.entries()) {
    addGroup(tries, group, languages);
    if (index % GROUPS_PER_YIELD === GROUPS_PER_YIELD - 1) await yieldToEventLoop();
  }
  return tableOf(tries);
}

/**
 * Hangs synonyms on the plain words of a match; longest entries first. One word takes alternatives; of several words
 * that stand side by side in a list an AND becomes (all of them, or any alternative), and an OR takes the alternatives
 * beside them. `isPlain` tells words that are neither quoted nor of a field. Contract: 2.9.
 */
export function expandSynonyms(
  match: MatchNode,
  { table, isPlain }: { readonly table: SynonymTable; readonly isPlain: (word: WordNode) => boolean },
): ExpandedMatch {
  const used: Expansion[] = [];
  const expanded = expandNode(match, { table, isPlain, used });
  return { match: expanded, expansions: distinct(used) };
}

/** Texts of the expansions whose words all stand in live documents. */
export async function knownExpansions(
  { searchIndex }: { readonly searchIndex: Pick<SearchIndex, 'documentFrequencies'> },
  engineId: number,
  expansions: readonly Expansion[],
): Promise<readonly string[]> {
  if (expansions.length === 0) return [];
  const words = [...new Set(expansions.flatMap((expansion) => expansion.words))];
  const counts = await searchIndex.documentFrequencies(engineId, words);
  const known = new Set(words.filter((_, index) => (counts[index] ?? 0) > 0));
  return expansions.filter((expansion) => expansion.words.every((word) => known.has(word))).map(({ text }) => text);
}

function addGroup(tries: Map<string, Trie>, { words, language: code }: GroupWords, languages: readonly string[]) {
  const language = code.toLowerCase();
  if (!languages.includes(language)) return;
  const trie = tries.get(language) ?? newTrie();
  tries.set(language, trie);
  const entries = words.map(entryOf).filter((entry) => entry.words.length > 0);
  for (const entry of entries) addEntry(trie, entry, { language, group: entries });
}

function tableOf(tries: ReadonlyMap<string, Trie>): SynonymTable {
  return {
    findAt(words, at) {
      const found = [...tries].map(([language, trie]) => longestAt(trie, { words, at, language }));
      const length = Math.max(0, ...found.map((entry) => entry?.length ?? 0));
      const others = found.flatMap((entry) => (entry?.length === length ? entry.others : []));
      return others.length === 0 ? undefined : { length, others: distinct(others).slice(0, MAX_ALTERNATIVES) };
    },
  };
}

type Trie = {
  readonly next: Map<string, Trie>;
  /** The entries that end here, each with its group. */
  readonly endings: Ending[];
};

type Ending = { readonly entry: Expansion; readonly group: readonly Expansion[] };

function newTrie(): Trie {
  return { next: new Map(), endings: [] };
}

function entryOf(written: string): Expansion {
  const text = written.trim();
  // A joined form (wi-fi, wifi) stands for its parts, in documents and queries.
  const words = writtenWords(text).flatMap(({ parts, joined }) => (joined === undefined ? parts : [joined]));
  return { text, words: words.slice(0, MAX_ENTRY_WORDS) };
}

type GroupOfEntry = { readonly language: string; readonly group: readonly Expansion[] };

function addEntry(trie: Trie, entry: Expansion, { language, group }: GroupOfEntry): void {
  let node = trie;
  for (const word of entry.words) {
    const stem = stemWord(word, language);
    const next = node.next.get(stem) ?? newTrie();
    node.next.set(stem, next);
    node = next;
  }
  node.endings.push({ entry, group });
}

type EntryMatch = { readonly words: readonly string[]; readonly at: number; readonly language: string };

function longestAt(trie: Trie, { words, at, language }: EntryMatch): FoundEntry | undefined {
  let found: FoundEntry | undefined;
  let node: Trie | undefined = trie;
  for (let i = at; i < words.length; i++) {
    node = node.next.get(stemWord(words[i] ?? '', language));
    if (node === undefined) break;
    const others = othersOf(node);
    if (others.length > 0) found = { length: i - at + 1, others };
  }
  return found;
}

/** The other entries of the groups; as many as may count, for a group may have 100,000. */
function othersOf({ endings }: Trie): readonly Expansion[] {
  const byWords = new Map<string, Expansion>();
  for (const { entry, group } of endings) {
    for (const other of group) {
      if (byWords.size === MAX_ALTERNATIVES) return [...byWords.values()];
      if (other !== entry) keepFirst(byWords, other);
    }
  }
  return [...byWords.values()];
}

type Expanding = {
  readonly table: SynonymTable;
  readonly isPlain: (word: WordNode) => boolean;
  readonly used: Expansion[];
};

function expandNode(node: MatchNode, rules: Expanding): MatchNode {
  switch (node.kind) {
    case 'word':
      return expandList([node], 'OR', rules)[0] ?? node;
    case 'and':
    case 'or': {
      const input = expandList(node.of, node.kind === 'and' ? 'AND' : 'OR', rules);
      const [only] = input;
      return input.length === 1 && only !== undefined ? only : { kind: node.kind, of: input };
    }
    case 'some':
      return {
        kind: 'some',
        must: expandList(node.must, 'AND', rules),
        should: expandList(node.should, 'OR', rules),
      };
    default:
      return node;
  }
}

function expandList(nodes: readonly MatchNode[], operator: 'AND' | 'OR', rules: Expanding): readonly MatchNode[] {
  const expanded: MatchNode[] = [];
  for (let at = 0; at < nodes.length; ) {
    const run = plainRun(nodes, at, rules);
    if (run.length === 0) {
      const node = nodes[at];
      if (node !== undefined) expanded.push(node.kind === 'word' ? node : expandNode(node, rules));
      at++;
    } else {
      expanded.push(...expandRun(run, operator, rules));
      at += run.length;
    }
  }
  return expanded;
}

/** The plain words from a place on, side by side. */
function plainRun(nodes: readonly MatchNode[], at: number, { isPlain }: Expanding): readonly WordNode[] {
  const run: WordNode[] = [];
  for (const node of nodes.slice(at)) {
    if (node.kind !== 'word' || !isPlain(node)) break;
    run.push(node);
  }
  return run;
}

function expandRun(run: readonly WordNode[], operator: 'AND' | 'OR', { table, used }: Expanding): readonly MatchNode[] {
  const texts = run.map(({ text }) => text);
  const onlyStopWords = run.every(({ role }) => role === 'stop');
  const expanded: MatchNode[] = [];
  for (let at = 0; at < run.length; ) {
    const found = table.findAt(texts, at);
    const span = run.slice(at, at + (found?.length ?? 1));
    const others = found?.others ?? [];
    // A lone stop word among content selects nothing, and neither do its alternatives.
    if (span.length > 1 || onlyStopWords || span[0]?.role === 'content') used.push(...others);
    expanded.push(...expandSpan(span, others, operator));
    at += span.length;
  }
  return expanded;
}

function expandSpan(
  span: readonly WordNode[],
  others: readonly Expansion[],
  operator: 'AND' | 'OR',
): readonly MatchNode[] {
  const [first] = span;
  if (first === undefined || others.length === 0) return span;
  if (span.length === 1) return [{ ...first, also: [...first.also, ...others.map(alternativeOf)] }];
  const alternatives = others.map((other) => nodeOf(other, first.boost * SYNONYM_WEIGHT));
  if (operator === 'OR') return [...span, ...alternatives];
  return [{ kind: 'or', of: [{ kind: 'and', of: span }, ...alternatives] }];
}

function alternativeOf({ words }: Expansion): Alternative {
  return { words, slop: 0, weight: SYNONYM_WEIGHT, source: 'synonym' };
}

/** An alternative of several words, as a node of its own. */
function nodeOf({ words }: Expansion, boost: number): MatchNode {
  const [only = ''] = words;
  if (words.length > 1) return { kind: 'phrase', words, slop: 0, boost };
  return { kind: 'word', text: only, boost, role: 'content', fuzzy: 'never', also: [] };
}

function distinct(expansions: readonly Expansion[]): readonly Expansion[] {
  const byWords = new Map<string, Expansion>();
  for (const expansion of expansions) keepFirst(byWords, expansion);
  return [...byWords.values()];
}

function keepFirst(byWords: Map<string, Expansion>, expansion: Expansion): void {
  const key = expansion.words.join(' ');
  if (!byWords.has(key)) byWords.set(key, expansion);
}
