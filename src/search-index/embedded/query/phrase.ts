import { PositionReader } from '../positions/coder.ts';
import { HIDDEN_CLASS, RUN_GAP, RunReader } from '../positions/runs.ts';
import type { Segment } from '../segment/segment.ts';
import type { PhraseOfTerms } from './phrase-matches.ts';

const SEARCHED_CLASSES = [0, 1, 2] as const;

/**
 * Decides a phrase on one document, given the postings of its words (`postings[word][row]`): in one value, in order,
 * with at most `slop` further positions in all. `hidden` looks at the fields that plain words skip. O(positions of the words).
 */
export function matchesPhrase(
  segment: Segment,
  { words, slop, field }: PhraseOfTerms,
  hidden: boolean,
): (document: number, postings: readonly Int32Array[], row: number) => boolean {
  const sections = segment.positions();
  const readers = words.map(() => {
    const reader = new PositionReader();
    reader.open(sections, segment.tfBytes);
    return reader;
  });
  const runReader = new RunReader(sections.runStart, sections.runs);
  // Runs lie RUN_GAP apart, so that only a larger slop could reach from one value into the next.
  const usesRuns = field !== undefined || slop >= RUN_GAP;
  return (document, postings, row) => {
    for (let i = 0; i < readers.length; i++) readers[i]!.read(postings[i]![row]!);
    if (!usesRuns) {
      return SEARCHED_CLASSES.some((textClass) => standsIn(readers, textClass, { start: 0, end: Infinity, slop }));
    }
    runReader.load(document);
    for (let i = 0; i < runReader.count; i++) {
      const textClass = runReader.classes[i]!;
      if ((field !== undefined && runReader.fields[i] !== field) || (textClass === HIDDEN_CLASS) !== hidden) continue;
      const bounds = { start: runReader.starts[i]!, end: runReader.ends[i]!, slop };
      if (standsIn(readers, textClass, bounds)) return true;
    }
    return false;
  };
}

type Bounds = { readonly start: number; readonly end: number; readonly slop: number };

/** Tries every place of the first word; the nearest next place of each further word leaves most room for the rest. */
function standsIn(readers: readonly PositionReader[], textClass: number, bounds: Bounds): boolean {
  const first = readers[0]!;
  const { from, to } = first.rangeOfClass(textClass);
  for (let i = from; i < to; i++) {
    const position = first.positions[i]!;
    if (position < bounds.start) continue;
    if (position >= bounds.end) return false;
    let last = position;
    for (let w = 1; w < readers.length && last >= 0; w++) last = nextAfter(readers[w]!, textClass, last, bounds.end);
    if (last >= 0 && last - position - (readers.length - 1) <= bounds.slop) return true;
  }
  return false;
}

/** The first position after `position` and below `end`, -1 when there is none. */
function nextAfter(reader: PositionReader, textClass: number, position: number, end: number): number {
  const { from, to } = reader.rangeOfClass(textClass);
  for (let i = from; i < to; i++) {
    const next = reader.positions[i]!;
    if (next >= end) return -1;
    if (next > position) return next;
  }
  return -1;
}
