import { METRES_PER_UNIT, parseDate, parseNumber } from '../../core/field-values.ts';
import type { CompareOperator, FilterNode } from '../../core/filters.ts';

/** One field or argument group of a filter object. */
export type FilterEntry = { readonly field: string; readonly node: FilterNode };

/** Where a fault is, below the filter object, and the rule, which completes a sentence that starts with its path. */
export type ReportFault = (path: readonly (string | number)[], rule: string) => void;

/** How the values of one field combine. */
export type ValueOperator = 'AND' | 'OR';

/** Contract: 1.9. */
export const MAX_FILTER_FIELDS = 100;
export const MAX_FILTER_VALUES = 1_000;

type Group = { readonly path: readonly (string | number)[]; readonly members: readonly unknown[] };

/**
 * Reads `filters`, `notFilters`, `postFilters` and the map form of `facets`: one entry per field and argument group
 * that restricts anything. Faults are reported and their entries left out. Absent and `[]` are `{}`. Contract: 2.3.
 */
export function parseFilters(
  sent: unknown,
  report: ReportFault,
  valueOperator: ValueOperator = 'OR',
): readonly FilterEntry[] {
  if (sent === undefined || sent === null || (Array.isArray(sent) && sent.length === 0)) return [];
  if (typeof sent !== 'object' || Array.isArray(sent)) {
    report([], 'must be an object of field names with arrays of values');
    return [];
  }
  const keys = Object.entries(sent).filter(([, values]) => values !== null && values !== undefined);
  if (keys.length > MAX_FILTER_FIELDS) {
    report([], `may have at most ${MAX_FILTER_FIELDS} fields`);
    return [];
  }
  return keys.flatMap(([field, values]) => parseKey(field, values, { report, valueOperator }));
}

/** Every entry holds. */
export function everyEntry(entries: readonly FilterEntry[]): FilterNode {
  return entries.length === 0 ? { kind: 'all' } : { kind: 'and', of: entries.map(({ node }) => node) };
}

/** Any entry suffices; no entry restricts nothing. */
export function anyEntry(entries: readonly FilterEntry[]): FilterNode {
  return entries.length === 0 ? { kind: 'all' } : { kind: 'or', of: entries.map(({ node }) => node) };
}

/** No entry matches: a document that matches any one is excluded. */
export function noEntry(entries: readonly FilterEntry[]): FilterNode {
  return entries.length === 0 ? { kind: 'all' } : { kind: 'not', of: anyEntry(entries) };
}

type Rules = { readonly report: ReportFault; readonly valueOperator: ValueOperator };

function parseKey(field: string, values: unknown, { report, valueOperator }: Rules): readonly FilterEntry[] {
  if (!Array.isArray(values)) {
    report([field], 'must be an array');
    return [];
  }
  if (values.length > MAX_FILTER_VALUES) {
    report([field], `may have at most ${MAX_FILTER_VALUES} values`);
    return [];
  }
  if (values.length === 0) return [];
  if (field === 'range') return parseGroups(field, values, 3, report).flatMap((group) => parseRange(group, report));
  if (field === 'date') return parseGroups(field, values, 3, report).flatMap((group) => parseDates(group, report));
  if (field === 'geo_distance')
    return parseGroups(field, values, 5, report).flatMap((group) => parseGeo(group, report));
  return parseValues(field, values, { report, valueOperator });
}

function parseValues(field: string, values: readonly unknown[], { report, valueOperator }: Rules) {
  const texts: string[] = [];
  for (const [index, value] of values.entries()) {
    const text = scalarText(value);
    if (text === undefined) report([field, index], 'must be text, a number, true or false');
    else texts.push(text);
  }
  if (texts.length < values.length) return [];
  return [{ field, node: valueNode(field, texts, valueOperator) }];
}

/** A field has any of the values, or all of them; asked once each. */
export function valueNode(field: string, values: readonly string[], operator: ValueOperator): FilterNode {
  if (operator === 'OR' || values.length === 1) return { kind: 'value', field, values };
  return { kind: 'and', of: [...new Set(values)].map((value) => ({ kind: 'value', field, values: [value] })) };
}

/** Text, number or boolean as its text; undefined for everything else. */
function scalarText(value: unknown): string | undefined {
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? String(value) : undefined;
}

function parseGroups(key: string, values: readonly unknown[], size: number, report: ReportFault): readonly Group[] {
  if (values.length % size !== 0) {
    report([key], `must have groups of ${size} members`);
    return [];
  }
  return Array.from({ length: values.length / size }, (_, group) => ({
    path: [key, group * size],
    members: values.slice(group * size, group * size + size),
  }));
}

function parseRange(group: Group, report: ReportFault): readonly FilterEntry[] {
  const field = groupField(group, report);
  const min = rangeBound(group, 1, report);
  const max = rangeBound(group, 2, report);
  if (field === undefined || min === undefined || max === undefined) return [];
  if (min === OPEN && max === OPEN) return [];
  const low = min === OPEN ? Number.NEGATIVE_INFINITY : min;
  const high = max === OPEN ? Number.POSITIVE_INFINITY : max;
  return [{ field, node: { kind: 'number', field, min: low, max: high } }];
}

