import type { FilterNode } from '../../../core/filters.ts';
import { PASS_BYTES, readsTexts } from '../query/filter.ts';
import { FEW_PATTERNS, type TextPredicate } from '../query/text-predicates.ts';
import { columnsOf, isOwnField, type Snapshot, typeOf } from '../read/snapshot.ts';
import { PRICE } from './prices.ts';

type Predicate = Exclude<FilterNode, { kind: 'all' | 'none' | 'and' | 'or' | 'not' }>;

/** Texts of a field over all segments. */
export type FieldTexts = { readonly values: number; readonly bytes: number };

/** Estimated nanoseconds of a filter whose predicates are not known from an earlier search. Its columns must be attached. */
export function filterCost(snapshot: Snapshot, filter: FilterNode): number {
  const predicates = predicatesOf(filter);
  const texts = predicates.filter((node) => readsTexts(node, typeOf(snapshot, node.field))) as TextPredicate[];
  const others = predicates.filter((node) => !readsTexts(node, typeOf(snapshot, node.field)));
  const byField = Map.groupBy(texts, ({ field }) => field);
  const reading = [...byField].map(([field, own]) => textCost(snapshot, field, own));
  return [...reading, ...others.map((node) => predicateCost(snapshot, node))].reduce((sum, cost) => sum + cost, 0);
}

/** What reading a field as texts looks at. Its columns must be attached, texts of long values too. */
export function textsOfField(snapshot: Snapshot, field: string): FieldTexts {
  let values = 0;
  let bytes = 0;
  const number = snapshot.fieldNumbers.get(field);
  for (const view of snapshot.segments) {
    const { segment } = view;
    if (isOwnField(field)) {
      values += segment.documents;
      bytes += segment.documents * OWN_FIELD_BYTES;
      continue;
    }
    const list = columnsOf(snapshot, view, field)?.keyword.values;
    values += list?.count ?? 0;
    bytes += list?.codedBytes ?? 0;
    bytes += number === undefined ? 0 : (segment.sharedTexts(number)?.bytes.length ?? 0);
  }
  return { values, bytes };
}

/** An address or a word. */
const OWN_FIELD_BYTES = 60;

function predicatesOf(filter: FilterNode): readonly Predicate[] {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return [];
    case 'and':
    case 'or':
      return filter.of.flatMap(predicatesOf);
    case 'not':
      return predicatesOf(filter.of);
    default:
      return [filter];
  }
}

function predicateCost(snapshot: Snapshot, node: Predicate): number {
  const { live, segments } = snapshot;
  const pass = PRICE.documentAndPredicate * live;
  switch (node.kind) {
    case 'geo':
      return pass + PRICE.documentAndDistance * live;
    case 'compare': {
      const type = typeOf(snapshot, node.field);
      const count = node.values.length;
      if (type !== 'number' && type !== 'date') return pass + PRICE.lookUp * segments.length * count;
      return (
        pass + live * (PRICE.documentAndNumber + PRICE.documentAndHalving * Math.log2(count)) + PRICE.typedValue * count
      );
    }
    case 'value':
      return pass + PRICE.lookUp * segments.length * node.values.length;
    default:
      return pass;
  }
}

/** All predicates on one field: its texts are read once. */
function textCost(snapshot: Snapshot, field: string, predicates: readonly TextPredicate[]): number {
  const { values, bytes } = textsOfField(snapshot, field);
  const patterns = (operator: 'contains' | 'prefix') =>
    predicates.flatMap((node) => (node.kind === 'text' && node.operator === operator ? node.values : []));
  const orders = predicates.filter(({ kind }) => kind === 'compare').length;
  const reading = PRICE.text * values + PRICE.textByte * bytes;
  const marking =
    predicates.length * (PRICE.valueAndPredicate * values + 2 * PRICE.documentAndPredicate * snapshot.live);
  const ordering = PRICE.valueAndOrder * values * orders;
  const passes = Math.ceil((predicates.length * (values + snapshot.live / 8)) / PASS_BYTES);
  const looking = containsCost(patterns('contains'), bytes) + prefixCost(patterns('prefix'), values);
  return passes * (reading + looking) + marking + ordering;
}

function containsCost(patterns: readonly string[], bytes: number): number {
  if (patterns.length <= FEW_PATTERNS) return PRICE.textByteAndPattern * bytes * patterns.length;
  const patternBytes = lengthOf(patterns);
  const passes = 1 + Math.floor(patternBytes / PATTERN_BYTES_PER_TABLE);
  return PRICE.textByteInAutomaton * bytes * passes + PRICE.patternByte * patternBytes;
}

/** Of patterns of 60 different bytes. */
const PATTERN_BYTES_PER_TABLE = 65_000;

function prefixCost(patterns: readonly string[], values: number): number {
  if (patterns.length <= FEW_PATTERNS) return PRICE.valueAndPrefix * values * patterns.length;
  return FEW_PATTERNS * PRICE.valueAndPrefix * values + PRICE.patternByte * lengthOf(patterns);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
