import type { MatchNode, QueryPlan, WordNode } from '../../search-index/query-plan.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { writtenNames } from '../written-names.ts';
import type { ReadQuery } from './read-query.ts';

type RequireDeps = { readonly searchIndex: Pick<SearchIndex, 'hasMatch' | 'documentFrequencies' | 'search'> };

type RequireInput = {
  readonly engineId: number;
  /** Results below which words are dropped; undefined = any word is enough. */
  readonly dropWordsBelow?: number | undefined;
  /** The whole plan around a query. */
  readonly toPlan: (query: ReadQuery) => QueryPlan;
  readonly signal: AbortSignal;
};

/** Words of a query that are required at first: with more of them the operator alone decides. */
const MAX_REQUIRED = 8;

/**
 * A query under OR with what of it a document must have. Words that are written as one name (`LUMO_READY`) stand
 * together, when a document has them all. With `dropWordsBelow` all words must be there that any document has; while
 * that leaves fewer results, the most frequent word is no longer required, in the end none. Words that are not required
 * still count. Costs a look at the index per name, and with `dropWordsBelow` a search without hits per try.
 */
export async function requireWords(deps: RequireDeps, query: ReadQuery, input: RequireInput): Promise<ReadQuery> {
  if (query.match.kind !== 'or') return query;
  const together = await joinNames(deps, query, input);
  return input.dropWordsBelow === undefined ? together : dropWords(deps, together, input.dropWordsBelow, input);
}

async function joinNames(
  { searchIndex }: RequireDeps,
  query: ReadQuery,
  { engineId, signal }: RequireInput,
): Promise<ReadQuery> {
  let { match } = query;
  for (const parts of namesIn(query)) {
    const own = match.kind === 'or' ? match.of.filter((node) => isPlainWord(node) && parts.has(node.text)) : [];
    if (match.kind !== 'or' || own.length < parts.size) continue;
    const name: MatchNode = { kind: 'and', of: own };
    if (!(await searchIndex.hasMatch(engineId, name, signal))) continue;
    const others = match.of.filter((node) => !own.includes(node));
    match = others.length === 0 ? name : { kind: 'or', of: [...others, name] };
  }
  return match === query.match ? query : { ...query, match };
}

function isPlainWord(node: MatchNode): node is WordNode {
  return node.kind === 'word' && node.field === undefined;
}

/** The words of each name that is written in several parts. */
function namesIn({ text, plainSpans }: ReadQuery): readonly ReadonlySet<string>[] {
  const names = plainSpans.flatMap(({ start, end }) => writtenNames(text.slice(start, end)));
  return names.map(({ words }) => new Set(words)).filter(({ size }) => size > 1);
}

async function dropWords(
  { searchIndex }: RequireDeps,
  query: ReadQuery,
  least: number,
  { engineId, toPlan, signal }: RequireInput,
): Promise<ReadQuery> {
  const { match } = query;
  if (match.kind !== 'or') return query;
  const rarestFirst = await wordsByRarity({ searchIndex }, engineId, match.of);
  for (let count = rarestFirst.length; count >= 1; count--) {
    const must = rarestFirst.slice(0, count);
    const should = match.of.filter((node) => !must.includes(node));
    const required: MatchNode = should.length === 0 ? { kind: 'and', of: must } : { kind: 'some', must, should };
    const candidate = { ...query, match: required };
    const { total } = await searchIndex.search(engineId, countingPlan(toPlan(candidate)), signal);
    if (total >= least) return candidate;
  }
  return query;
}

/** Words and names that documents have, the rarest first; none when they are too many to be required. */
async function wordsByRarity(
  { searchIndex }: RequireDeps,
  engineId: number,
  nodes: readonly MatchNode[],
): Promise<readonly MatchNode[]> {
  const content = nodes.filter((node) => node.kind !== 'word' || node.role === 'content');
  if (content.length > MAX_REQUIRED) return [];
  const texts = [...new Set(content.flatMap(textsOf))];
  const counts = await searchIndex.documentFrequencies(engineId, texts);
  const documents = new Map(texts.map((text, index) => [text, counts[index] ?? 0]));
  const rarity = new Map(content.map((node) => [node, documentsOf(node, documents)]));
  const found = content.filter((node) => (rarity.get(node) ?? 0) > 0);
  return found.toSorted((a, b) => (rarity.get(a) ?? 0) - (rarity.get(b) ?? 0));
}

function textsOf(node: MatchNode): readonly string[] {
  switch (node.kind) {
    case 'word':
      return [node.text, ...node.also.flatMap(({ words }) => words)];
    case 'phrase':
      return node.words;
    case 'and':
    case 'or':
      return node.of.flatMap(textsOf);
    default:
      return [];
  }
}

/** An estimate: of the likeliest way to match, by its rarest word. Patterns and filters count as frequent. */
function documentsOf(node: MatchNode, documents: ReadonlyMap<string, number>): number {
  const rarest = (words: readonly string[]) => Math.min(...words.map((word) => documents.get(word) ?? 0));
  switch (node.kind) {
    case 'word':
      return Math.max(documents.get(node.text) ?? 0, ...node.also.map(({ words }) => rarest(words)));
    case 'phrase':
      return rarest(node.words);
    case 'and':
      return Math.min(...node.of.map((part) => documentsOf(part, documents)));
    case 'or':
      return Math.max(...node.of.map((part) => documentsOf(part, documents)));
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** How many documents match, whatever is chosen among the results: facets must not change what a query means. */
function countingPlan(plan: QueryPlan): QueryPlan {
  const nothing = { facets: [], ranges: [], topHits: [], pins: [], boosts: [], sort: [] };
  return { ...plan, ...nothing, postFilter: { kind: 'all' }, offset: 0, limit: 0, spare: 0 };
}
