/** How ranges, comparisons and sorting read a field. Contract: 1.10. */
const FIELD_TYPES = ['text', 'number', 'date', 'geo'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** The type that a field's name decides: `_date`, `_number`, `_geo_point`; else the values decide. */
export function typeBySuffix(field: string): FieldType | undefined {
  if (field.endsWith('_date')) return 'date';
  if (field.endsWith('_number')) return 'number';
  return field.endsWith('_geo_point') ? 'geo' : undefined;
}

/** The number a text states with `.` as decimal separator, or NaN. Contract: 2.3 `range` bounds. */
export function parseNumber(text: string): number {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
