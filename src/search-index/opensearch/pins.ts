import { z } from 'zod';
import type { QueryPlan } from '../query-plan.ts';
import type { IndexHit } from '../search-index.ts';
import { type Engine, searchEngine } from './engine.ts';
import { filterQuery } from './plan/filter.ts';
import { isByRelevance } from './plan/sort.ts';

/** A document that an editor puts at a place; the first pin of a document counts. */
export type PinnedDocument = { readonly rid: number; readonly rank: number };

const OwnersSchema = z.object({
  hits: z.object({
    hits: z.array(
      z.object({
        _id: z.string(),
        sort: z.tuple([z.string(), z.number()]),
        matched_queries: z.array(z.string()).optional(),
      }),
    ),
  }),
});

/** Documents that one look finds under the pinned ids, under all of their crawlers. */
const MAX_OWNERS = 10_000;

/** The pins whose document is there and passes, in order of precedence; of several crawlers the lowest has the id. */
export async function findPinned(engine: Engine, plan: QueryPlan): Promise<readonly PinnedDocument[]> {
  if (plan.pins.length === 0 || !isByRelevance(plan.sort)) return [];
  const { typeOf } = engine.generation;
  const conditions = [plan.filter, plan.postFilter].map((filter) => filterQuery(filter, typeOf));
  const ids = plan.pins.map(({ id }) => id).filter((id) => !plan.removed.includes(id));
  const answer = await searchEngine(engine, {
    size: MAX_OWNERS,
    track_total_hits: false,
    _source: false,
    sort: [{ id: 'asc' }, { crawler: 'asc' }],
    query: { bool: { filter: [{ terms: { id: ids } }], should: [{ bool: { filter: conditions, _name: 'passes' } }] } },
  });
  const owners = new Map<string, number | undefined>();
  for (const { _id, sort, matched_queries = [] } of OwnersSchema.parse(answer).hits.hits) {
    const [id] = sort;
    if (!owners.has(id)) owners.set(id, matched_queries.includes('passes') ? Number(_id) : undefined);
  }
  const pinned = new Map<number, PinnedDocument>();
  for (const { id, rank } of plan.pins) {
    const rid = owners.get(id);
    if (rid !== undefined && !pinned.has(rid)) pinned.set(rid, { rid, rank });
  }
  return [...pinned.values()];
}

/**
 * Hits `[offset, offset + count)` of all `total` with the pinned ones at their places: a taken place gives way to the
 * next, one behind the end to the end. `hits` are those from the first one on, as many as the page reaches.
 */
export function placePinned(
  hits: readonly IndexHit[],
  pinned: { readonly places: readonly PinnedDocument[]; readonly hits: readonly IndexHit[] },
  { total, offset, count }: { readonly total: number; readonly offset: number; readonly count: number },
): readonly IndexHit[] {
  const rids = new Set(pinned.places.map(({ rid }) => rid));
  const ordinary = hits.filter(({ rid }) => !rids.has(rid)).values();
  const byPlace = new Map<number, IndexHit>();
  for (const { rid, rank } of pinned.places) {
    const hit = pinned.hits.find((own) => own.rid === rid);
    let place = rank;
    while (byPlace.has(place)) place++;
    if (hit !== undefined) byPlace.set(place, hit);
  }
  const placed: IndexHit[] = [];
  for (let place = 1; place <= Math.min(total, offset + count); place++) {
    const hit = byPlace.get(place) ?? ordinary.next().value;
    if (hit !== undefined) placed.push(hit);
    byPlace.delete(place);
  }
  // Only a page that reaches the end has room for those behind it.
  const behind = [...byPlace].sort(([a], [b]) => a - b).map(([, hit]) => hit);
  return [...placed, ...(total <= offset + count ? behind : [])].slice(offset, offset + count);
}
