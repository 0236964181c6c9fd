import { hasBit } from '../bytes/bitset.ts';
import { PositionReader } from '../positions/coder.ts';
import { HIDDEN_CLASS, RunReader } from '../positions/runs.ts';
import { checkStop } from '../stop-point.ts';
import type { TermsOfWord } from './compile.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import { postingsOf, WordCursor, type WordPostings } from './postings-of.ts';
import type { GroupMatches } from './word-source.ts';

/** Documents whose positions are read between two stop points. */
const VISITS_BETWEEN_STOPS = 1_024;

/** Documents of one word with its T, in one field or in searched text. O(Σ df), for a field plus its positions. */
export function matchesOfTerms(scope: LeafScope, terms: TermsOfWord, field: number | undefined): GroupMatches {
  if (field !== undefined) return matchesInField(scope, terms, field);
  const { segment, segmentIndex, table } = scope;
  const { count, documents, postings } = postingsOf(segment, terms.plain[segmentIndex]!);
  const saturations = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    saturations[i] = table[(segment.tfBytes[postings[i]!]! << 6) | segment.norms[documents[i]!]!]!;
  }
  return { count, documents, saturations };
}

/** Documents with the word in one field: a position of the word lies in a run of the field. */
function matchesInField(scope: LeafScope, terms: TermsOfWord, field: number): GroupMatches {
  const saturation = new TermSaturation(scope, terms);
  const sections = scope.segment.positions();
  const runReader = new RunReader(sections.runStart, sections.runs);
  const reader = new PositionReader();
  reader.open(sections, scope.segment.tfBytes);
  const inField = (document: number, posting: number, hidden: boolean): boolean => {
    reader.read(posting);
    runReader.load(document);
    for (let i = 0; i < runReader.count; i++) {
      if (runReader.fields[i] !== field || (runReader.classes[i] === HIDDEN_CLASS) !== hidden) continue;
      if (hasPosition(reader, runReader.classes[i]!, runReader.starts[i]!, runReader.ends[i]!)) return true;
    }
    return false;
  };
  const plain = postingsOf(scope.segment, terms.plain[scope.segmentIndex]!);
  const hidden = postingsOf(scope.segment, terms.hidden[scope.segmentIndex]!);
  const documents = new Uint32Array(plain.count + hidden.count);
  const saturations = new Float32Array(plain.count + hidden.count);
  let count = 0;
  forEachDocument(plain, hidden, (document, plainPosting, hiddenPosting) => {
    if (scope.accept !== undefined && !hasBit(scope.accept, document)) return;
    const matches =
      (plainPosting >= 0 && inField(document, plainPosting, false)) ||
      (hiddenPosting >= 0 && inField(document, hiddenPosting, true));
    if (!matches) return;
    documents[count] = document;
    saturations[count++] = saturation.of(document);
  });
  return { count, documents, saturations };
}

/** T of a word in documents that ascend and have it: by its searched text, else by the fields plain words skip. */
export class TermSaturation {
  private readonly scope: LeafScope;
  private readonly plain: WordCursor;
  private readonly hidden: WordCursor;

  constructor(scope: LeafScope, terms: TermsOfWord) {
    this.scope = scope;
    this.plain = new WordCursor(scope.segment, terms.plain[scope.segmentIndex]!);
    this.hidden = new WordCursor(scope.segment, terms.hidden[scope.segmentIndex]!);
  }

  of(document: number): number {
    const { segment, table } = this.scope;
    let posting = this.plain.seek(document);
    if (posting < 0) posting = this.hidden.seek(document);
    return table[(segment.tfBytes[posting]! << 6) | segment.norms[document]!]!;
  }
}

/** Visits the union of two lists, ascending, with the posting in each or -1. */
export function forEachDocument(
  a: WordPostings,
  b: WordPostings,
  visit: (document: number, inA: number, inB: number) => void,
): void {
  let i = 0;
  let j = 0;
  while (i < a.count || j < b.count) {
    if ((i + j) % VISITS_BETWEEN_STOPS === 0) checkStop();
    const x = i < a.count ? a.documents[i]! : Number.POSITIVE_INFINITY;
    const y = j < b.count ? b.documents[j]! : Number.POSITIVE_INFINITY;
    visit(Math.min(x, y), x <= y ? a.postings[i++]! : -1, y <= x ? b.postings[j++]! : -1);
  }
}

/** Whether a position of the class lies in `[start, end)`. */
function hasPosition(reader: PositionReader, textClass: number, start: number, end: number): boolean {
  const { from, to } = reader.rangeOfClass(textClass);
  for (let i = from; i < to; i++) {
    const position = reader.positions[i]!;
    if (position >= start && position < end) return true;
  }
  return false;
}
