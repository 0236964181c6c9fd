import { z } from 'zod';
import { parseNumber } from '../../core/field-type.ts';
import type { ValueBoost } from '../../search-index/query-plan.ts';
import { listOf, mapOf, members, scalarTexts, text, within } from '../binding.ts';

/** Factor of the map form. Contract: 2.5. */
const MAP_FACTOR = 2;
/** Like filters. Contract: 1.9. */
const MAX_FIELDS = 100;
const MAX_VALUES = 1_000;
/** Each costs a pass over the documents. */
const MAX_BOOSTS = 1_000;

const FACTOR = z.unknown().transform((sent, context): number => {
  const factor = typeof sent === 'string' ? parseNumber(sent) : sent;
  if (typeof factor === 'number' && Number.isFinite(factor) && factor > 0) return factor;
  context.issues.push({ code: 'custom', input: sent, message: 'must be a number above 0' });
  return z.NEVER;
});

const VALUES = scalarTexts({ max: MAX_VALUES });
const BOOST = members({ boost: FACTOR, values: VALUES });
const FIELD_BOOSTS = members({ fieldName: text({ min: 1 }), boosts: listOf(BOOST, { max: MAX_FIELDS }) });

/** Both forms as factors by field and values, in order. Contract: 2.5. */
export const VALUE_BOOST = z.unknown().transform((sent, context): readonly ValueBoost[] => {
  if (Array.isArray(sent)) {
    const fields = within(context, listOf(FIELD_BOOSTS, { max: MAX_FIELDS }), sent) ?? [];
    const all = fields.flatMap(({ fieldName, boosts }) =>
      boosts.map(({ boost, values }) => ({ field: fieldName, values, factor: boost })),
    );
    if (all.length > MAX_BOOSTS) {
      context.issues.push({ code: 'custom', input: sent, message: `may have at most ${MAX_BOOSTS} boosts` });
    }
    return all;
  }
  const byField = within(context, mapOf(VALUES), sent) ?? new Map<string, readonly string[]>();
  if (byField.size > MAX_FIELDS) {
    context.issues.push({ code: 'custom', input: sent, message: `may have at most ${MAX_FIELDS} fields` });
  }
  return [...byField].map(([field, values]) => ({ field, values, factor: MAP_FACTOR }));
});
