import type { StoredDocument } from '../../../src/core/document.ts';
import { lengthCode, type TextClass, textClassOfValue } from '../../../src/search-index/relevance.ts';
import { analyzeText, type Token } from '../../../src/text/analyzer.ts';
import type { Vocabulary } from '../../../src/text/compounds.ts';
import { SECONDARY_PREFIX } from '../../../src/text/term-keys.ts';
import { type NameRange, titleName } from '../../../src/text/title-name.ts';

/** One value of one field, analysed in the document's language. */
export type Run = {
  readonly field: string;
  readonly textClass: TextClass;
  readonly tokens: readonly Token[];
  /** The tokens, bigrams, and in searched text the parts of compounds: all that terms match. */
  readonly terms: readonly Token[];
  /** Positions that words and bigrams take. */
  readonly positions: number;
  /** Of a title: where its name is, unless it is the whole. */
  readonly name: NameRange | undefined;
};

export type IndexedDocument = {
  readonly document: StoredDocument;
  readonly runs: readonly Run[];
  /** Positions in class C. */
  readonly length: number;
  readonly lengthCode: number;
  /** Terms of the words beside the main text. */
  readonly surroundings: readonly string[];
};

export function indexDocument(document: StoredDocument, vocabulary: Vocabulary): IndexedDocument {
  const runs: Run[] = [];
  let length = 0;
  for (const [field, values] of document.fields) {
    for (const value of values) {
      const textClass = textClassOfValue(field, value);
      const { tokens, bigrams, parts, positions } = analyzeText(value, document.language, vocabulary);
      const terms = [...tokens, ...bigrams, ...(textClass === 'none' ? [] : parts)];
      const span = Math.max(positions, ...bigrams.map(({ position }) => position + 1));
      const name = textClass === 'a' ? titleName(value) : undefined;
      runs.push({ field, textClass, tokens, terms, positions: span, name });
      if (textClass === 'c') length += positions;
    }
  }
  const beside = analyzeText(document.structure?.surroundings ?? '', document.language, vocabulary);
  const surroundings = beside.tokens.map(({ stem }) => SECONDARY_PREFIX + stem);
  return { document, runs, length, lengthCode: lengthCode(length), surroundings };
}
