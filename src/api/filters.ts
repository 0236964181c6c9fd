import { z } from 'zod';
import { type FilterEntry, parseFilters } from '../search/filter-grammar.ts';

/** A `Filters` object; absent and `[]` restrict nothing. Contract: 2.3. */
export const FILTERS = z.unknown().transform((sent, context): readonly FilterEntry[] =>
  parseFilters(sent, (path, rule) => {
    context.issues.push({ code: 'custom', input: sent, message: rule, path: [...path] });
  }),
);
