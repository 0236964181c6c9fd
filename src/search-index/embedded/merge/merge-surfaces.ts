import { compareCodePoints } from '../../../core/compare-text.ts';
import { GrowableU32 } from '../bytes/growable.ts';
import type { Segment } from '../segment/segment.ts';
import { forEachDocumentOfSurface } from '../term-dictionary/surface-documents.ts';
import { SURFACE_CLASS_BITS, type Surfaces, SurfaceTable } from '../term-dictionary/surfaces.ts';
import type { MergeSource } from './merger.ts';

/** A source with the entry of each merged surface in it, -1 = it does not have it. */
type SurfaceSource = MergeSource & { readonly entries: Int32Array };

/**
 * The surface words that live documents of the sources have, with the new numbers of their terms. Documents are read
 * from the sources when they are written: a merge holds the lists of one surface at a time.
 */
export function mergeSurfaces(
  sources: readonly MergeSource[],
  termMaps: readonly Int32Array[],
  termCount: number,
): Surfaces {
  const table = new SurfaceTable();
  const found = sources.map((source, i) => addSurfaces(source, termMaps[i]!, table));
  const held = sources.map((source, i): SurfaceSource => ({ ...source, entries: entriesOf(found[i]!, table) }));
  const texts = [...table.numbers.keys()];
  const list = new GrowableU32();
  return {
    numbers: table.numbers,
    terms: table.terms,
    owns: table.owns(termCount),
    documentsOf(surface) {
      list.length = 0;
      for (const { segment, documentMap, entries } of held) {
        if (entries[surface]! < 0) continue;
        forEachDocumentOfSurface(segment, entries[surface]!, (d, classes) => {
          const document = documentMap[d]!;
          if (document >= 0) list.push((document << SURFACE_CLASS_BITS) | classes);
        });
      }
      return list.view();
    },
    titlesOf(surface) {
      list.length = 0;
      for (const { segment, documentMap, entries } of held) {
        if (entries[surface]! < 0) continue;
        segment.dictionary.surfaces.forEachTitle(entries[surface]!, (d) => {
          if (documentMap[d]! >= 0) list.push(documentMap[d]! << SURFACE_CLASS_BITS);
        });
      }
      return list.view();
    },
    displayOf: (surface) => displayOf(held, surface, texts[surface]!),
  };
}

/** Adds the source's surfaces that a live document has; returns pairs (merged surface, entry). */
function addSurfaces(source: MergeSource, termMap: Int32Array, table: SurfaceTable): number[] {
  const { segment, documentMap } = source;
  const { dictionary } = segment;
  const found: number[] = [];
  dictionary.forEachSurface((text, entry) => {
    const isLive = dictionary.hasOwnList(entry)
      ? dictionary.surfaces.someOwn(entry, (d) => documentMap[d]! >= 0)
      : termMap[dictionary.termOf(entry)]! >= 0;
    if (!isLive) return;
    const surface = table.numberOf(text);
    found.push(surface, entry);
    const pairs = dictionary.termsOf(entry);
    for (let at = 0; at < pairs.length; at += 2) {
      const term = termMap[pairs[at]!]!;
      const mask = pairs[at + 1]! & segment.languageMask;
      if (term >= 0 && mask !== 0) table.addTerm(surface, term, mask);
    }
  });
  return found;
}

function entriesOf(found: readonly number[], { terms }: SurfaceTable): Int32Array {
  const entries = new Int32Array(terms.length).fill(-1);
  for (let i = 0; i < found.length; i += 2) entries[found[i]!] = found[i + 1]!;
  return entries;
}

/** The form that stands for most documents of the sources, each of which knows its most frequent one only. */
function displayOf(sources: readonly SurfaceSource[], surface: number, text: string): string | undefined {
  const hasOther = ({ segment, entries }: SurfaceSource) => segment.dictionary.hasDisplay(entries[surface]!);
  if (!sources.some(hasOther)) return undefined;
  const documentsByForm = new Map<string, number>();
  for (const { segment, entries } of sources) {
    const entry = entries[surface]!;
    if (entry < 0) continue;
    const form = segment.dictionary.surfaces.displayOf(entry) ?? text;
    documentsByForm.set(form, (documentsByForm.get(form) ?? 0) + frequencyOf(segment, entry));
  }
  const [best] = [...documentsByForm].sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b));
  return best === undefined || best[0] === text ? undefined : best[0];
}

function frequencyOf({ dictionary, termDf }: Segment, entry: number): number {
  return dictionary.hasOwnList(entry) ? dictionary.surfaces.frequencyOf(entry) : termDf[dictionary.termOf(entry)]!;
}