function parseDates(group: Group, report: ReportFault): readonly FilterEntry[] {
  const field = groupField(group, report);
  const first = dateBound(group, 1, report);
  const last = dateBound(group, 2, report);
  if (field === undefined || first === undefined || last === undefined) return [];
  if (first === OPEN && last === OPEN) return [];
  const from = first === OPEN ? Number.NEGATIVE_INFINITY : first.from;
  const to = last === OPEN ? Number.POSITIVE_INFINITY : last.to;
  return [{ field, node: { kind: 'date', field, from, to } }];
}

function parseGeo(group: Group, report: ReportFault): readonly FilterEntry[] {
  const field = groupField(group, report);
  const latitude = degrees(group, { member: 1, limit: 90 }, report);
  const longitude = degrees(group, { member: 2, limit: 180 }, report);
  const distance = numberOf(group.members[3]);
  if (!(distance >= 0)) report(memberPath(group, 3), 'must be a distance of at least 0');
  const unit = group.members[4];
  const metresPerUnit = typeof unit === 'string' ? METRES_PER_UNIT.get(unit.toLowerCase()) : undefined;
  if (metresPerUnit === undefined) report(memberPath(group, 4), `must be one of ${GEO_UNITS.join(', ')}`);
  if (field === undefined || latitude === undefined || longitude === undefined) return [];
  if (metresPerUnit === undefined || !(distance >= 0)) return [];
  return [{ field, node: { kind: 'geo', field, latitude, longitude, metres: distance * metresPerUnit } }];
}

const OPEN = 'open';
/** Spelled as in answers to faults; matched in any case. */
export const GEO_UNITS = [
  'Inch',
  'Feet',
  'Yards',
  'Miles',
  'NauticalMiles',
  'Kilometers',
  'Meters',
  'Centimeters',
  'Millimeters',
] as const;

function isOpen(bound: unknown): boolean {
  return bound === null || bound === '';
}

function groupField(group: Group, report: ReportFault): string | undefined {
  const [field] = group.members;
  if (typeof field === 'string' && field !== '') return field;
  report(group.path, 'must be a field name');
  return undefined;
}

function rangeBound(group: Group, member: number, report: ReportFault): number | typeof OPEN | undefined {
  const bound = group.members[member];
  if (isOpen(bound)) return OPEN;
  const value = numberOf(bound);
  if (!Number.isNaN(value)) return value;
  report(memberPath(group, member), 'must be a number with "." as decimal separator, or "" for an open end');
  return undefined;
}

function dateBound(group: Group, member: number, report: ReportFault) {
  const bound = group.members[member];
  if (isOpen(bound)) return OPEN;
  const span = typeof bound === 'string' || typeof bound === 'number' ? parseDate(String(bound)) : undefined;
  if (span === undefined) {
    report(memberPath(group, member), 'must be an existing date such as 2026-01-31, or "" for an open end');
  }
  return span;
}

function degrees(group: Group, { member, limit }: { member: number; limit: number }, report: ReportFault) {
  const value = numberOf(group.members[member]);
  if (Math.abs(value) <= limit) return value;
  report(memberPath(group, member), `must be a number from -${limit} to ${limit}`);
  return undefined;
}

/** A finite number, or text that states one; else NaN. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  return typeof value === 'string' ? parseNumber(value) : Number.NaN;
}

function memberPath({ path }: Group, member: number): readonly (string | number)[] {
  const [key, first] = path;
  return [key ?? '', Number(first) + member];
}

export type AdvancedFilter = { readonly node: FilterNode; readonly fields: readonly string[] };

/** Members of a node. */
export const NODE_MEMBERS = ['field', 'comparisonOperator', 'values', 'operator', 'filters'] as const;

/** Contract: 1.9. */
export const MAX_CONDITION_DEPTH = 5;
export const MAX_CONDITIONS = 100;
export const MAX_CONDITION_VALUES = 1_000;

export const COMPARISONS = ['Eq', 'Ne', 'Gt', 'Gte', 'Lt', 'Lte', 'Exists', 'NotExists', 'Prefix', 'Contains'] as const;
type Comparison = (typeof COMPARISONS)[number];
const ORDERS: readonly Comparison[] = ['Gt', 'Gte', 'Lt', 'Lte'];
export const GROUP_OPERATORS = ['And', 'Or'] as const;

type Path = readonly (string | number)[];
type Members = Readonly<Record<string, unknown>>;
type Walk = { readonly report: ReportFault; readonly fields: Set<string>; nodes: number };

/**
 * Reads `advancedPostFilter`; faults are reported and their nodes match nothing. Member names match in any case.
 * Contract: 2.3.
 */
export function parseAdvancedFilter(sent: unknown, report: ReportFault): AdvancedFilter {
  const walk: Walk = { report, fields: new Set(), nodes: 0 };
  const node = parseNode(sent, { path: [], depth: 1 }, walk);
  if (walk.nodes > MAX_CONDITIONS) report([], `may have at most ${MAX_CONDITIONS} nodes`);
  return { node, fields: [...walk.fields] };
}

