import { phraseWords } from '../search-index/completions.ts';
import type { MatchNode, RelevanceSettings } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import { isStopWord } from '../text/stop-words.ts';

/** Beginnings up to this length, alone, are looked for in titles only: in texts nearly every document has one. */
const TITLE_ONLY_CHARS = 2;
/**
 * A word of the text scores 0.3 times what one of the title does (search-engine design 14.5): T at 5 and at 0.38. No
 * reranking of the best: it reads positions, and a word that is still being typed has none.
 */
export const AUTOCOMPLETE_WEIGHTS: RelevanceSettings = {
  ...DEFAULT_RELEVANCE,
  classWeights: { a: 5, b: 0.38, c: 0.38 },
  window: 0,
};
/** What a beginning that was put right scores, against one as typed. */
const CORRECTED_BOOST = 0.5;

export type TypedText = {
  readonly text: string;
  /** Whose stop words are optional. */
  readonly language: string;
  /** `title`: all words in the title. `anywhere`: in any text, a short word that is alone in the title. */
  readonly scope: 'title' | 'anywhere';
};

/** A typed word that may be misspelt, folded, and what it may have been meant for. */
export type CorrectedWord = { readonly word: string; readonly forms: readonly string[] };

/** All typed words, the last one as a beginning; `none` when there is none. Contract: 3. */
export function matchOfTyped({ text, language, scope }: TypedText, corrected?: CorrectedWord): MatchNode {
  const words = phraseWords(text);
  const last = words.length - 1;
  const title = scope === 'title' ? { field: 'Title' } : {};
  const nodes = words.map(({ surface, folded }, index): MatchNode => {
    const others = corrected?.word === folded ? corrected.forms : [];
    if (index === last) {
      const isShortAlone = last === 0 && folded.length <= TITLE_ONLY_CHARS;
      return beginningOf(folded, others, isShortAlone ? { field: 'Title' } : title);
    }
    const role = scope === 'anywhere' && isStopWord(surface, language) ? 'stop' : 'content';
    const word = (written: string, boost: number): MatchNode => ({
      kind: 'word',
      text: written,
      boost,
      role,
      fuzzy: 'never',
      also: [],
      ...title,
    });
    return anyOf([word(surface, 1), ...others.map((other) => word(other, CORRECTED_BOOST))]);
  });
  return nodes.length === 0 ? { kind: 'none' } : { kind: 'and', of: nodes };
}

function beginningOf(folded: string, others: readonly string[], field: { readonly field?: string }): MatchNode {
  const prefix = (pattern: string, boost: number): MatchNode => ({ kind: 'prefix', pattern, boost, ...field });
  return anyOf([prefix(folded, 1), ...others.map((other) => prefix(other, CORRECTED_BOOST))]);
}

function anyOf(nodes: readonly MatchNode[]): MatchNode {
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : { kind: 'or', of: nodes };
}
