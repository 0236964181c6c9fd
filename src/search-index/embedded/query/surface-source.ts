import { foldWord } from '../../../text/folding.ts';
import type { PatternNode } from '../../query-plan.ts';
import { bitRanks, bitWords, hasBit, listBits, setBit } from '../bytes/bitset.ts';
import { GrowableU32 } from '../bytes/growable.ts';
import { HASH_SEEDS, hashStepA, hashStepB, type TextHashes } from '../bytes/text-hashes.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import type { SegmentView } from '../read/snapshot.ts';
import type { Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';
import {
  documentsOfSurface,
  forEachFuzzySurface,
  forEachSurfaceThat,
  titlesOfSurface,
} from '../term-dictionary/surface-scan.ts';
import { matchesPattern, readPattern, type Wildcard } from './pattern-text.ts';

/** Surfaces of a source, ascending, each with its edit distance. */
export type SurfaceMatches = {
  readonly surfaces: Uint32Array;
  readonly distances: Uint8Array;
  /** Where looking for them has read their texts: equal texts of the same pattern have equal ones. */
  readonly hashes?: TextHashes;
};

/**
 * The surfaces of one segment that a pattern looks at, numbered by code point. A mark has two bits per distance: the
 * document has such a surface in its title, or elsewhere.
 */
export type SurfaceSource = {
  /** Whether the bounds are the live counts. */
  readonly isExact: boolean;
  /** The surfaces that fit. */
  matches(node: PatternNode): SurfaceMatches;
  textOf(surface: number): string;
  /** Equal texts have equal ones in every source of a pattern; surfaces ascend. */
  hashesOf(surfaces: Uint32Array): TextHashes;
  /** Documents with each surface, dead ones included; may be more than there are. */
  boundsOf(surfaces: Uint32Array): Uint32Array;
  liveCount(surface: number): number;
  /** Marks by document, dead ones included; the chosen surfaces ascend. */
  mark(chosen: SurfaceMatches): Uint8Array;
};

export const TITLE_BIT = 1;
export const TEXT_BIT = 2;
/** Bits of a mark per distance. */
export const SURFACE_BITS = 2;

const SURFACES_BETWEEN_STOPS = 64;

/** Where a surface of the dictionary is looked for. */
export type SurfaceScope = 'searched' | 'title' | 'body';

/** The surfaces of searched text, of titles or of body text, from the dictionary and its lists. */
export function dictionarySource(view: SegmentView, counts: LiveCounts, scope: SurfaceScope): SurfaceSource {
  const { segment, live } = view;
  const { dictionary } = segment;
  const documentsOf = (entry: number) =>
    scope === 'title' ? titlesOfSurface(segment, entry) : documentsOfSurface(segment, entry, scope === 'body');
  return {
    isExact: scope === 'searched' && live === undefined,
    matches: (node) => entriesThatFit(segment, node, scope),
    textOf: (entry) => dictionary.entries.at(entry),
    hashesOf(entries) {
      const hashes = { a: new Uint32Array(entries.length), b: new Uint32Array(entries.length) };
      dictionary.entries.hashEach(entries, hashes);
      return hashes;
    },
    boundsOf: (entries) =>
      scope === 'title'
        ? entries.map((entry) => dictionary.surfaces.titleBound(entry))
        : dictionary.frequenciesOf(entries, segment.termDf),
    liveCount(entry) {
      if (scope === 'searched') return counts.ofSurface(view, entry);
      const documents = documentsOf(entry);
      if (live === undefined) return documents.length;
      let count = 0;
      for (let i = 0; i < documents.length; i++) if (hasBit(live, documents[i]!)) count++;
      return count;
    },
    mark({ surfaces, distances }) {
      const marks = new Uint8Array(segment.documents);
      for (let i = 0; i < surfaces.length; i++) {
        if (i % SURFACES_BETWEEN_STOPS === 0) checkStop();
        const entry = surfaces[i]!;
        const shift = SURFACE_BITS * distances[i]!;
        if (scope !== 'title') setAllBits(marks, documentsOf(entry), TEXT_BIT << shift);
        if (scope === 'body' || !dictionary.isInTitle(entry)) continue;
        setAllBits(marks, titlesOfSurface(segment, entry), TITLE_BIT << shift);
      }
      return marks;
    },
  };
}

function setAllBits(marks: Uint8Array, documents: Uint32Array, mark: number): void {
  for (let i = 0; i < documents.length; i++) marks[documents[i]!]! |= mark;
}

function entriesThatFit(segment: Segment, node: PatternNode, scope: SurfaceScope): SurfaceMatches {
  const { dictionary } = segment;
  if (node.kind === 'fuzzy') return fuzzyEntries(segment, node, scope);
  const pattern = readPattern(node);
  const isInScope = (entry: number) => scope !== 'title' || dictionary.isInTitle(entry);
  if (pattern.head === '') return scanEntries(segment, pattern, isInScope);
  const beginning = dictionary.surfacesIn(dictionary.rangeOf(pattern.head));
  const surfaces = scope === 'title' ? beginning.filter(isInScope) : beginning;
  const fitting = node.kind === 'prefix' ? surfaces : keepFitting(segment, surfaces, pattern);
  return { surfaces: fitting, distances: new Uint8Array(fitting.length) };
}

/** Surfaces that fit a pattern without a literal beginning: those kept by length are tested, then put in order. */
function scanEntries(segment: Segment, pattern: Wildcard, isInScope: (entry: number) => boolean): SurfaceMatches {
  const bits = new Uint32Array(bitWords(segment.dictionary.entries.count));
  const found = { entries: new GrowableU32(), a: new GrowableU32(), b: new GrowableU32() };
  let a = 0;
  let b = 0;
  const fits = (units: Uint16Array, from: number, to: number) => {
    if (!matchesPattern(pattern, units, from, to)) return false;
    a = HASH_SEEDS.a;
    b = HASH_SEEDS.b;
    for (let i = from; i < to; i++) {
      a = hashStepA(a, units[i]!);
      b = hashStepB(b, units[i]!);
    }
    return true;
  };
  forEachSurfaceThat(segment, fits, (entry) => {
    if (!isInScope(entry)) return;
    setBit(bits, entry);
    found.entries.push(entry);
    found.a.push(a);
    found.b.push(b);
  });
  const surfaces = new Uint32Array(found.entries.length);
  listBits(bits, surfaces);
  const hashes = { a: new Uint32Array(surfaces.length), b: new Uint32Array(surfaces.length) };
  const rankOf = bitRanks(bits);
  for (let i = 0; i < surfaces.length; i++) {
    const rank = rankOf(found.entries.array[i]!);
    hashes.a[rank] = found.a.array[i]!;
    hashes.b[rank] = found.b.array[i]!;
  }
  return { surfaces, distances: new Uint8Array(surfaces.length), hashes };
}

function keepFitting({ dictionary }: Segment, surfaces: Uint32Array, pattern: Wildcard): Uint32Array {
  const kept = new Uint32Array(surfaces.length);
  let count = 0;
  dictionary.entries.visitUnits(surfaces, (units, length, i) => {
    if (matchesPattern(pattern, units, 0, length)) kept[count++] = surfaces[i]!;
  });
  return kept.subarray(0, count);
}

function fuzzyEntries(
  segment: Segment,
  { text, distance: most }: Extract<PatternNode, { kind: 'fuzzy' }>,
  scope: SurfaceScope,
): SurfaceMatches {
  const found: { entry: number; distance: number }[] = [];
  forEachFuzzySurface(segment, foldWord(text), most, (entry, distance) => {
    if (scope !== 'title' || segment.dictionary.isInTitle(entry)) found.push({ entry, distance });
  });
  found.sort((a, b) => a.entry - b.entry);
  const surfaces = Uint32Array.from(found, ({ entry }) => entry);
  return { surfaces, distances: Uint8Array.from(found, ({ distance }) => distance) };
}
