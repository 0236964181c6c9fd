import { hasNear } from './support/near-stem.ts';
import { readText } from './support/read-text.ts';
import type { SourceSentence, SourceText } from './support/source-text.ts';

/**
 * Whether sentences of a source, or title and headings above them, share a word with the question: a planted sentence
 * mostly does not. Where no source shares one, its words are synonyms or of another language, and all bear on it.
 */
export function questionRelevance(
  question: string,
  sources: readonly SourceText[],
): (source: SourceText, sentences: readonly SourceSentence[]) => boolean {
  const stemsByLanguage = new Map(sources.map(({ language }) => [language, [...readText(question, language).stems]]));
  const bears = (source: SourceText, sentences: readonly SourceSentence[]): boolean => {
    const stems = stemsByLanguage.get(source.language) ?? [];
    return stems.some(
      (stem) => hasNear(source.frame.stems, stem) || sentences.some(({ read }) => hasNear(read.stems, stem)),
    );
  };
  const sharing = new Set(sources.filter((source) => bears(source, source.sentences)));
  return (source, sentences) => !sharing.has(source) || bears(source, sentences);
}
