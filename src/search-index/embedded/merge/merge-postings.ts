import { PositionReader } from '../positions/coder.ts';
import { decodeTerm } from '../postings/blocks.ts';
import type { PostingsWriter } from '../postings/writer.ts';
import type { MergedEntries } from './merge-entries.ts';
import type { MergeSource } from './merger.ts';

/** New numbers of terms: by merged entry, and by source and old number; -1 = none with a live document. */
export type MergedTerms = { readonly termOfEntry: Int32Array; readonly termMaps: readonly Int32Array[] };

/** A source while its terms are copied in order. */
type TermCopy = {
  readonly source: MergeSource;
  readonly termMap: Int32Array;
  readonly positions: PositionReader;
  next: number;
};

/** Writes the live postings of all terms, one source after the other, terms in the order of the merged entries. */
export function mergePostings(
  sources: readonly MergeSource[],
  merged: MergedEntries,
  out: PostingsWriter,
): MergedTerms {
  const copies = sources.map((source, number) => openCopy(source, merged.firstTerms[number]!));
  const documents = new Uint32Array(Math.max(0, ...sources.map(({ segment }) => segment.documents)));
  const termOfEntry = new Int32Array(merged.count).fill(-1);
  for (let entry = 0; entry < merged.count; entry++) {
    const number = out.terms;
    let isTerm = false;
    for (let holder = merged.starts[entry]!; holder < merged.starts[entry + 1]!; holder++) {
      const copy = copies[merged.sources[holder]!]!;
      if (!copy.source.segment.dictionary.isStem(merged.entries[holder]!)) continue;
      if (!isTerm) out.beginTerm();
      isTerm = true;
      copy.termMap[copy.next] = number;
      copyPostings(copy, copy.next++, documents, out);
    }
    if (isTerm && out.endTerm()) termOfEntry[entry] = number;
    else if (isTerm) forgetTerm(copies, number);
  }
  return { termOfEntry, termMaps: copies.map(({ termMap }) => termMap) };
}

/** No document of the last term is live. */
function forgetTerm(copies: readonly TermCopy[], number: number): void {
  for (const { termMap, next } of copies) if (termMap[next - 1] === number) termMap[next - 1] = -1;
}

function openCopy(source: MergeSource, next: number): TermCopy {
  const { segment } = source;
  const positions = new PositionReader();
  positions.open(segment.positions(), segment.tfBytes);
  return { source, termMap: new Int32Array(segment.header.terms).fill(-1), positions, next };
}

/** Copies the live postings of a term; coded positions are taken over unread, those that lie together at once. */
function copyPostings(
  { source, positions }: TermCopy,
  term: number,
  documents: Uint32Array,
  out: PostingsWriter,
): void {
  const { segment, documentMap } = source;
  const df = segment.termDf[term]!;
  const first = segment.termPosting[term]!;
  decodeTerm(segment, term, documents);
  for (let i = 0; i < df; ) {
    const start = i;
    for (const end = Math.min(df, start + out.unindexed); i < end && documentMap[documents[i]!]! >= 0; i++) {
      out.beginPosting();
      out.endPosting(documentMap[documents[i]!]!, segment.tfBytes[first + i]!);
    }
    if (i === start) i++;
    else {
      const { from, to } = positions.rangeOf(first + start, i - start);
      out.positions.append(positions.source, from, to);
    }
  }
}
