import {
  type Alternative,
  isPattern,
  type MatchNode,
  type PatternNode,
  type RelevanceSettings,
  type WordNode,
} from '../../../src/search-index/query-plan.ts';
import {
  addScores,
  DISTANCE_WEIGHTS,
  groupFrequency,
  idf,
  patternTf,
  phraseScore,
  saturationTable,
  tfByte,
  weightedSaturation,
  wordScore,
} from '../../../src/search-index/relevance.ts';
import { stemTerm } from '../../../src/text/term-keys.ts';
import type { IndexedDocument, Run } from './indexed-document.ts';
import { type MatchContext, patternRuns, surfacesIn } from './patterns.ts';

export type PhraseNode = Extract<MatchNode, { kind: 'phrase' }>;

/** Words that stand together within `slop`. */
type WordsNode = Pick<PhraseNode, 'words' | 'slop'>;

/** A node that adds score. */
export type Leaf = Extract<MatchNode, { kind: 'all' | 'filter' }> | WordNode | PhraseNode | PatternNode;

/** Leaves that are not under a `not`, in order of the tree. */
export function scoringLeaves(node: MatchNode): readonly Leaf[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.of.flatMap(scoringLeaves);
    case 'some':
      return [...node.must, ...node.should].flatMap(scoringLeaves);
    case 'none':
    case 'not':
      return [];
    default:
      return [node];
  }
}

/** The tree with stop words left out, or taken as content when nothing else selects. */
export function withoutStopWords(match: MatchNode): MatchNode {
  const selects = scoringLeaves(match).some((leaf) => leaf.kind !== 'word' || leaf.role === 'content');
  return selects ? (removeStopWords(match) ?? { kind: 'none' }) : match;
}

/** Undefined when nothing is left of the node. */
function removeStopWords(node: MatchNode): MatchNode | undefined {
  if (node.kind === 'word') return node.role === 'stop' ? undefined : node;
  if (node.kind === 'and' || node.kind === 'or') {
    const input = removeFromAll(node.of);
    return input.length === 0 && node.of.length > 0 ? undefined : { kind: node.kind, of: input };
  }
  if (node.kind === 'some') {
    const must = removeFromAll(node.must);
    const should = removeFromAll(node.should);
    return must.length + should.length === 0 ? undefined : { kind: 'some', must, should };
  }
  return node;
}

function removeFromAll(nodes: readonly MatchNode[]): readonly MatchNode[] {
  return nodes.map(removeStopWords).filter((node) => node !== undefined);
}

export function matchesNode(document: IndexedDocument, node: MatchNode, context: MatchContext): boolean {
  const matches = (part: MatchNode) => matchesNode(document, part, context);
  switch (node.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'filter':
      return context.passes(document, node.filter);
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
      return !surfacesIn(patternRuns(document, node.field)).isDisjointFrom(context.surfacesOf(node));
    case 'word':
      return hasWord(document, node.text, node.field) || node.also.some((also) => hasWords(document, also, node.field));
    case 'phrase':
      return hasWords(document, node, node.field);
    case 'and':
      return node.of.every(matches);
    case 'or':
      return node.of.some(matches);
    case 'some':
      return node.must.length === 0 ? node.should.some(matches) : node.must.every(matches);
    case 'not':
      return !node.of.some(matches);
  }
}

