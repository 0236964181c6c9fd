import { createBoundedCache } from '../core/bounded-cache.ts';
import type { StoredDocument } from '../core/document.ts';
import { contentHashes, stemHashes } from '../text/stem-hashes.ts';
import { type CuttingRules, cutPassages, type IsInjected } from './cut-passages.ts';
import type { Pause } from './find-candidates.ts';
import type { Passage } from './passage.ts';
import type { AnalysedPassage } from './retrieved-passages.ts';
import { addVariantWords, type VariantWords } from './variant-terms.ts';

/** Passages of documents with their stems and words, made when asked for and kept. */
export type AnalysedPassages = {
  /** Pauses between steps of some milliseconds. Those of the version of the row, in its order. */
  of(row: StoredDocument, rules: AnalysisRules): Promise<AnalysedDocument>;
  /** Estimate of what is kept. */
  readonly bytes: number;
};

export type AnalysedDocument = {
  readonly passages: readonly AnalysedPassage[];
  /** Empty in languages without compounds and endings to look through. */
  readonly words: VariantWords;
};

export type AnalysisRules = Pick<CuttingRules, 'language' | 'sourceFields'> & {
  readonly engineId: number;
  /** `chars` = text that was analysed since it was asked last. */
  readonly pause: Pause;
};

type Entry = { readonly seq: number; readonly document: AnalysedDocument };

/** Two bytes per character, in the text and in its sentences, and what objects and arrays cost. */
const BYTES_PER_CHAR = 4;
const BYTES_PER_TERM = 4;
const BYTES_PER_PASSAGE = 900;
const BYTES_PER_SENTENCE = 260;
/** A word, its stem and their entry in a map. */
const BYTES_PER_WORD = 120;

/**
 * Keeps the passages of the documents that were asked for last, within `maxBytes`; of a document one version per
 * choice of fields. Cutting and stemming cost some 0.1 ms per 1,000 characters, half as much again where words have kin.
 */
export function createAnalysedPassages(options: {
  readonly maxBytes: number;
  readonly isInjected: IsInjected;
}): AnalysedPassages {
  const { maxBytes, isInjected } = options;
  const kept = createBoundedCache<Entry>(maxBytes);
  return {
    async of(row, { engineId, language, sourceFields: named, pause }) {
      // Callers name 1,000 fields, of which a document has a few.
      const sourceFields = named.filter((name) => row.fields.has(name));
      const key = JSON.stringify([engineId, row.rid, language, ...sourceFields]);
      const known = kept.get(key);
      if (known?.seq === row.seq) return known.document;
      const passages: AnalysedPassage[] = [];
      const words = new Map<string, string>();
      for (const passage of cutPassages(row, { language, sourceFields, isInjected })) {
        const before = passages.at(-1);
        passages.push(analyse(passage, before));
        addVariantWords(words, passage, before?.passage);
        await pause(passage.text.length);
      }
      const document = { passages, words };
      kept.set(
        key,
        { seq: row.seq, document },
        passages.reduce((sum, passage) => sum + bytesOf(passage), BYTES_PER_WORD * document.words.size),
      );
      return document;
    },
    get bytes() {
      return kept.bytes;
    },
  };
}

/** The title, and headings that are those of the passage before, are not analysed again. */
function analyse(passage: Passage, before: AnalysedPassage | undefined): AnalysedPassage {
  const { language, headings, title } = passage;
  const isUnderSame = before !== undefined && before.passage.headings.join('\n') === headings.join('\n');
  return {
    passage,
    sentences: passage.sentences.map(({ text }) => stemHashes(text, language)),
    headings: isUnderSame ? before.headings : stemHashes(headings.join('\n'), language),
    lastHeading: isUnderSame ? before.lastHeading : contentHashes(headings.at(-1) ?? '', language),
    title: before?.title ?? contentHashes(title, language),
  };
}

function bytesOf({ passage, sentences }: AnalysedPassage): number {
  const terms = sentences.reduce((sum, { length }) => sum + length, 0);
  const texts = BYTES_PER_CHAR * passage.text.length + BYTES_PER_TERM * terms;
  return BYTES_PER_PASSAGE + BYTES_PER_SENTENCE * sentences.length + texts;
}
