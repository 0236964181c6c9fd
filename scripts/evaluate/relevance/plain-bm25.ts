import { wordsOf } from '../../../src/text/analyzer.ts';
import { stemWord } from '../../../src/text/stemming.ts';
import { type Corpus, JUDGED_DEPTH } from './corpus.ts';

const K1 = 1.2;
const B = 0.75;

/**
 * What the ranking is compared with: BM25 (Robertson and Zaragoza 2009) over one field that holds the whole text, any
 * word matches, a repeated one as often as it is written, words stemmed in the language of the document (English:
 * Porter), no stop words, no bonuses.
 */
export function plainBm25(corpus: Corpus): (query: string) => readonly string[] {
  const documents = corpus.documents.map(({ id, language, fields }) => {
    const counts = new Map<string, number>();
    const words = Object.values(fields).flat().flatMap(wordsOf);
    for (const word of words) {
      const stem = stemWord(word, language);
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
    }
    return { id, language, counts, length: words.length };
  });
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const frequency = (word: string) =>
    documents.filter(({ counts, language }) => counts.has(stemWord(word, language))).length;
  return (query) => {
    const words = wordsOf(query).map((word) => {
      const found = frequency(word);
      return { word, idf: Math.log(1 + (documents.length - found + 0.5) / (found + 0.5)) };
    });
    const scored = documents.map(({ id, language, counts, length }) => {
      const norm = K1 * (1 - B + (B * length) / averageLength);
      const score = words.reduce((sum, { word, idf }) => {
        const count = counts.get(stemWord(word, language)) ?? 0;
        return sum + (idf * count * (K1 + 1)) / (count + norm);
      }, 0);
      return { id, score };
    });
    const matches = scored.filter(({ score }) => score > 0);
    return matches
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, JUDGED_DEPTH)
      .map(({ id }) => id);
  };
}
