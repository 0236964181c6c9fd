import { compareCodePoints } from '../../../core/compare-text.ts';
import { isPartTerm } from '../../../text/term-keys.ts';
import { PositionReader } from '../positions/coder.ts';
import { decodeTerm } from '../postings/blocks.ts';
import type { PostingsWriter } from '../postings/writer.ts';
import type { MergeSource } from './merger.ts';

/** A source while its terms are walked in order. */
type TermWalk = {
  readonly source: MergeSource;
  readonly keys: readonly string[];
  /** New number by old number, -1 = no live document. */
  readonly termMap: Int32Array;
  readonly positions: PositionReader;
  next: number;
};

/**
 * Merges the terms of the sources by code point, their live postings one source after the other. `parts` = keys of the
 * part terms that `out` holds already; those of the sources are then left out.
 */
export function mergePostings(
  sources: readonly MergeSource[],
  out: PostingsWriter,
  parts: readonly string[] | undefined,
): { terms: string[]; termMaps: readonly Int32Array[] } {
  const walks = sources.map((source) => openWalk(source, parts !== undefined));
  const longest = Math.max(0, ...sources.map(({ segment }) => segment.documents));
  const documents = new Uint32Array(longest);
  const terms: string[] = [...(parts ?? [])];
  for (;;) {
    const key = leastKey(walks);
    if (key === undefined) break;
    out.beginTerm();
    const holders = walks.filter((walk) => walk.keys[walk.next] === key);
    for (const walk of holders) copyPostings(walk, documents, out);
    const number = out.terms;
    const kept = out.endTerm();
    if (kept) terms.push(key);
    for (const walk of holders) walk.termMap[walk.next++] = kept ? number : -1;
  }
  return { terms, termMaps: walks.map(({ termMap }) => termMap) };
}

function openWalk(source: MergeSource, withoutParts: boolean): TermWalk {
  const { segment } = source;
  const keys = segment.dictionary.stems();
  const positions = new PositionReader();
  const sections = segment.positions();
  positions.open(sections.positions, sections.positionIndex, segment.tfBytes);
  const termMap = new Int32Array(segment.header.terms);
  let next = 0;
  // Part terms come first in every dictionary.
  if (withoutParts) while (isPartTerm(keys[next] ?? '')) termMap[next++] = -1;
  return { source, keys, termMap, positions, next };
}

function leastKey(walks: readonly TermWalk[]): string | undefined {
  let least: string | undefined;
  for (const { keys, next } of walks) {
    const key = keys[next];
    if (key !== undefined && (least === undefined || compareCodePoints(key, least) < 0)) least = key;
  }
  return least;
}

/** Copies the live postings of the walk's present term; their coded positions are taken over unread. */
function copyPostings(walk: TermWalk, documents: Uint32Array, out: PostingsWriter): void {
  const { segment, documentMap } = walk.source;
  const term = walk.next;
  const df = segment.termDf[term]!;
  decodeTerm(segment, term, documents);
  let posting = segment.termPosting[term]!;
  for (let i = 0; i < df; i++, posting++) {
    const document = documentMap[documents[i]!]!;
    if (document < 0) continue;
    const { from, to } = walk.positions.rangeOf(posting);
    out.add(document, segment.tfBytes[posting]!, walk.positions.source, from, to);
  }
}
