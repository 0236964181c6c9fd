import type { MatchedWord } from '../search-index/search-index.ts';
import type { Vocabulary } from '../text/compounds.ts';
import { foldWord } from '../text/folding.ts';
import { stemWord } from '../text/stemming.ts';
import { partTerm } from '../text/term-keys.ts';

/** Letters at the beginning of a part's stem that are letters of the compound too, whatever inflection does. */
const SHARED_LETTERS = 3;

export type PartTest = {
  /** Folded stems that a compound must hold one of. */
  readonly stems: readonly string[];
  holds(surface: string): boolean;
};

/** Tests whether a word of a text is a compound with a part that satisfied the query's word; undefined = none did. */
export function partTest(
  { also = [] }: MatchedWord,
  language: string,
  vocabulary: Vocabulary | undefined,
): PartTest | undefined {
  const terms = new Set(also.filter(({ source }) => source === 'part').flatMap(({ words }) => words));
  const own = partTerm('', language);
  const stems = [...terms].filter((term) => term.startsWith(own)).map((term) => term.slice(own.length));
  if (vocabulary === undefined || stems.length === 0) return undefined;
  const holds = (surface: string) => {
    const folded = foldWord(surface);
    if (!stems.some((stem) => folded.includes(stem.slice(0, SHARED_LETTERS)))) return false;
    const parts = vocabulary.split(stemWord(surface, language), language)?.stems ?? [];
    return parts.some((part) => stems.includes(part));
  };
  return { stems, holds };
}