/** Scores documents for the leaves of a query over the live documents. */
export function createScorer(
  live: readonly IndexedDocument[],
  settings: RelevanceSettings,
  { context, leaves }: { readonly context: MatchContext; readonly leaves: readonly Leaf[] },
) {
  const totalLength = live.reduce((sum, { length }) => sum + length, 0);
  const table = saturationTable(settings, live.length === 0 ? 0 : totalLength / live.length);

  const saturationOf = (document: IndexedDocument, word: string): number =>
    table[(tfByteOf(document, word) << 6) | document.lengthCode] ?? 0;
  const leastOf = (document: IndexedDocument, words: readonly string[]): number =>
    Math.min(...words.map((word) => saturationOf(document, word)));
  const bestOf = (document: IndexedDocument, { text, field, also }: GroupWord): number => {
    const alternatives = also.filter((list) => hasWords(document, list, field));
    const saturations = alternatives.map(({ words, weight }) => weightedSaturation(weight, leastOf(document, words)));
    return Math.max(hasWord(document, text, field) ? saturationOf(document, text) : 0, ...saturations);
  };

  const idfByWord = new Map<string, number>();
  const idfOf = ({ text, also }: GroupWord): number => {
    const key = JSON.stringify([text, also]);
    const known = idfByWord.get(key) ?? idf(live.length, frequencyOf(live, { text, also }));
    idfByWord.set(key, known);
    return known;
  };
  const scoreOfWord = (document: IndexedDocument, word: GroupWord, boost: number): number =>
    wordScore({ idf: idfOf(word), boost }, bestOf(document, word));

  const idfByPattern = new Map<PatternNode, number>();
  const scoreOfPattern = (document: IndexedDocument, node: PatternNode): number => {
    const matching = () => live.filter((one) => matchesNode(one, node, context)).length;
    const known = idfByPattern.get(node) ?? idf(live.length, matching());
    idfByPattern.set(node, known);
    const runs = patternRuns(document, node.field);
    const inTitle = surfacesIn(runs.filter(({ textClass }) => textClass === 'a'));
    const found = [...context.surfacesOf(node)].filter(([surface]) => surfacesIn(runs).has(surface));
    // Forms of one distance count together: in the title when any of them is.
    const saturations = DISTANCE_WEIGHTS.map((weight, distance) => {
      const forms = found.filter(([, edits]) => edits === distance);
      if (forms.length === 0) return 0;
      const tf = patternTf(forms.some(([surface]) => inTitle.has(surface)));
      return weightedSaturation(weight, table[(tf << 6) | document.lengthCode] ?? 0);
    });
    return wordScore({ idf: known, boost: node.boost }, Math.max(...saturations));
  };

  const idfOfName = (name: WordNode): number => {
    const before = leaves.slice(0, leaves.indexOf(name)).flatMap((leaf): readonly GroupWord[] => {
      if ((leaf.kind !== 'word' && leaf.kind !== 'phrase') || leaf.field !== undefined) return [];
      return leaf.kind === 'word' ? [leaf] : leaf.words.map((text) => ({ text, also: [] }));
    });
    return Math.min(
      idfOf(name),
      before.reduce((sum, word) => sum + idfOf(word), 0),
    );
  };
  const scoreOfName = (document: IndexedDocument, name: WordNode): number =>
    wordScore({ idf: idfOfName(name), boost: name.boost }, bestOf(document, name));

  const scoreOf = (document: IndexedDocument, leaf: Leaf): number => {
    if (!matchesNode(document, leaf, context)) return 0;
    if (leaf.kind === 'all') return 1;
    if (leaf.kind === 'filter') return Math.fround(leaf.boost);
    if (isPattern(leaf)) return scoreOfPattern(document, leaf);
    if (leaf.kind === 'word' && leaf.role === 'name') return scoreOfName(document, leaf);
    if (leaf.kind === 'word') return scoreOfWord(document, leaf, leaf.boost);
    const words = leaf.words.map((text) => ({ text, field: leaf.field, also: [] }));
    return phraseScore(words.map((word) => scoreOfWord(document, word, leaf.boost)).reduce(addScores, 0));
  };
  /** T of a word itself in searched text, 0 without it. */
  const ownSaturationOf = (document: IndexedDocument, word: string): number =>
    hasWord(document, word, undefined) ? saturationOf(document, word) : 0;
  return { scoreOf, idfOf, idfOfName, saturationOf, bestOf, ownSaturationOf };
}

export type Scorer = ReturnType<typeof createScorer>;

/** A word with what satisfies it too. */
export type GroupWord = {
  readonly text: string;
  readonly field?: string | undefined;
  readonly also: readonly Alternative[];
};

/** An alternative's documents are at most those of its rarest word. */
function frequencyOf(live: readonly IndexedDocument[], { text, also }: GroupWord): number {
  const alternatives = also.map(({ words, weight }) => ({ weight, documentFrequency: rarestOf(live, words) }));
  const own = { weight: 1, documentFrequency: documentFrequency(live, text) };
  return groupFrequency(live.length, [own, ...alternatives]);
}

/** Documents of the word that fewest have. */
export function rarestOf(live: readonly IndexedDocument[], words: readonly string[]): number {
  return words.length === 0 ? 0 : Math.min(...words.map((word) => documentFrequency(live, word)));
}

function documentFrequency(live: readonly IndexedDocument[], text: string): number {
  return live.filter((document) => hasWord(document, text, undefined)).length;
}

export function hasWord(document: IndexedDocument, text: string, field: string | undefined): boolean {
  const stem = stemFor(document, text);
  return (
    document.bareTerms.some(({ term }) => term === stem) ||
    runsOf(document, field).some((run) => countIn(run, stem) > 0)
  );
}

/** Whether the words stand together in one value; of one word, whether it stands in any. */
function hasWords(document: IndexedDocument, { words, slop }: WordsNode, field: string | undefined): boolean {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return hasWord(document, only, field);
  const stems = words.map((word) => stemFor(document, word));
  return runsOf(document, field).some((run) => hasPhrase(run, stems, slop));
}

function runsOf({ runs }: IndexedDocument, field: string | undefined): readonly Run[] {
  return runs.filter((run) => (field === undefined ? run.textClass !== 'none' : run.field === field));
}

function stemFor({ document }: IndexedDocument, word: string): string {
  return stemTerm(word, document.language);
}

function countIn({ terms }: Run, stem: string): number {
  return terms.filter((token) => token.stem === stem).length;
}

export function tfByteOf(document: IndexedDocument, word: string): number {
  const stem = stemFor(document, word);
  const count = { a: 0, b: 0, c: 0, none: 0 };
  for (const run of document.runs) count[run.textClass] += countIn(run, stem);
  for (const { term, textClass } of document.bareTerms) if (term === stem) count[textClass]++;
  const searched = count.a + count.b + count.c > 0;
  return searched ? tfByte(count.a, count.b, count.c) : tfByte(0, 0, count.none);
}

/** Whether the stems stand in this order with at most `slop` further positions between the first and the last. */
function hasPhrase({ terms }: Run, stems: readonly string[], slop: number): boolean {
  const positionsByWord = stems.map((stem) =>
    terms.filter((token) => token.stem === stem).map(({ position }) => position),
  );
  return (positionsByWord[0] ?? []).some((first) => {
    let at = first;
    for (const positions of positionsByWord.slice(1)) {
      // The nearest next occurrence leaves most room for the rest.
      const next = Math.min(...positions.filter((position) => position > at));
      if (next === Number.POSITIVE_INFINITY) return false;
      at = next;
    }
    return at - first - (stems.length - 1) <= slop;
  });
}