const NOTHING: FilterNode = { kind: 'none' };

function parseNode(sent: unknown, at: { readonly path: Path; readonly depth: number }, walk: Walk): FilterNode {
  const members = membersOf(sent);
  if (members === undefined) return refuse(walk, at.path, 'must be an object');
  if (at.depth > MAX_CONDITION_DEPTH)
    return refuse(walk, at.path, `may be nested at most ${MAX_CONDITION_DEPTH} levels deep`);
  walk.nodes++;
  const hasField = members['field'] !== undefined;
  const hasFilters = members['filters'] !== undefined;
  if (hasField === hasFilters) return refuse(walk, at.path, 'must have either "field" or "filters"');
  return hasField ? parseLeaf(members, at.path, walk) : parseGroup(members, at, walk);
}

function parseGroup(members: Members, at: { readonly path: Path; readonly depth: number }, walk: Walk): FilterNode {
  const operator = wordOf(members['operator'], GROUP_OPERATORS, 'And');
  if (operator === undefined) refuse(walk, [...at.path, 'operator'], 'must be one of And, Or');
  const filters = members['filters'];
  if (!Array.isArray(filters) || filters.length === 0) {
    return refuse(walk, [...at.path, 'filters'], 'must be an array of at least one filter');
  }
  // Beyond the limit nodes are only counted.
  if (walk.nodes + filters.length > MAX_CONDITIONS) {
    walk.nodes += filters.length;
    return NOTHING;
  }
  const input = filters.map((filter, index) =>
    parseNode(filter, { path: [...at.path, 'filters', index], depth: at.depth + 1 }, walk),
  );
  return { kind: operator === 'Or' ? 'or' : 'and', of: input };
}

function parseLeaf(members: Members, path: Path, walk: Walk): FilterNode {
  const field = members['field'];
  if (typeof field !== 'string' || field === '') return refuse(walk, [...path, 'field'], 'must be a field name');
  walk.fields.add(field);
  const comparison = wordOf(members['comparisonoperator'], COMPARISONS, 'Eq');
  if (comparison === undefined) {
    return refuse(walk, [...path, 'comparisonOperator'], `must be one of ${COMPARISONS.join(', ')}`);
  }
  const operator = wordOf(members['operator'], GROUP_OPERATORS, 'Or');
  if (operator === undefined) return refuse(walk, [...path, 'operator'], 'must be one of And, Or');
  if (comparison === 'Exists') return { kind: 'exists', field };
  if (comparison === 'NotExists') return { kind: 'not', of: { kind: 'exists', field } };
  const values = valuesOf(members['values'], [...path, 'values'], walk);
  if (values === undefined) return NOTHING;
  if (ORDERS.includes(comparison) && values.length !== 1) {
    return refuse(walk, [...path, 'values'], `must have exactly one value for ${comparison}`);
  }
  return compare(field, comparison, { values, all: operator === 'And' });
}

function compare(
  field: string,
  comparison: Exclude<Comparison, 'Exists' | 'NotExists'>,
  { values, all }: { readonly values: readonly string[]; readonly all: boolean },
): FilterNode {
  const nodeFor = (some: readonly string[]): FilterNode => {
    if (comparison === 'Prefix') return { kind: 'text', field, operator: 'prefix', values: some };
    if (comparison === 'Contains') return { kind: 'text', field, operator: 'contains', values: some };
    return { kind: 'compare', field, operator: COMPARE_OPERATORS[comparison], values: some };
  };
  // `Ne` already says that no value equals any of the given ones.
  if (!all || comparison === 'Ne') return nodeFor(values);
  return { kind: 'and', of: values.map((value) => nodeFor([value])) };
}

const COMPARE_OPERATORS = { Eq: 'eq', Ne: 'ne', Gt: 'gt', Gte: 'gte', Lt: 'lt', Lte: 'lte' } as const satisfies Record<
  string,
  CompareOperator
>;

function valuesOf(sent: unknown, path: Path, walk: Walk): readonly string[] | undefined {
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > MAX_CONDITION_VALUES) {
    refuse(walk, path, `must be an array of 1 to ${MAX_CONDITION_VALUES} values`);
    return undefined;
  }
  const texts = sent.map(scalarText);
  for (const [index, text] of texts.entries()) {
    if (text === undefined) refuse(walk, [...path, index], 'must be text, a number, true or false');
  }
  return texts.filter((text) => text !== undefined);
}

/** Members by lower-case name, without null. */
function membersOf(sent: unknown): Members | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined;
  const given = Object.entries(sent).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
}

function wordOf<const T extends string>(sent: unknown, words: readonly T[], absent: T): T | undefined {
  if (sent === undefined) return absent;
  return typeof sent === 'string' ? words.find((word) => word.toLowerCase() === sent.toLowerCase()) : undefined;
}

function refuse(walk: Walk, path: Path, rule: string): FilterNode {
  walk.report(path, rule);
  return NOTHING;
}
