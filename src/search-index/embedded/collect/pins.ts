import type { QueryPlan } from '../../query-plan.ts';
import type { IndexHit } from '../../search-index.ts';
import { hasBit } from '../bytes/bitset.ts';
import type { SegmentView, Snapshot } from '../read/snapshot.ts';
import { type Candidate, collectHits, hitAt, isRelevanceKey, type SegmentMatches } from './top-hits.ts';

/** Documents of a segment that may be a result; undefined = every one, dead ones excepted. */
export type AcceptedDocuments = {
  /** Live, not removed, passes the filter. */
  readonly accept: Uint32Array | undefined;
  /** Passes the post-filter. */
  readonly post: Uint32Array | undefined;
};

/** A document that stands at a position of its own; `segment` = its position in the snapshot. */
export type PinnedDocument = { readonly segment: number; readonly document: number; readonly rank: number };

/** The pins whose document is there and passes, in order of precedence. O(pins · segments · log documents). */
export function findPinned(
  snapshot: Snapshot,
  { pins, sort, removed }: Pick<QueryPlan, 'pins' | 'sort' | 'removed'>,
  accepted: readonly AcceptedDocuments[],
): readonly PinnedDocument[] {
  if (pins.length === 0 || !sort.every(isRelevanceKey)) return [];
  const seen = new Set(removed);
  const pinned: PinnedDocument[] = [];
  for (const { id, rank } of pins) {
    const found = seen.has(id) ? undefined : findDocument(snapshot, id);
    seen.add(id);
    if (found === undefined) continue;
    const { accept, post } = accepted[found.segment]!;
    if (accept !== undefined && !hasBit(accept, found.document)) continue;
    if (post === undefined || hasBit(post, found.document)) pinned.push({ ...found, rank });
  }
  return pinned;
}

/** The matches and the pinned documents that are not among them, these with score 0. */
export function addPinned(
  found: readonly SegmentMatches[],
  pinned: readonly PinnedDocument[],
): readonly SegmentMatches[] {
  if (pinned.length === 0) return found;
  const bySegment = Map.groupBy(pinned, ({ segment }) => segment);
  return found.map((matches, segment) => {
    const own = (bySegment.get(segment) ?? []).map(({ document }) => document);
    const missing = own.filter((document) => placeIn(matches, document) < 0);
    return missing.length === 0 ? matches : withDocuments(matches, missing);
  });
}

/**
 * The page of hits with the pinned ones at their positions: a taken position gives way to the next free one, a position behind
 * the end to the end. Every pinned document must be among the results. `best` = the best by relevance as far as they are known.
 */
export function collectPage(
  snapshot: Snapshot,
  results: readonly SegmentMatches[],
  {
    plan,
    pinned,
    best,
  }: { readonly plan: QueryPlan; readonly pinned: readonly PinnedDocument[]; readonly best: readonly Candidate[] },
): readonly IndexHit[] {
  if (pinned.length === 0) return collectHits(snapshot, results, plan, best);
  const { sort, offset, limit, spare } = plan;
  const end = offset + limit + spare;
  const total = results.reduce((sum, { count }) => sum + count, 0);
  const hitByPosition = new Map<number, IndexHit>();
  const pinnedRids = new Set<number>();
  let before = 0;
  for (const { pin, position } of placed(pinned, total)) {
    const matches = results[pin.segment]!;
    const hit = hitAt(snapshot, { matches, match: placeIn(matches, pin.document), sort });
    pinnedRids.add(hit.rid);
    if (position < offset) before++;
    else if (position < end) hitByPosition.set(position, hit);
  }
  // The pinned documents are ordinary matches too: with so many more, enough others are among the best.
  const from = offset - before;
  const wanted = from + end - offset - hitByPosition.size;
  const ordered = collectHits(snapshot, results, { sort, offset: 0, limit: wanted + pinned.length, spare: 0 }, best);
  const others = ordered.filter(({ rid }) => !pinnedRids.has(rid)).slice(from, wanted);
  return mergePositions({ offset, end: Math.min(end, total) }, hitByPosition, others);
}

function mergePositions(
  { offset, end }: { readonly offset: number; readonly end: number },
  hitByPosition: ReadonlyMap<number, IndexHit>,
  others: readonly IndexHit[],
): readonly IndexHit[] {
  const page: IndexHit[] = [];
  let next = 0;
  for (let position = offset; position < end; position++) {
    const hit = hitByPosition.get(position) ?? others[next++];
    if (hit !== undefined) page.push(hit);
  }
  return page;
}

/** Each pin with its final position from 0, ascending. O(pins log pins). */
function placed(pinned: readonly PinnedDocument[], total: number): { pin: PinnedDocument; position: number }[] {
  const takePosition = freePositions();
  const wanted = pinned.map((pin) => ({ pin, position: takePosition(pin.rank - 1) }));
  wanted.sort((a, b) => a.position - b.position);
  const ordinary = total - pinned.length;
  return wanted.map(({ pin, position }, index) => ({ pin, position: Math.min(position, ordinary + index) }));
}

/** Gives the first free position from one on; runs of taken positions are jumped over, so that many equal ranks stay cheap. */
function freePositions(): (wanted: number) => number {
  const nextFree = new Map<number, number>();
  return (wanted) => {
    const passed: number[] = [];
    let position = wanted;
    for (let next = nextFree.get(position); next !== undefined; next = nextFree.get(position)) {
      passed.push(position);
      position = next;
    }
    for (const taken of passed) nextFree.set(taken, position + 1);
    nextFree.set(position, position + 1);
    return position;
  };
}

/** The live document with an id; of several crawlers the lowest has it. */
function findDocument(snapshot: Snapshot, id: string): { segment: number; document: number } | undefined {
  let best: { segment: number; document: number; crawlerId: number } | undefined;
  for (const [segment, view] of snapshot.segments.entries()) {
    for (const document of view.segment.documentsWithId(id)) {
      if (view.live !== undefined && !hasBit(view.live, document)) continue;
      const crawlerId = crawlerOf(snapshot, view, document);
      if (best === undefined || crawlerId < best.crawlerId) best = { segment, document, crawlerId };
    }
  }
  return best;
}

function crawlerOf({ crawlers }: Snapshot, { segment }: SegmentView, document: number): number {
  return crawlers[segment.crawlers[document]!]!;
}

/** Place of a document among the matches, -1 when it is none. */
function placeIn({ documents, count }: SegmentMatches, document: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle]! < document) low = middle + 1;
    else high = middle;
  }
  return low < count && documents[low] === document ? low : -1;
}

/** Ascending by document; new ones score 0. */
function withDocuments(matches: SegmentMatches, missing: readonly number[]): SegmentMatches {
  const added = missing.toSorted((a, b) => a - b);
  const count = matches.count + added.length;
  const documents = new Uint32Array(count);
  const scores = new Float32Array(count);
  let from = 0;
  let next = 0;
  for (let at = 0; at < count; at++) {
    const takesNew = from >= matches.count || (next < added.length && added[next]! < matches.documents[from]!);
    if (takesNew) {
      documents[at] = added[next++]!;
    } else {
      documents[at] = matches.documents[from]!;
      scores[at] = matches.scores[from++]!;
    }
  }
  return { view: matches.view, count, documents, scores };
}
