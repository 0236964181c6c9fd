import type { CompareOperator, FilterNode } from '../core/filters.ts';
import { type ReportFault, scalarText } from './filter-grammar.ts';

export type AdvancedFilter = { readonly node: FilterNode; readonly fields: readonly string[] };

/** Members of a node. */
export const NODE_MEMBERS = ['field', 'comparisonOperator', 'values', 'operator', 'filters'] as const;

/** Contract: 1.9. */
const MAX_DEPTH = 5;
const MAX_NODES = 100;
const MAX_VALUES = 1_000;

const COMPARISONS = ['Eq', 'Ne', 'Gt', 'Gte', 'Lt', 'Lte', 'Exists', 'NotExists', 'Prefix', 'Contains'] as const;
type Comparison = (typeof COMPARISONS)[number];
const ORDERS: readonly Comparison[] = ['Gt', 'Gte', 'Lt', 'Lte'];
const GROUP_OPERATORS = ['And', 'Or'] as const;

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
  if (walk.nodes > MAX_NODES) report([], `may have at most ${MAX_NODES} nodes`);
  return { node, fields: [...walk.fields] };
}

const NOTHING: FilterNode = { kind: 'none' };

function parseNode(sent: unknown, at: { readonly path: Path; readonly depth: number }, walk: Walk): FilterNode {
  const members = membersOf(sent);
  if (members === undefined) return refuse(walk, at.path, 'must be an object');
  if (at.depth > MAX_DEPTH) return refuse(walk, at.path, `may be nested at most ${MAX_DEPTH} levels deep`);
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
  if (walk.nodes + filters.length > MAX_NODES) {
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
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > MAX_VALUES) {
    refuse(walk, path, `must be an array of 1 to ${MAX_VALUES} values`);
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
