import type { Alternative, MatchNode } from '../search-index/query-plan.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { stemWord } from '../text/stemming.ts';
import { type PlainWord, plainWordsOf, type ReadQuery, wordNodes } from './query/read-query.ts';
import { wordGroups } from './question-terms.ts';

export type AlternativeDeps = { readonly searchIndex: Pick<SearchIndex, 'documentFrequencies' | 'languages'> };

export type AlternativeInput = {
  readonly engineId: number;
  readonly operator: 'AND' | 'OR';
};

/** What these are worth against the word itself: another way to write it, and a form that no stemmer knows. */
const WEIGHTS = { composed: 0.9, form: 0.8 } as const;
/** Plain words of a query that are looked at: further ones add little, and each costs a dozen look-ups. */
const MAX_WORDS = 8;
const MIN_PART_CHARS = 3;
const MAX_SPLIT_CHARS = 20;
const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u;
/** What stands between two words that others write as one. */
const GAP = /^[\s_-]+$/;

/**
 * The query with what else its plain words stand for in an engine: two neighbours written as one word (`tool box`,
 * `toolbox`), a word written as two side by side, and irregular forms (`foot`, `feet`). Words that no document has are
 * left to correction while nothing else is found. Costs the look-up of some ten words for each of the first eight.
 */
export async function withAlternatives(
  { searchIndex }: AlternativeDeps,
  query: ReadQuery,
  { engineId, operator }: AlternativeInput,
): Promise<ReadQuery> {
  const content = new Set(wordNodes(query.match).flatMap(({ text, role }) => (role === 'content' ? [text] : [])));
  const words = plainWordsOf(query).slice(0, MAX_WORDS);
  if (!words.some(({ surface }) => content.has(surface))) return query;
  const found = new Map<string, Alternative[]>();
  const add = (surface: string, alternative: Alternative) =>
    found.set(surface, [...(found.get(surface) ?? []), alternative]);
  await addForms(words, await searchIndex.languages(engineId), add);
  const mayJoin = ({ surface }: PlainWord) => content.has(surface) && LETTERS_ONLY.test(surface);
  const pairs = neighbourPairs(query.text, words)
    .filter((pair) => pair.every(mayJoin))
    .map((pair) => pair.map(({ surface }) => surface));
  const splits = words
    .filter(({ surface }) => content.has(surface))
    .flatMap(({ surface: word }) => splitWord(word).map((parts) => ({ word, parts })));
  const documentsOf = await countDocuments({ searchIndex }, engineId, [
    ...words.map(({ surface }) => surface),
    ...pairs.map((parts) => parts.join('')),
    ...splits.flatMap(({ parts }) => parts),
  ]);
  const isKnown = (word: string) => documentsOf(word) > 0;
  for (const parts of pairs) {
    const joined = parts.join('');
    if (!parts.some(isKnown) || !isKnown(joined)) continue;
    for (const part of parts) add(part, { words: [joined], slop: 0, weight: WEIGHTS.composed, source: 'spelling' });
  }
  const mayStandIn = operator === 'OR' && words.some(({ surface }) => content.has(surface) && isKnown(surface));
  for (const { word, parts } of splits) {
    const rarest = Math.min(...parts.map(documentsOf));
    const own = documentsOf(word);
    if (rarest <= own || (own === 0 && !mayStandIn)) continue;
    add(word, { words: parts, slop: 0, weight: WEIGHTS.composed, source: 'spelling' });
  }
  return found.size === 0 ? query : { ...query, match: extended(query.match, found) };
}

/** Neighbouring words of a query text between which only blanks, `_` or `-` stand: others write them as one. */
export function neighbourPairs(
  text: string,
  words: readonly PlainWord[],
): readonly (readonly [PlainWord, PlainWord])[] {
  return words.slice(1).flatMap((right, index) => {
    const left = words[index];
    return left !== undefined && GAP.test(text.slice(left.end, right.start)) ? [[left, right] as const] : [];
  });
}

/** A word of letters as two of three letters or more, in each way; none for very long ones. */
export function splitWord(word: string): readonly (readonly [string, string])[] {
  const letters = [...word];
  if (letters.length > MAX_SPLIT_CHARS || !LETTERS_ONLY.test(word)) return [];
  return Array.from({ length: Math.max(0, letters.length - 2 * MIN_PART_CHARS + 1) }, (_, i) => {
    const at = i + MIN_PART_CHARS;
    return [letters.slice(0, at).join(''), letters.slice(at).join('')] as const;
  });
}

async function countDocuments(
  { searchIndex }: AlternativeDeps,
  engineId: number,
  words: readonly string[],
): Promise<(word: string) => number> {
  const distinct = [...new Set(words)];
  const counts = await searchIndex.documentFrequencies(engineId, distinct);
  const byWord = new Map(distinct.map((word, index) => [word, counts[index] ?? 0]));
  return (word) => byWord.get(word) ?? 0;
}

/** Irregular forms in the languages of the documents. */
async function addForms(
  words: readonly PlainWord[],
  languages: readonly string[],
  add: (surface: string, alternative: Alternative) => void,
): Promise<void> {
  for (const language of languages) {
    const groups = await wordGroups('word-forms', language);
    for (const { surface } of words) {
      const stem = stemWord(surface, language);
      const forms = groups?.findAt([surface], 0)?.others ?? [];
      for (const { words: form } of forms.filter(({ text }) => stemWord(text, language) !== stem)) {
        add(surface, { words: form, slop: 0, weight: WEIGHTS.form, source: 'spelling' });
      }
    }
  }
}

/** The tree with alternatives on its words of searched text; what stands under `not` stays as it is. */
function extended(node: MatchNode, found: ReadonlyMap<string, readonly Alternative[]>): MatchNode {
  const all = (nodes: readonly MatchNode[]) => nodes.map((part) => extended(part, found));
  switch (node.kind) {
    case 'word': {
      const also = node.field === undefined && node.role === 'content' ? (found.get(node.text) ?? []) : [];
      return also.length === 0 ? node : { ...node, also: [...node.also, ...also] };
    }
    case 'and':
    case 'or':
      return { kind: node.kind, of: all(node.of) };
    case 'some':
      return { kind: 'some', must: all(node.must), should: all(node.should) };
    default:
      return node;
  }
}
