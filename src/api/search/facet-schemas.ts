import { z } from 'zod';
import { type FacetSelection, isRangeBound, type RangeFacet } from '../../search/facets.ts';
import { parseFilters } from '../../search/filter-grammar.ts';
import { isObject, listOf, mapOf, members, text, within } from '../binding.ts';

/** Contract: 1.9. */
const MAX_FACETS = 50;
const MAX_LABELS = 20;
const MAX_RANGES = 100;

/** Keys of a filter object that are no field. */
const RESERVED: readonly string[] = ['range', 'date', 'geo_distance'];

/** Map form: narrows and names; array form: names; `[]` is `{}`. Contract: 2.4. */
export const FACETS = z.unknown().transform((sent, context): FacetSelection => {
  if (Array.isArray(sent)) {
    const names = within(context, listOf(text({ min: 1 }), { max: MAX_FACETS }), sent) ?? [];
    return names.length === 0 ? { kind: 'configured' } : { kind: 'named', names };
  }
  const named = isObject(sent) ? withoutEmptyMaps(sent) : sent;
  const entries = parseFilters(named, (path, message) => {
    context.issues.push({ code: 'custom', input: sent, path: [...path], message });
  });
  const names = isObject(sent) ? Object.keys(sent).filter((name) => !RESERVED.includes(name)) : [];
  if (names.length > MAX_FACETS) {
    context.issues.push({ code: 'custom', input: sent, message: `may name at most ${MAX_FACETS} fields` });
  }
  return { kind: 'narrowed', names, entries };
});

const BOUND = z.unknown().transform((sent, context): string => {
  const bound = typeof sent === 'string' || typeof sent === 'number' ? String(sent) : undefined;
  if (bound !== undefined && isRangeBound(bound)) return bound;
  context.issues.push({ code: 'custom', input: sent, message: 'must be a number or a date, or "" for an open end' });
  return z.NEVER;
});

const RANGE_FACET = members({
  fieldName: text({ min: 1 }),
  ranges: listOf(members({ from: BOUND.default(''), to: BOUND.default('') }), { min: 1, max: MAX_RANGES }),
});

/** Contract: 2.4. */
export const RANGE_FACETS = mapOf(RANGE_FACET)
  .refine((labels) => labels.size <= MAX_LABELS, { error: `may have at most ${MAX_LABELS} labels` })
  .transform((labels) =>
    [...labels].map(([label, { fieldName, ranges }]): RangeFacet => ({ label, field: fieldName, ranges })),
  );

/** `{}` as the value of a field selects nothing, like `[]`. */
function withoutEmptyMaps(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, isEmpty(value) ? [] : value]));
}
