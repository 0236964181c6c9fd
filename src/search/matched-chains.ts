import type { MatchedWord } from '../search-index/search-index.ts';
import type { Vocabulary } from '../text/compounds.ts';
import { foldWord } from '../text/folding.ts';
import { stemWord } from '../text/stemming.ts';
import { partTerm } from '../text/term-keys.ts';

/** Several words, or the characters of one, that stand for a word of the query where they stand together. */
export type Chain = {
  /** Number of the query's word. */
  readonly word: number;
  /** Per place the stems or terms that may stand there. */
  readonly places: readonly ReadonlySet<string>[];
  readonly slop: number;
  /** Characters: what they cover is one mark. */
  readonly isOneMark: boolean;
};

/** The stems that stand for each word of the query by themselves, other words that satisfied it among them. */
export function formsOf({ forms, also = [] }: MatchedWord): ReadonlySet<string> {
  const single = also.filter(({ words, source }) => words.length === 1 && source !== 'part' && source !== 'bigrams');
  return single.length === 0 ? forms : forms.union(new Set(single.flatMap(({ forms: [own] }) => [...(own ?? [])])));
}

export function chainsOf(matched: readonly MatchedWord[]): readonly Chain[] {
  return matched.flatMap(({ also = [] }, word) =>
    also.flatMap(({ words, source, forms, slop }) => {
      if (words.length < 2 && source !== 'bigrams') return [];
      return [{ word, places: forms, slop, isOneMark: source === 'bigrams' }];
    }),
  );
}

/** Letters at the beginning of a part's stem that are letters of the compound too, whatever inflection does. */
const SHARED_LETTERS = 3;

/** Tests whether a word of a text is a compound with a part that satisfied the query's word; undefined = none did. */
export function partTest(
  { also = [] }: MatchedWord,
  language: string,
  vocabulary: Vocabulary | undefined,
): ((surface: string) => boolean) | undefined {
  const terms = new Set(also.filter(({ source }) => source === 'part').flatMap(({ words }) => words));
  const own = partTerm('', language);
  const stems = [...terms].filter((term) => term.startsWith(own)).map((term) => term.slice(own.length));
  if (vocabulary === undefined || stems.length === 0) return undefined;
  return (surface) => {
    const folded = foldWord(surface);
    if (!stems.some((stem) => folded.includes(stem.slice(0, SHARED_LETTERS)))) return false;
    const parts = vocabulary.split(stemWord(surface, language), language)?.stems ?? [];
    return parts.some((part) => stems.includes(part));
  };
}
