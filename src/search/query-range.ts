import { parseDate } from '../core/dates.ts';
import { type FieldType, parseNumber } from '../core/field-type.ts';
import type { FilterNode } from '../core/filters.ts';
import type { WrittenBound, WrittenRange } from './query-lexer.ts';

/**
 * The filter that a range of a query text means under the type of its field: one value lies in it; dates cover whole
 * units, text compares without regard to case. Both ends open = the field exists. Undefined when a bound does not
 * parse under the type, or the type has no order. Contract: 2.2.
 */
export function rangeFilter(field: string, { from, to }: WrittenRange, type: FieldType): FilterNode | undefined {
  if (from === undefined && to === undefined) return { kind: 'exists', field };
  switch (type) {
    case 'number':
      return numberRange(field, { from, to });
    case 'date':
      return dateRange(field, { from, to });
    case 'text':
      return textRange(field, { from, to });
    case 'geo':
      return undefined;
  }
}

function numberRange(field: string, { from, to }: WrittenRange): FilterNode | undefined {
  const min = from === undefined ? Number.NEGATIVE_INFINITY : parseNumber(from.text);
  const max = to === undefined ? Number.POSITIVE_INFINITY : parseNumber(to.text);
  if (Number.isNaN(min) || Number.isNaN(max)) return undefined;
  return {
    kind: 'number',
    field,
    min: from?.inclusive === false ? neighbour(min, 1) : min,
    max: to?.inclusive === false ? neighbour(max, -1) : max,
  };
}

/** The next double above (1) or below (-1) a finite number: an exclusive bound as an inclusive one. */
function neighbour(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 === direction > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] ?? value;
}

/** An exclusive bound leaves out the whole unit it names. */
function dateRange(field: string, { from, to }: WrittenRange): FilterNode | undefined {
  const first = from === undefined ? OPEN : parseDate(from.text);
  const last = to === undefined ? OPEN : parseDate(to.text);
  if (first === undefined || last === undefined) return undefined;
  return {
    kind: 'date',
    field,
    from: from?.inclusive === false ? first.to + 1 : first.from,
    to: to?.inclusive === false ? last.from - 1 : last.to,
  };
}

const OPEN = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

function textRange(field: string, { from, to }: WrittenRange): FilterNode {
  const compare = (bound: WrittenBound | undefined, operators: readonly ['gte', 'gt'] | readonly ['lte', 'lt']) =>
    bound === undefined
      ? []
      : [{ kind: 'compare', field, operator: operators[bound.inclusive ? 0 : 1], values: [bound.text] } as const];
  return { kind: 'and', of: [...compare(from, ['gte', 'gt']), ...compare(to, ['lte', 'lt'])] };
}
