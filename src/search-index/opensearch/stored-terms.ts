import { z } from 'zod';
import type { NameRange } from '../../text/title-name.ts';
import { STACKED } from './index-layout.ts';

/** What a document's row keeps of its words. */
export type StoredTerms = {
  /** tf byte by term. */
  readonly tfOf: ReadonlyMap<string, number>;
  readonly a: readonly PlacedTerms[];
  readonly b: readonly PlacedTerms[];
  readonly c: readonly PlacedTerms[];
  readonly titleName: NameRange | undefined;
};

/** One value: positions of each term, and how many positions it has. */
export type PlacedTerms = { readonly positionsOf: ReadonlyMap<string, readonly number[]>; readonly positions: number };

const RowSchema = z.object({
  terms: z.string().optional(),
  a: z.array(z.string()).optional(),
  b: z.array(z.string()).optional(),
  c: z.array(z.string()).optional(),
  titleName: z.object({ from: z.number(), to: z.number() }).nullish(),
});

/** Reads the row that `index-row` wrote, as far as it was asked for. O(its length). */
export function readStoredTerms(source: unknown): StoredTerms {
  const { terms = '', a = [], b = [], c = [], titleName } = RowSchema.parse(source);
  const tfOf = new Map<string, number>();
  for (const entry of terms === '' ? [] : terms.split(' ')) {
    const at = entry.lastIndexOf(STACKED);
    tfOf.set(entry.slice(0, at), Number(entry.slice(at + 1)));
  }
  return { tfOf, a: a.map(readPlaced), b: b.map(readPlaced), c: c.map(readPlaced), titleName: titleName ?? undefined };
}

function readPlaced(value: string): PlacedTerms {
  const positionsOf = new Map<string, number[]>();
  const places = value === '' ? [] : value.split(' ');
  for (const [position, place] of places.entries()) {
    for (const term of place.split(STACKED)) {
      const known = positionsOf.get(term);
      if (known === undefined) positionsOf.set(term, [position]);
      else known.push(position);
    }
  }
  return { positionsOf, positions: places.length };
}

export function positionsIn({ positionsOf }: PlacedTerms, term: string): readonly number[] {
  return positionsOf.get(term) ?? [];
}
