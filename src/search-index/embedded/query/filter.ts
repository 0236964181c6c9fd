import type { FieldType } from '../../../core/field-values.ts';
import { type ComparisonSpan, comparisonSpan, type FilterNode } from '../../../core/filters.ts';
import { bitWords, clearBeyond, setBit } from '../bytes/bitset.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import { setBitsWithin } from '../columns/geo.ts';
import { type KeywordColumn, setBitsOfDocuments, setsWithValue, valueKey } from '../columns/keyword.ts';
import { setBitsInRange, setMatchingBits } from '../columns/number.ts';
import { CLASS_NUMBERS } from '../field-numbers.ts';
import { columnsOf, isOwnField, type SegmentView, type Snapshot, typeOf, valueTexts } from '../read/snapshot.ts';
import type { Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';
import { setBitsOfMatchingTexts, type TextPredicate } from './text-predicates.ts';

type NodeOf<Kind extends FilterNode['kind']> = Extract<FilterNode, { kind: Kind }>;
type Predicate = Exclude<FilterNode, { kind: 'all' | 'none' | 'and' | 'or' | 'not' }>;

/** Bytes of bitsets and keys kept per segment, or those of 128 bitsets when that is more. */
const CACHED_BYTES = 1 << 22;
const CACHED_BITSETS = 128;

/** Bytes of marks and bitsets of the predicates that are evaluated in one pass over the texts of a field. */
export const PASS_BYTES = 1 << 25;

/** Bitsets of predicates by what they ask, those used last at the end. */
type CachedBits = {
  readonly bits: Map<string, { readonly type: FieldType; readonly bits: Uint32Array }>;
  bytes: number;
};

/** A filter that is evaluated on one segment. */
type Walk = {
  readonly snapshot: Snapshot;
  readonly view: SegmentView;
  readonly root: FilterNode;
  /** Predicates of the root that read texts, in the order of the tree; listed when the first of them is met. */
  texts: readonly TextPredicate[] | undefined;
  /** Those of them that the last pass evaluated. */
  passed: ReadonlyMap<Predicate, Uint32Array>;
};

/** Turns filters into bitsets over the documents of a segment, dead ones included, and keeps those of predicates. */
export class FilterBits {
  private readonly kept = new WeakMap<Segment, CachedBits>();
  /** A predicate is asked of every segment; its text may be long. */
  private readonly keys = new WeakMap<Predicate, string>();

  /** Undefined = every document passes. The result is shared: callers do not change it. */
  of(snapshot: Snapshot, view: SegmentView, node: FilterNode): Uint32Array | undefined {
    return this.bitsOf({ snapshot, view, root: node, texts: undefined, passed: new Map() }, node);
  }

  private bitsOf(walk: Walk, node: FilterNode): Uint32Array | undefined {
    const { documents } = walk.view.segment;
    switch (node.kind) {
      case 'all':
        return undefined;
      case 'none':
        return new Uint32Array(bitWords(documents));
      case 'and':
        return this.intersection(walk, node.of);
      case 'or':
        return this.union(walk, node.of);
      case 'not':
        return complement(this.bitsOf(walk, node.of), documents);
      default:
        return this.predicate(walk, node);
    }
  }

  /** Stops where nothing is left. */
  private intersection(walk: Walk, nodes: readonly FilterNode[]): Uint32Array | undefined {
    let bits: Uint32Array | undefined;
    for (const node of nodes) {
      const next = this.bitsOf(walk, node);
      if (next === undefined) continue;
      if (bits === undefined) bits = next.slice();
      else for (let i = 0; i < bits.length; i++) bits[i] = bits[i]! & next[i]!;
      if (bits.every(isZero)) return bits;
    }
    return bits;
  }

  private union(walk: Walk, nodes: readonly FilterNode[]): Uint32Array | undefined {
    const bits = new Uint32Array(bitWords(walk.view.segment.documents));
    for (const node of nodes) {
      const next = this.bitsOf(walk, node);
      if (next === undefined) return undefined;
      for (let i = 0; i < bits.length; i++) bits[i] = bits[i]! | next[i]!;
    }
    return bits;
  }

  private predicate(walk: Walk, node: Predicate): Uint32Array {
    checkStop();
    const { snapshot, view } = walk;
    const type = typeOf(snapshot, node.field);
    const key = this.keyFor(node);
    const kept = this.keptOf(view);
    const known = kept.bits.get(key);
    const bits = known?.type === type ? known.bits : this.evaluate(walk, node, type);
    keep(kept, key, { type, bits });
    return bits;
  }

  private evaluate(walk: Walk, node: Predicate, type: FieldType): Uint32Array {
    return readsTexts(node, type) ? this.textBits(walk, node) : predicateBits(walk.snapshot, walk.view, node);
  }

  /** Evaluates the predicate and those that come after it on the same field in one pass over its texts. */
  private textBits(walk: Walk, node: TextPredicate): Uint32Array {
    const known = walk.passed.get(node);
    if (known !== undefined) return known;
    const { snapshot, view, root } = walk;
    walk.texts ??= textPredicates(snapshot, root);
    const columns = columnsOf(snapshot, view, node.field);
    if (columns === undefined) return new Uint32Array(bitWords(view.segment.documents));
    const { count } = columns.keyword.values;
    const most = Math.max(1, Math.floor(PASS_BYTES / (count + view.segment.documents / 8 + 1)));
    const { bits: kept } = this.keptOf(view);
    const together = [node];
    for (let i = walk.texts.indexOf(node) + 1; i < walk.texts.length && together.length < most; i++) {
      const next = walk.texts[i]!;
      if (next.field === node.field && !kept.has(this.keyFor(next))) together.push(next);
    }
    const texts = valueTexts(snapshot, view, { field: node.field, columns });
    const marks = setBitsOfMatchingTexts(texts, count, together);
    walk.passed = new Map(together.map((predicate, i) => [predicate, bitsOfValues(view, columns.keyword, marks[i]!)]));
    return walk.passed.get(node)!;
  }

  private keptOf({ segment }: SegmentView): CachedBits {
    let kept = this.kept.get(segment);
    if (kept === undefined) {
      kept = { bits: new Map(), bytes: 0 };
      this.kept.set(segment, kept);
    }
    return kept;
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

/** Whether a predicate looks at the texts of its field: its type decides how values compare. */
export function readsTexts(node: Predicate, type: FieldType): node is TextPredicate {
  if (node.kind === 'text') return true;
  return node.kind === 'compare' && type === 'text' && node.operator !== 'eq' && node.operator !== 'ne';
}

function textPredicates(snapshot: Snapshot, node: FilterNode): readonly TextPredicate[] {
  switch (node.kind) {
    case 'all':
    case 'none':
      return [];
    case 'and':
    case 'or':
      return node.of.flatMap((part) => textPredicates(snapshot, part));
    case 'not':
      return textPredicates(snapshot, node.of);
    default:
      return readsTexts(node, typeOf(snapshot, node.field)) ? [node] : [];
  }
}

function keep(kept: CachedBits, key: string, entry: { readonly type: FieldType; readonly bits: Uint32Array }): void {
  const size = entry.bits.byteLength + key.length;
  if (kept.bits.delete(key)) kept.bytes -= size;
  kept.bits.set(key, entry);
  kept.bytes += size;
  const most = Math.max(CACHED_BYTES, CACHED_BITSETS * entry.bits.byteLength);
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

function predicateBits(snapshot: Snapshot, view: SegmentView, node: Exclude<Predicate, NodeOf<'text'>>): Uint32Array {
  const bits = new Uint32Array(bitWords(view.segment.documents));
  switch (node.kind) {
    case 'value':
      setBitsOfValues(snapshot, view, node, bits);
      return bits;
    case 'exists':
      return existsBits(snapshot, view, node.field) ?? bits;
    case 'compare':
      return compareBits(snapshot, view, node, bits);
    default:
      setTypedBits(snapshot, view, node, bits);
      return bits;
  }
}

/** Any value of the field equals one of the wanted ones; long values by fingerprint. */
function setBitsOfValues(snapshot: Snapshot, view: SegmentView, node: NodeOf<'value'>, bits: Uint32Array): void {
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
  if (some) setBitsOfDocuments(keyword.sets, setsWithValue(keyword, wanted), bits);
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

/** Documents with a value that is not empty: `''` is the first of the values, where there is one. */
function existsBits(snapshot: Snapshot, view: SegmentView, field: string): Uint32Array | undefined {
  const keyword = columnsOf(snapshot, view, field)?.keyword;
  if (keyword === undefined) return undefined;
  const { values } = keyword;
  const wanted = new Uint8Array(values.count).fill(1);
  if (values.count > 0 && values.at(0) === '') wanted[0] = 0;
  return bitsOfValues(view, keyword, wanted);
}

/** Documents with one of the values, marked by ordinal. O(set members + documents). */
function bitsOfValues({ segment }: SegmentView, keyword: KeywordColumn, wanted: Uint8Array): Uint32Array {
  checkStop();
  const bits = new Uint32Array(bitWords(segment.documents));
  setBitsOfDocuments(keyword.sets, setsWithValue(keyword, wanted), bits);
  return bits;
}

function setTypedBits(
  snapshot: Snapshot,
  view: SegmentView,
  node: NodeOf<'number'> | NodeOf<'date'> | NodeOf<'geo'>,
  bits: Uint32Array,
): void {
  const columns = typeOf(snapshot, node.field) === node.kind ? columnsOf(snapshot, view, node.field) : undefined;
  if (columns === undefined) return;
  const { numbers, dates, points } = columns;
  if (node.kind === 'number' && numbers !== undefined) setBitsInRange(numbers, node.min, node.max, bits);
  if (node.kind === 'date' && dates !== undefined) setBitsInRange(dates, node.from, node.to, bits);
  if (node.kind === 'geo' && points !== undefined) setBitsWithin(points, node, node.metres, bits);
}

/** Comparison under the field's type, of texts `eq` and `ne` only. Contract: 2.3. */
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
    if (column !== undefined) setMatchingBits(column, spanTest(spans, operator), bits);
  } else if (operator === 'eq') {
    setBitsOfValues(snapshot, view, { kind: 'value', field, values }, bits);
  }
  return bits;
}

/** Whether a value stands in the relation to one of the spans. O(log spans) per call. */
function spanTest(
  spans: readonly ComparisonSpan[],
  operator: NodeOf<'compare'>['operator'],
): (value: number) => boolean {
  const least = spans.reduce((bound, { from }) => Math.min(bound, from), Number.POSITIVE_INFINITY);
  const most = spans.reduce((bound, { to }) => Math.max(bound, to), Number.NEGATIVE_INFINITY);
  switch (operator) {
    case 'gt': {
      const firstEnd = spans.reduce((bound, { to }) => Math.min(bound, to), Number.POSITIVE_INFINITY);
      return (value) => value > firstEnd;
    }
    case 'gte':
      return (value) => value >= least;
    case 'lt': {
      const lastStart = spans.reduce((bound, { from }) => Math.max(bound, from), Number.NEGATIVE_INFINITY);
      return (value) => value < lastStart;
    }
    case 'lte':
      return (value) => value <= most;
    default:
      return withinSpans(joinSpans(spans));
  }
}

/** Spans that do not overlap, ascending. */
function joinSpans(spans: readonly ComparisonSpan[]): readonly ComparisonSpan[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

function withinSpans(spans: readonly ComparisonSpan[]): (value: number) => boolean {
  return (value) => {
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (spans[middle]!.from <= value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value <= spans[low - 1]!.to;
  };
}
