import { hasCompounds, type LanguageWords } from '../../../text/compounds.ts';
import { isWordTerm } from '../../../text/term-keys.ts';
import { hasBit } from '../bytes/bitset.ts';
import { decodeTerm } from '../postings/blocks.ts';
import { openSegment } from '../read/open-files.ts';
import type { Segment } from '../segment/segment.ts';
import { wordsOfLanguage } from '../vocabulary-words.ts';

export type VocabularyInput = {
  readonly directory: string;
  readonly segments: readonly { readonly n: number; readonly uid: string; readonly live: Uint32Array }[];
  /** Language codes by number. */
  readonly languages: readonly string[];
};

type Counted = { documents: number; readonly documentsByStem: Map<string, number>; readonly words: Set<string> };

/**
 * The words of each compound language that live documents of the segments hold, each with the documents that its stem
 * stands in. Reads the heads of the files only. O(postings of these languages). @throws AppError `index.corrupt`
 */
export async function buildVocabulary(input: VocabularyInput): Promise<ReadonlyMap<string, LanguageWords>> {
  const counted = new Map<string, Counted>();
  for (const entry of input.segments) {
    const open = await openSegment(input.directory, entry);
    try {
      for (const [number, code] of input.languages.entries()) {
        if (!hasCompounds(code) || ((open.segment.languageMask >>> number) & 1) === 0) continue;
        const known = counted.get(code) ?? { documents: 0, documentsByStem: new Map(), words: new Set() };
        counted.set(code, known);
        countSegment(open.segment, { live: entry.live, number }, known);
      }
    } finally {
      await open.close();
    }
  }
  const languages = [...counted].filter(([, { documents }]) => documents > 0);
  return new Map(languages.map(([code, known]) => [code, wordsOfLanguage(code, known)]));
}

function countSegment(
  segment: Segment,
  { live, number }: { readonly live: Uint32Array; readonly number: number },
  known: Counted,
): void {
  const counts = (document: number) => segment.languages[document] === number && hasBit(live, document);
  for (let d = 0; d < segment.documents; d++) if (counts(d)) known.documents++;
  const documents = new Uint32Array(segment.documents);
  for (const [term, stem] of segment.dictionary.stems().entries()) {
    if (!isWordTerm(stem)) continue;
    decodeTerm(segment, term, documents);
    let count = 0;
    for (let i = 0; i < segment.termDf[term]!; i++) if (counts(documents[i]!)) count++;
    if (count > 0) known.documentsByStem.set(stem, count + (known.documentsByStem.get(stem) ?? 0));
  }
  segment.dictionary.forEachSurface((word, entry) => {
    const pairs = segment.dictionary.termsOf(entry);
    for (let i = 1; i < pairs.length; i += 2) if (((pairs[i]! >>> number) & 1) === 1) known.words.add(word);
  });
}
