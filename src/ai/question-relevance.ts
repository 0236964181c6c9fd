import { isKoreanAsking, koreanStem } from '../text/korean-words.ts';
import { readText } from './support/read-text.ts';
import { hasSameStem } from './support/same-stem.ts';
import type { SourceSentence, SourceText } from './support/source-text.ts';

/**
 * Whether sentences of a source, or title and headings above them, share a word with the question: a planted sentence
 * mostly does not. Where no source shares one, its words are synonyms or of another language, and all bear on it.
 */
export function questionRelevance(
  question: string,
  sources: readonly SourceText[],
): (source: SourceText, sentences: readonly SourceSentence[]) => boolean {
  const stemsByLanguage = new Map(
    sources.map(({ language }) => {
      const { stems } = readText(question, language);
      return [language, [...(language === 'ko' ? bareWords(stems) : stems)]] as const;
    }),
  );
  const bears = (source: SourceText, sentences: readonly SourceSentence[]): boolean => {
    const stems = stemsByLanguage.get(source.language) ?? [];
    const said = [source.headings.stems, ...sentences.map(({ read }) => read.stems)].map((each) =>
      source.language === 'ko' ? bareWords(each) : each,
    );
    return stems.some((stem) => said.some((each) => hasSameStem(each, stem)));
  };
  const sharing = new Set(sources.filter((source) => bears(source, source.sentences)));
  return (source, sentences) => !sharing.has(source) || bears(source, sentences);
}

/** Without particles: what is asked about has another one than what is said about it. */
function bareWords(words: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...words].filter((word) => !isKoreanAsking(word)).map(koreanStem));
}
