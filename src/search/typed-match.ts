import { type Continuation, MAX_CONTINUATIONS, type PhraseWord, phraseWords } from '../search-index/completions.ts';
import type { Alternative, MatchNode, WordNode } from '../search-index/query-plan.ts';
import type { Hits } from '../search-index/search-index.ts';
import { isStopWord } from '../text/stop-words.ts';

export type TypedText = {
  readonly text: string;
  /** Whose stop words are optional. */
  readonly language: string;
  /** `title`: all words in the title. `anywhere`: in any text, a short word that is alone in the title. */
  readonly scope: 'title' | 'anywhere';
  /** Words that the last one may become, likeliest first. */
  readonly continuations: readonly string[];
};

/** A typed word that may be misspelt, folded, and what it may have been meant for, likeliest first. */
export type CorrectedWord = { readonly word: string; readonly forms: readonly string[] };

/** Beginnings up to this length, alone, are looked for in titles only: in texts nearly every document has one. */
const TITLE_ONLY_CHARS = 2;
/** What a word that the last one may become scores against the one that is taken for it. */
const CONTINUATION_WEIGHT = 0.5;
/** What a beginning scores beside the words that it may become: it selects, and orders the documents without them. */
const BEGINNING_BOOST = 0.01;

type Field = { readonly field?: string };

/**
 * All typed words, the last one as a beginning: that selects, and the word that it is, or may become, scores as in any
 * search; what it may become counts as one word. A word that is typed to its end selects by its stem too. `none` when
 * there is no word. Contract: 3.
 */
export function matchOfTyped(typed: TypedText): MatchNode {
  const words = phraseWords(typed.text);
  const last = words.at(-1);
  if (last === undefined) return { kind: 'none' };
  const field = fieldOf(typed, words);
  if (isShortAlone(words)) return { kind: 'prefix', pattern: last.folded, boost: 1, ...field };
  const earlier = words.slice(0, -1).map((word) => wholeWord(word, typed, field));
  const { continuations } = typed;
  const beginning: MatchNode = { kind: 'prefix', pattern: last.folded, boost: BEGINNING_BOOST, ...field };
  if (continuations.length > 0 && !continuations.includes(last.folded)) {
    const [likeliest = '', ...others] = continuations;
    const meant = anyWord([likeliest, last.surface, ...others], field);
    return { kind: 'some', must: [...earlier, beginning], should: [meant] };
  }
  const meant = anyWord([last.surface, ...continuations.filter((word) => word !== last.folded)], field);
  const either: MatchNode = { kind: 'or', of: [beginning, meant] };
  // A list of words alone is evaluated faster than a tree.
  return earlier.length === 0 ? either : { kind: 'and', of: [...earlier, either] };
}

/** The same with one word put right. */
export function matchOfCorrected(typed: TypedText, { word, forms }: CorrectedWord): MatchNode {
  const words = phraseWords(typed.text);
  const field = fieldOf(typed, words);
  const nodes = words.map((own, index): MatchNode => {
    if (own.folded === word) return anyWord(forms, field);
    const isLast = index === words.length - 1;
    return isLast ? { kind: 'prefix', pattern: own.folded, boost: 1, ...field } : wholeWord(own, typed, field);
  });
  return nodes.length === 0 ? { kind: 'none' } : { kind: 'and', of: nodes };
}

function fieldOf({ scope }: TypedText, words: readonly PhraseWord[]): Field {
  return scope === 'title' || isShortAlone(words) ? { field: 'Title' } : {};
}

function isShortAlone([first, ...others]: readonly PhraseWord[]): boolean {
  return others.length === 0 && first !== undefined && first.folded.length <= TITLE_ONLY_CHARS;
}

function wholeWord({ surface }: PhraseWord, { scope, language }: TypedText, field: Field): WordNode {
  const role = scope === 'anywhere' && isStopWord(surface, language) ? 'stop' : 'content';
  return { kind: 'word', text: surface, boost: 1, role, fuzzy: 'never', also: [], ...field };
}

/**
 * What the last word may become by the texts that it was found in, when no title or heading has a word that begins so:
 * the most frequent ones. Empty when that is the word itself, or would change nothing.
 */
export function writtenContinuations(
  text: string,
  { total, matched }: Pick<Hits, 'total' | 'matched'>,
): readonly string[] {
  const words = phraseWords(text);
  if (total < 2 || isShortAlone(words)) return [];
  const surfaces = [...(matched.findLast((word) => word.surfaces !== undefined)?.surfaces ?? [])];
  const likeliest = surfaces.slice(0, MAX_CONTINUATIONS);
  return likeliest.every((surface) => surface === words.at(-1)?.folded) ? [] : likeliest;
}

/** The first of the words; the others satisfy it too. */
function anyWord([first = '', ...others]: readonly string[], field: Field): WordNode {
  const also = others.map((word): Alternative => {
    return { words: [word], slop: 0, weight: CONTINUATION_WEIGHT, source: 'completion' };
  });
  return { kind: 'word', text: first, boost: 1, role: 'content', fuzzy: 'never', also, ...field };
}

/** The likeliest words first, by titles and headings and by queries of visitors. */
export function likeliestWords(
  continuations: readonly Continuation[],
  queried: readonly { readonly word: string; readonly weight: number }[],
): readonly string[] {
  const weights = new Map<string, number>();
  const add = (word: string, weight: number) => weights.set(word, (weights.get(word) ?? 0) + weight);
  for (const { word, documents } of continuations) add(word, Math.log(1 + documents));
  for (const { word, weight } of queried) add(word, weight);
  return [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([word]) => word);
}
