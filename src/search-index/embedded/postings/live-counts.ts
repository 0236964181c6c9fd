import { hasBit } from '../bytes/bitset.ts';
import { EVERY_LANGUAGE, type TermList } from '../query/compile.ts';
import type { SegmentView } from '../read/snapshot.ts';
import { decodeTerm } from './blocks.ts';

/** Counts kept per segment view before they are dropped together. */
const KEPT_COUNTS = 10_000;

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
    let known = this.counts.get(view);
    if (known === undefined || known.size > KEPT_COUNTS) {
      known = new Map();
      this.counts.set(view, known);
    }
    const key = `${term}.${mask}`;
    let count = known.get(key);
    if (count === undefined) {
      count = this.countLive(view, term, mask);
      known.set(key, count);
    }
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
