import { distanceMetres } from '../../../src/core/field-values.ts';
import type { GeneratedDocument } from '../generate-corpus.ts';
import { type BenchQuery, FACETS, TOP } from './peer.ts';

type FacetColumn = { readonly ordinals: Map<string, number>; readonly values: number[] };

/**
 * Facets, filters and orders in JavaScript arrays by row number: the fastest way for engines that only give the rows
 * that match.
 */
export class Columns {
  private readonly facets: readonly FacetColumn[] = FACETS.map(() => ({ ordinals: new Map(), values: [] }));
  private readonly published: number[] = [];
  private readonly price: number[] = [];
  private readonly latitude: number[] = [];
  private readonly longitude: number[] = [];

  get rows(): number {
    return this.price.length;
  }

  add(document: GeneratedDocument): void {
    for (const [index, facet] of FACETS.entries()) {
      const column = this.facets[index]!;
      const value = document[facet];
      const ordinal = column.ordinals.get(value) ?? column.ordinals.size;
      column.ordinals.set(value, ordinal);
      column.values.push(ordinal);
    }
    this.published.push(document.published);
    this.price.push(document.price);
    this.latitude.push(document.latitude);
    this.longitude.push(document.longitude);
  }

  /** Whether a row passes the filters of a query; undefined when it has none. */
  filterOf({ categories, publishedFrom, near }: BenchQuery): ((row: number) => boolean) | undefined {
    if (categories === undefined && publishedFrom === undefined && near === undefined) return undefined;
    const [category] = this.facets;
    const wanted = categories && new Set(categories.map((value) => category!.ordinals.get(value)));
    return (row) => {
      if (wanted !== undefined && !wanted.has(category!.values[row])) return false;
      if (publishedFrom !== undefined && this.published[row]! < publishedFrom) return false;
      if (near === undefined) return true;
      return distanceMetres(near.latitude, near.longitude, this.latitude[row]!, this.longitude[row]!) <= near.metres;
    };
  }

  /** Counts the three facets and picks the best rows. `scores` = one per row, undefined = the rows are in order. */
  finish(rows: readonly number[], scores: readonly number[] | undefined, query: BenchQuery): number[] {
    for (const { ordinals, values } of this.facets) countValues(rows, values, ordinals.size);
    const keys = query.sort === undefined ? scores : rows.map((row) => this[query.sort!][row]!);
    if (keys === undefined) return rows.slice(0, TOP);
    return bestOf(keys).map((at) => rows[at]!);
  }
}

function countValues(rows: readonly number[], values: readonly number[], size: number): number[] {
  const counts = new Uint32Array(size);
  for (const row of rows) counts[values[row]!]!++;
  return [...counts.keys()]
    .filter((value) => counts[value]! > 0)
    .sort((a, b) => counts[b]! - counts[a]!)
    .slice(0, 20);
}

/** Places of the highest keys, best first. O(keys). */
function bestOf(keys: readonly number[]): number[] {
  const best: number[] = [];
  for (let at = 0; at < keys.length; at++) {
    if (best.length === TOP && keys[at]! <= keys[best[TOP - 1]!]!) continue;
    let place = best.length;
    while (place > 0 && keys[best[place - 1]!]! < keys[at]!) place--;
    best.splice(place, 0, at);
    if (best.length > TOP) best.pop();
  }
  return best;
}
