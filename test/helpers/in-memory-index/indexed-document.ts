import { type StoredDocument, textBehindContent } from '../../../src/core/document.ts';
import { linkCount } from '../../../src/core/link-texts.ts';
import { namesOf } from '../../../src/search-index/document-names.ts';
import { judgedLength, lengthCode, type TextClass, textClassOfValue } from '../../../src/search-index/relevance.ts';
import { analyzeText, type Token } from '../../../src/text/analyzer.ts';
import type { Vocabulary } from '../../../src/text/compounds.ts';
import { linkTextTerm, secondaryTerm } from '../../../src/text/term-keys.ts';
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
  /** Terms of what has counts and no place: words beside the main text, those of link texts, names. */
  readonly bareTerms: readonly BareTerm[];
};

export type BareTerm = { readonly term: string; readonly textClass: 'a' | 'b' | 'c' };

export function indexDocument(document: StoredDocument, vocabulary: Vocabulary): IndexedDocument {
  const runs: Run[] = [];
  let length = 0;
  const behind = textBehindContent(document);
  const searched = [...document.fields, ...(behind === '' ? [] : [['Content', [behind]] as const])];
  for (const [field, values] of searched) {
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
  const code = lengthCode(judgedLength(length, document.structure?.pageKind));
  return { document, runs, length, lengthCode: code, bareTerms: bareTermsOf(document, vocabulary) };
}

function bareTermsOf(document: StoredDocument, vocabulary: Vocabulary): readonly BareTerm[] {
  const stemsOf = (text: string) => analyzeText(text, document.language, vocabulary).tokens.map(({ stem }) => stem);
  const beside = stemsOf(document.structure?.surroundings ?? '');
  const linked = (document.linkTexts ?? []).flatMap(({ text, pages }) =>
    Array(linkCount(pages)).fill(stemsOf(text)).flat(),
  );
  return [
    ...beside.map((stem) => ({ term: secondaryTerm(stem), textClass: 'c' as const })),
    ...linked.map((stem: string) => ({ term: linkTextTerm(stem), textClass: 'b' as const })),
    ...namesOf(document),
  ];
}
