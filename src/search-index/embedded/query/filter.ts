import type { FieldType } from '../../../core/field-type.ts';
import type { FilterNode } from '../../../core/filters.ts';
import { comparesToSpan, comparisonSpan } from '../../../core/match-filter.ts';
import { bitWords, clearBeyond, setBit } from '../bytes/bitset.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import { markWithin } from '../columns/geo.ts';
import { markDocuments, setsWithValue } from '../columns/keyword.ts';
import { markMatching, markRange } from '../columns/number.ts';
import { valueKey } from '../columns/value-key.ts';
import { CLASS_NUMBERS } from '../numbering.ts';
import { columnsOf, isOwnField, type SegmentView, type Snapshot, typeOf, valueTexts } from '../read/snapshot.ts';
import type { Segment } from '../segment/segment.ts';

type NodeOf<Kind extends FilterNode['kind']> = Extract<FilterNode, { kind: Kind }>;
type Predicate = Exclude<FilterNode, { kind: 'all' | 'none' | 'and' | 'or' | 'not' }>;

/** Bytes of bitsets and keys kept per segment, or those of 128 bitsets when that is more. */
const KEPT_BYTES = 1 << 22;
const KEPT_BITSETS = 128;

/** Bitsets of predicates by what they ask, those used last at the end. */
type Kept = { readonly bits: Map<string, { readonly type: FieldType; readonly bits: Uint32Array }>; bytes: number };

/** Turns filters into bitsets over the documents of a segment, dead ones included, and keeps those of predicates. */
export class FilterBits {
  private readonly kept = new WeakMap<Segment, Kept>();
  /** A predicate is asked of every segment; its text may be long. */
  private readonly keys = new WeakMap<Predicate, string>();

  /** Undefined = every document passes. The result is shared: callers do not change it. */
  of(snapshot: Snapshot, view: SegmentView, node: FilterNode): Uint32Array | undefined {
    switch (node.kind) {
      case 'all':
        return undefined;
      case 'none':
        return new Uint32Array(bitWords(view.segment.documents));
      case 'and':
        return this.intersection(snapshot, view, node.of);
      case 'or':
        return this.union(snapshot, view, node.of);
      case 'not':
        return complement(this.of(snapshot, view, node.of), view.segment.documents);
      default:
        return this.predicate(snapshot, view, node);
    }
  }

  /** Stops where nothing is left. */
  private intersection(snapshot: Snapshot, view: SegmentView, nodes: readonly FilterNode[]): Uint32Array | undefined {
    let bits: Uint32Array | undefined;
    for (const node of nodes) {
      const next = this.of(snapshot, view, node);
      if (next === undefined) continue;
      if (bits === undefined) bits = next.slice();
      else for (let i = 0; i < bits.length; i++) bits[i] = bits[i]! & next[i]!;
      if (bits.every(isZero)) return bits;
    }
    return bits;
  }

  private union(snapshot: Snapshot, view: SegmentView, nodes: readonly FilterNode[]): Uint32Array | undefined {
    const bits = new Uint32Array(bitWords(view.segment.documents));
    for (const node of nodes) {
      const next = this.of(snapshot, view, node);
      if (next === undefined) return undefined;
      for (let i = 0; i < bits.length; i++) bits[i] = bits[i]! | next[i]!;
    }
    return bits;
  }

  private predicate(snapshot: Snapshot, view: SegmentView, node: Predicate): Uint32Array | undefined {
    const type = typeOf(snapshot, node.field);
    const key = this.keyFor(node);
    let kept = this.kept.get(view.segment);
    if (kept === undefined) {
      kept = { bits: new Map(), bytes: 0 };
      this.kept.set(view.segment, kept);
    }
    const known = kept.bits.get(key);
    const bits = known?.type === type ? known.bits : predicateBits(snapshot, view, node);
    keep(kept, key, { type, bits });
    return bits;
  }

  private keyFor(node: Predicate): string {
    let key = this.keys.get(node);
    if (key === undefined) {
      key = keyOf(node);
      this.keys.set(node, key);
    }
    return key;
  }
}

function keep(kept: Kept, key: string, entry: { readonly type: FieldType; readonly bits: Uint32Array }): void {
  const size = entry.bits.byteLength + key.length;
  if (kept.bits.delete(key)) kept.bytes -= size;
  kept.bits.set(key, entry);
  kept.bytes += size;
  const most = Math.max(KEPT_BYTES, KEPT_BITSETS * entry.bits.byteLength);
  for (const [oldest, { bits }] of kept.bits) {
    if (kept.bytes <= most) return;
    kept.bits.delete(oldest);
    kept.bytes -= bits.byteLength + oldest.length;
  }
}

function isZero(word: number): boolean {
  return word === 0;
}

/** Predicates that ask the same have the same key. A replacer is called for every value: only bounds need it. */
function keyOf(node: Predicate): string {
  if (!('values' in node)) return JSON.stringify(node, keepInfinity);
  const { values, ...rest } = node;
  if (values.some((value) => value.includes('\0'))) return JSON.stringify(node);
  return `${JSON.stringify(rest)}${values.length}:${values.join('\0')}`;
}

