import type { ReadText } from './read-text.ts';
import type { PlacedWord, SourceText } from './source-text.ts';

/** The words of several sources in one row. Numbers of sentences count through. */
export type ConcatenatedSources = {
  readonly words: readonly PlacedWord[];
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly sentences: readonly { readonly read: ReadText; readonly headings: ReadText }[];
};

/** Joins the sources of an answer: what is put together of two of them is seen as what is put together of one. Linear. */
export function concatenateSources(sources: readonly SourceText[]): ConcatenatedSources {
  const words: PlacedWord[] = [];
  const positions = new Map<string, number[]>();
  const sentences: { read: ReadText; headings: ReadText }[] = [];
  for (const source of sources) {
    const first = sentences.length;
    for (const { read } of source.sentences) sentences.push({ read, headings: source.headings });
    for (const placed of source.words) {
      const known = positions.get(placed.word);
      if (known === undefined) positions.set(placed.word, [words.length]);
      else known.push(words.length);
      words.push({ ...placed, sentence: first + placed.sentence });
    }
  }
  return { words, places: positions, sentences };
}
