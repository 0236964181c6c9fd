import { z } from 'zod';
import { DOCUMENT_KINDS, type Fields } from '../../core/document.ts';
import type { DeletePredicate, PredicateOperator } from '../../indexing/bulk-delete.ts';
import { boolean, isObject, listOf, mapOf, members, oneOf, scalarText, text, within } from '../binding.ts';

const MAX_FIELDS = 1_000;
const MAX_NAME_CHARS = 256;
const MAX_ID_CHARS = 2_048;
const MAX_PREDICATES = 50;
const MAX_PREDICATE_VALUES = 1_000;
const OPERATORS = ['Eq', 'In', 'Ne', 'Lt', 'Lte', 'Gt', 'Gte', 'Exists', 'NotExists', 'Prefix', 'Contains'] as const;

export const DOCUMENT_ID = text({ min: 1, max: MAX_ID_CHARS });
export const DOCUMENT_KIND = oneOf(DOCUMENT_KINDS);

const VALUES = listOf(scalarText());
const VALUE = scalarText().transform((value) => [value]);

/** Field name → values as text; null and `[]` give an empty list. Contract: 8.1. */
export const FIELDS = z.unknown().transform((sent, context): Fields => {
  const fields = new Map<string, readonly string[]>();
  const rule = fieldsRule(sent);
  if (rule !== undefined) {
    context.issues.push({ code: 'custom', input: sent, message: rule });
    return z.NEVER;
  }
  for (const [name, value] of Object.entries(sent as object)) {
    const values = value === null ? [] : within(context, Array.isArray(value) ? VALUES : VALUE, value, [name]);
    if (values !== undefined) fields.set(name, values);
  }
  return fields;
});

const DOCUMENT = members({ id: DOCUMENT_ID, type: DOCUMENT_KIND.optional(), fields: FIELDS });

/** Contract: 8.1. */
export const DOCUMENTS = listOf(DOCUMENT);

const REFRESH = oneOf(['wait']).optional();

export const WRITE_QUERY = members({ refresh: REFRESH, echo: boolean().optional() });

export const REFRESH_QUERY = members({ refresh: REFRESH });

export const DELETE_QUERY = members({
  documentId: text().refine((id) => id.trim() !== '', 'must be the id of a document'),
  refresh: REFRESH,
});

const PREDICATE = members({
  operator: oneOf(OPERATORS),
  values: listOf(scalarText(), { max: MAX_PREDICATE_VALUES }).optional(),
}).superRefine(({ operator, values = [] }, context) => {
  const rule = valuesRule(operator, values.length);
  if (rule !== undefined) context.addIssue({ code: 'custom', path: ['values'], message: rule });
});

/** Contract: 8.3. */
export const PREDICATES = mapOf(PREDICATE).transform((predicates, context): readonly DeletePredicate[] => {
  if (predicates.size === 0) context.addIssue({ code: 'custom', message: 'must name at least one field' });
  if (predicates.size > MAX_PREDICATES) {
    context.addIssue({ code: 'custom', message: `may have at most ${MAX_PREDICATES} predicates` });
  }
  return [...predicates].map(([field, { operator, values = [] }]) => {
    return { field, operator: operator.toLowerCase() as PredicateOperator, values };
  });
});

function valuesRule(operator: (typeof OPERATORS)[number], count: number): string | undefined {
  switch (operator) {
    case 'Exists':
    case 'NotExists':
      return count === 0 ? undefined : `must be absent or empty with ${operator}`;
    case 'Lt':
    case 'Lte':
    case 'Gt':
    case 'Gte':
      return count === 1 ? undefined : `must have exactly one value with ${operator}`;
    default:
      return count > 0 ? undefined : `must have at least one value with ${operator}`;
  }
}

function fieldsRule(sent: unknown): string | undefined {
  if (sent === undefined) return 'is required';
  if (!isObject(sent)) return 'must be an object';
  const names = Object.keys(sent);
  if (names.length > MAX_FIELDS) return `may have at most ${MAX_FIELDS} fields`;
  return names.every(isFieldName) ? undefined : `must have names of 1 to ${MAX_NAME_CHARS} characters`;
}

function isFieldName(name: string): boolean {
  const { length } = [...name.slice(0, 2 * MAX_NAME_CHARS + 1)];
  return length >= 1 && length <= MAX_NAME_CHARS;
}
