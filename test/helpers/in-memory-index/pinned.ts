import type { Pin } from '../../../src/search-index/query-plan.ts';
import type { IndexHit } from '../../../src/search-index/search-index.ts';
import type { IndexedDocument } from './indexed-document.ts';

/** A document that an editor puts at a place; the first pin of a document counts. */
export type PinnedDocument = { readonly indexed: IndexedDocument; readonly rank: number };

/** The pins whose document is there and passes, in order of precedence; of several crawlers the lowest has the id. */
export function pinnedDocuments(
  pins: readonly Pin[],
  live: readonly IndexedDocument[],
  passes: (indexed: IndexedDocument) => boolean,
): readonly PinnedDocument[] {
  const pinned = new Map<string, PinnedDocument>();
  for (const { id, rank } of pins) {
    const owners = live.filter(({ document }) => document.id === id);
    const [first] = owners.sort((a, b) => a.document.crawlerId - b.document.crawlerId);
    if (first !== undefined && passes(first) && !pinned.has(id)) pinned.set(id, { indexed: first, rank });
  }
  return [...pinned.values()];
}

/** All hits with the pinned ones at their places: a taken place gives way to the next, one behind the end to the end. */
export function placePinned(hits: readonly IndexHit[], pinned: readonly PinnedDocument[]): readonly IndexHit[] {
  const rids = new Set(pinned.map(({ indexed }) => indexed.document.rid));
  const ordinary = hits.filter(({ rid }) => !rids.has(rid));
  const byPlace = new Map<number, IndexHit>();
  for (const { indexed, rank } of pinned) {
    let index = rank;
    while (byPlace.has(index)) index++;
    for (const hit of hits) if (hit.rid === indexed.document.rid) byPlace.set(index, hit);
  }
  const placed: IndexHit[] = [];
  for (let index = 1; index <= hits.length; index++) {
    const hit = byPlace.get(index) ?? ordinary.shift();
    if (hit !== undefined) placed.push(hit);
    byPlace.delete(index);
  }
  const behind = [...byPlace].sort(([a], [b]) => a - b).map(([, hit]) => hit);
  return [...placed, ...behind];
}
