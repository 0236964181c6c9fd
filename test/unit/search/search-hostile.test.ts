import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/errors.ts';
import { respond } from '../../helpers/search-respond.ts';

const FIELD_NAMES = [
  'Category',
  'Price_number',
  'Published_date',
  'Title',
  'Nope',
  '__proto__',
  'constructor',
  'range',
  'date',
];
const MEMBERS = [
  ...['operator', 'page', 'perPage', 'fields', 'highlight', 'filters', 'notFilters', 'postFilters', 'facets', 'sort'],
  ...[
    'postFiltersOperator',
    'advancedPostFilter',
    'rangeFacets',
    'valueBoost',
    'topHitsFields',
    'traits',
    'responseType',
  ],
];

const scalar = fc.oneof(
  fc.constantFrom<unknown>('', 'News', '10', '2026', '2026-02-30', 'asc', '1e999', null, true, 0, -1, 1.5, 1e300),
  fc.string(),
);
const field = fc.constantFrom(...FIELD_NAMES);
const map = fc
  .array(fc.tuple(field, fc.oneof(scalar, fc.array(scalar, { maxLength: 6 }))))
  .map((pairs) => Object.fromEntries(pairs));
const member = fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), map, fc.jsonValue({ maxDepth: 4 }));
const body = fc
  .record({ query: fc.oneof(fc.string(), fc.constantFrom('*', 'solar', 'Title:solar -"wind park"~2')) })
  .chain((base) =>
    fc
      .array(fc.tuple(fc.constantFrom(...MEMBERS), member), { maxLength: 3 })
      .map((pairs) => JSON.parse(JSON.stringify({ ...base, ...Object.fromEntries(pairs) }))),
  );

test('no request makes a search fail in another way than by naming its faults', { timeout: 60_000 }, async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      try {
        const response = await respond(sent);
        accepted++;
        expect(response.TotalDocument).toBeLessThanOrEqual(6);
        expect(JSON.stringify(response)).not.toContain('null');
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect(error.code).toBe('request.invalid');
        expect(error.options.problems).not.toEqual([]);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(50);
});
