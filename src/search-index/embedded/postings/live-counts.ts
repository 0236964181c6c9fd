import { hasBit } from '../bytes/bitset.ts';
import { EVERY_LANGUAGE, type TermList } from '../query/compile.ts';
import type { SegmentView } from '../read/snapshot.ts';
import { forEachDocumentOfSurface } from '../term-dictionary/surface-scan.ts';
import { decodeTerm } from './blocks.ts';

/** Counts kept per segment view before they are dropped together. */
const CACHED_COUNTS = 10_000;

/**
 * Document frequencies over live documents, so that scores do not depend on tombstones or on how documents lie in
 * segments. A count that is not in the dictionary is made once per view: O(df).
 */
export class LiveCounts {
  private readonly counts = new WeakMap<SegmentView, Map<string, number>>();
  private documents = new Uint32Array(1 << 10);

  of(view: SegmentView, { term, mask }: TermList): number {
    const df = view.segment.termDf[term]!;
    if (mask === EVERY_LANGUAGE && view.live === undefined) return df;
    return this.cached(view, `${term}.${mask}`, () => this.countLive(view, term, mask));
  }

  /** Live documents of a surface word, by its dictionary entry. */
  ofSurface(view: SegmentView, entry: number): number {
    const { segment, live } = view;
    const { dictionary } = segment;
    if (live === undefined && dictionary.hasOwnList(entry)) return dictionary.surfaces.frequencyOf(entry);
    if (!dictionary.hasOwnList(entry)) return this.of(view, { term: dictionary.termOf(entry), mask: EVERY_LANGUAGE });
    return this.cached(view, `surface ${entry}`, () => {
      let count = 0;
      forEachDocumentOfSurface(segment, entry, (document) => {
        if (live === undefined || hasBit(live, document)) count++;
      });
      return count;
    });
  }

  private cached(view: SegmentView, key: string, make: () => number): number {
    let known = this.counts.get(view);
    if (known === undefined || known.size > CACHED_COUNTS) {
      known = new Map();
      this.counts.set(view, known);
    }
    const count = known.get(key) ?? make();
    known.set(key, count);
    return count;
  }

  private countLive({ segment, live }: SegmentView, term: number, mask: number): number {
    const df = segment.termDf[term]!;
    if (this.documents.length < df) this.documents = new Uint32Array(df * 2);
    decodeTerm(segment, term, this.documents);
    let count = 0;
    for (let i = 0; i < df; i++) {
      const document = this.documents[i]!;
      if (live !== undefined && !hasBit(live, document)) continue;
      count += (mask >>> segment.languages[document]!) & 1;
    }
    return count;
  }
}