/** JSON has no infinity; open bounds must not share a key. */
function keepInfinity(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function complement(bits: Uint32Array | undefined, documents: number): Uint32Array {
  const out = new Uint32Array(bitWords(documents));
  if (bits === undefined) return out;
  for (let i = 0; i < out.length; i++) out[i] = ~bits[i]!;
  clearBeyond(out, documents);
  return out;
}

function predicateBits(snapshot: Snapshot, view: SegmentView, node: Predicate): Uint32Array {
  const bits = new Uint32Array(bitWords(view.segment.documents));
  switch (node.kind) {
    case 'value':
      markValues(snapshot, view, node, bits);
      return bits;
    case 'exists':
      markTexts({ snapshot, view, field: node.field }, (text) => text !== '', bits);
      return bits;
    case 'text':
      markTexts({ snapshot, view, field: node.field }, textTest(node), bits);
      return bits;
    case 'compare':
      return compareBits(snapshot, view, node, bits);
    default:
      markTyped(snapshot, view, node, bits);
      return bits;
  }
}

/** Any value of the field equals one of the wanted ones; long values by fingerprint. */
function markValues(snapshot: Snapshot, view: SegmentView, node: NodeOf<'value'>, bits: Uint32Array): void {
  const { segment } = view;
  if (node.field === 'Id') {
    for (const value of node.values) for (const d of segment.documentsWithId(value)) setBit(bits, d);
    return;
  }
  const columns = columnsOf(snapshot, view, node.field);
  if (columns === undefined) return;
  const { keyword } = columns;
  const number = snapshot.fieldNumbers.get(node.field);
  const keepsPrefix = number === undefined || snapshot.fields[number]!.class !== CLASS_NUMBERS.c;
  const wanted = new Uint8Array(keyword.values.count);
  let some = false;
  keyword.values.findEach(sortedKeys(node, keepsPrefix), (ordinal) => {
    wanted[ordinal] = 1;
    some = true;
  });
  if (some) markDocuments(keyword.sets, setsWithValue(keyword, wanted), bits);
}

/** Keys of a list of values by code point; it is asked of every segment. */
const keysOfValues = new WeakMap<readonly string[], { readonly form: string; readonly keys: readonly string[] }>();

function sortedKeys({ field, values }: NodeOf<'value'>, keepsPrefix: boolean): readonly string[] {
  const isOwn = isOwnField(field);
  const form = `${isOwn} ${keepsPrefix}`;
  const known = keysOfValues.get(values);
  if (known?.form === form) return known.keys;
  const keys = values.map((value) => (isOwn ? value : valueKey(value, keepsPrefix)).toWellFormed());
  sortByCodePoint(keys);
  keysOfValues.set(values, { form, keys });
  return keys;
}

/** Documents with a value whose text passes. O(distinct values + documents). */
function markTexts(
  { snapshot, view, field }: { snapshot: Snapshot; view: SegmentView; field: string },
  test: (text: string) => boolean,
  bits: Uint32Array,
): void {
  const columns = columnsOf(snapshot, view, field);
  if (columns === undefined) return;
  const wanted = new Uint8Array(columns.keyword.values.count);
  let ordinal = 0;
  for (const text of valueTexts(snapshot, view, { field, columns })) wanted[ordinal++] = test(text) ? 1 : 0;
  markDocuments(columns.keyword.sets, setsWithValue(columns.keyword, wanted), bits);
}

function textTest({ operator, values }: NodeOf<'text'>): (text: string) => boolean {
  const lower = values.map((value) => value.toLowerCase());
  return (text) => {
    const own = text.toLowerCase();
    return lower.some((value) => (operator === 'prefix' ? own.startsWith(value) : own.includes(value)));
  };
}

function markTyped(
  snapshot: Snapshot,
  view: SegmentView,
  node: NodeOf<'number'> | NodeOf<'date'> | NodeOf<'geo'>,
  bits: Uint32Array,
): void {
  const columns = typeOf(snapshot, node.field) === node.kind ? columnsOf(snapshot, view, node.field) : undefined;
  if (columns === undefined) return;
  const { numbers, dates, points } = columns;
  if (node.kind === 'number' && numbers !== undefined) markRange(numbers, node.min, node.max, bits);
  if (node.kind === 'date' && dates !== undefined) markRange(dates, node.from, node.to, bits);
  if (node.kind === 'geo' && points !== undefined) markWithin(points, node, node.metres, bits);
}

/** Comparison under the field's type. Contract: 2.3. */
function compareBits(snapshot: Snapshot, view: SegmentView, node: NodeOf<'compare'>, bits: Uint32Array): Uint32Array {
  const { field, operator, values } = node;
  if (operator === 'ne') {
    return complement(compareBits(snapshot, view, { ...node, operator: 'eq' }, bits), view.segment.documents);
  }
  const type = typeOf(snapshot, field);
  if (type === 'number' || type === 'date') {
    const columns = columnsOf(snapshot, view, field);
    const column = type === 'number' ? columns?.numbers : columns?.dates;
    const spans = values.map((value) => comparisonSpan(value, type)).filter((span) => span !== undefined);
    if (column !== undefined) {
      markMatching(column, (value) => spans.some((span) => comparesToSpan(value, operator, span)), bits);
    }
  } else if (operator === 'eq') {
    markValues(snapshot, view, { kind: 'value', field, values }, bits);
  } else if (type === 'text') {
    const lower = values.map((value) => value.toLowerCase());
    const test = (text: string) => lower.some((given) => comparesText(text.toLowerCase(), operator, given));
    markTexts({ snapshot, view, field }, test, bits);
  }
  return bits;
}

/** Lower-case texts in the order of code units, as `core/match-filter` compares them. */
function comparesText(left: string, operator: NodeOf<'compare'>['operator'], right: string): boolean {
  if (left === right) return operator === 'gte' || operator === 'lte';
  return left > right ? operator === 'gt' || operator === 'gte' : operator === 'lt' || operator === 'lte';
}
