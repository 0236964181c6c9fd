import { foldWord } from '../../../text/folding.ts';
import type { PatternNode } from '../../query-plan.ts';
import { hasBit } from '../bytes/bitset.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import type { SegmentView } from '../read/snapshot.ts';
import { forEachDocumentOfSurface } from '../term-dictionary/surface-documents.ts';
import { forEachNearSurface, forEachSurfaceThat, unitsOf } from '../term-dictionary/surface-scan.ts';
import { SURFACE_CLASS } from '../term-dictionary/surfaces.ts';
import { matchesPattern, readPattern } from './pattern-text.ts';

/** A surface that a pattern fits, by its number in the source. */
export type SurfaceMatch = { readonly surface: number; readonly distance: number };

/**
 * The surfaces of one segment that a pattern looks at. A mark has two bits per distance: the document has such a
 * surface in its title, or elsewhere.
 */
export type SurfaceSource = {
  matches(node: PatternNode): readonly SurfaceMatch[];
  textOf(surface: number): string;
  /** Documents with the surface, dead ones included; may be more than there are. */
  upperBound(surface: number): number;
  liveCount(surface: number): number;
  /** Marks by document, dead ones included. */
  mark(chosen: readonly SurfaceMatch[]): Uint8Array;
};

export const TITLE_MARK = 1;
export const TEXT_MARK = 2;
/** Bits of a mark per distance. */
export const MARK_BITS = 2;

/** Where a surface of the dictionary is looked for. */
export type SurfaceScope = 'searched' | 'title' | 'body';

/** The surfaces of searched text, of titles or of body text, from the dictionary and its lists. */
export function dictionarySource(view: SegmentView, counts: LiveCounts, scope: SurfaceScope): SurfaceSource {
  const { segment, live } = view;
  const { dictionary } = segment;
  const forEach = (entry: number, visit: (document: number) => void) => {
    if (scope === 'title') dictionary.surfaces.forEachTitle(entry, visit);
    else
      forEachDocumentOfSurface(segment, entry, (document, classes) => {
        if (scope === 'searched' || (classes & SURFACE_CLASS.c) !== 0) visit(document);
      });
  };
  const bitOf = (distance: number, mark: number) => mark << (MARK_BITS * distance);
  return {
    matches: (node) => entriesThatFit(view, node, scope),
    textOf: (entry) => dictionary.entries.at(entry),
    upperBound: (entry) =>
      dictionary.hasOwnList(entry) ? dictionary.surfaces.frequencyOf(entry) : segment.termDf[dictionary.termOf(entry)]!,
    liveCount(entry) {
      if (scope === 'searched') return counts.ofSurface(view, entry);
      let count = 0;
      forEach(entry, (document) => {
        if (live === undefined || hasBit(live, document)) count++;
      });
      return count;
    },
    mark(chosen) {
      const marks = new Uint8Array(segment.documents);
      for (const { surface, distance } of chosen) {
        const text = bitOf(distance, TEXT_MARK);
        const title = bitOf(distance, TITLE_MARK);
        if (scope !== 'title') {
          forEach(surface, (document) => {
            marks[document]! |= text;
          });
        }
        if (scope === 'body' || !dictionary.isInTitle(surface)) continue;
        dictionary.surfaces.forEachTitle(surface, (document) => {
          marks[document]! |= title;
        });
      }
      return marks;
    },
  };
}

function entriesThatFit({ segment }: SegmentView, node: PatternNode, scope: SurfaceScope): readonly SurfaceMatch[] {
  const found: SurfaceMatch[] = [];
  const { dictionary } = segment;
  const add = (surface: number, distance: number) => {
    if (scope !== 'title' || dictionary.isInTitle(surface)) found.push({ surface, distance });
  };
  if (node.kind === 'fuzzy') {
    forEachNearSurface(segment, foldWord(node.text), node.distance, add);
    return found;
  }
  const { head, steps } = readPattern(node);
  const range = dictionary.rangeOf(head);
  if (node.kind === 'prefix') {
    for (let entry = range.from; entry < range.to; entry++) if (dictionary.isSurface(entry)) add(entry, 0);
  } else if (head === '') {
    const fits = (units: Uint16Array, from: number, to: number) => matchesPattern(steps, units, from, to);
    forEachSurfaceThat(segment, fits, (entry) => add(entry, 0));
  } else {
    dictionary.forEachSurfaceIn(range, (text, entry) => {
      if (matchesPattern(steps, unitsOf(text), 0, text.length)) add(entry, 0);
    });
  }
  return found;
}
