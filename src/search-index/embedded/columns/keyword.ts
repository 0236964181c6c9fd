import { hash } from 'node:crypto';
import { SECTION, type SectionData } from '../segment/sections.ts';
import { FrontCodedList } from '../term-dictionary/front-coded-list.ts';

export type SetNumbers = Uint8Array | Uint16Array | Uint32Array;

/** One field of a segment as value sets (search-engine design 7.7). */
export type KeywordColumn = {
  /** Distinct value keys by code point. */
  readonly values: FrontCodedList;
  /** Values of set s: `setValues[setStart[s]..setStart[s + 1])`, ascending. Set 0 is empty. */
  readonly setStart: Uint32Array;
  readonly setValues: Uint32Array;
  readonly setCount: number;
  /** Set of every document. */
  readonly sets: SetNumbers;
};

/** Reads the column out of its sections; a sparse one is spread over all documents once, O(documents). */
export function readKeywordColumn(
  section: (kind: number, part?: number) => SectionData | undefined,
  documentCount: number,
): KeywordColumn {
  const setStart = section(SECTION.setStart) as Uint32Array;
  const setValues = section(SECTION.setValues) as Uint32Array;
  const bytes = section(SECTION.values) as Uint8Array;
  const blocks = section(SECTION.valueBlocks) as Uint32Array;
  const stored = section(SECTION.set) as SetNumbers;
  const sparse = section(SECTION.sparseDocs) as Uint32Array | undefined;
  const sets = sparse === undefined ? stored : spread(stored, sparse, documentCount);
  const values = new FrontCodedList({ bytes, blocks }, countValues(setValues));
  return { values, setStart, setValues, setCount: setStart.length - 1, sets };
}

/** Every value is in a set, so the highest ordinal tells how many there are. */
function countValues(setValues: Uint32Array): number {
  let highest = -1;
  for (let i = 0; i < setValues.length; i++) highest = Math.max(highest, setValues[i]!);
  return highest + 1;
}

function spread(stored: SetNumbers, documents: Uint32Array, documentCount: number): SetNumbers {
  const dense =
    stored instanceof Uint8Array
      ? new Uint8Array(documentCount)
      : stored instanceof Uint16Array
        ? new Uint16Array(documentCount)
        : new Uint32Array(documentCount);
  for (let i = 0; i < documents.length; i++) dense[documents[i]!] = stored[i]!;
  return dense;
}

/** Documents whose set is marked, as bits. `marks` by set. O(documents). */
export function setBitsOfDocuments(sets: SetNumbers, marks: Uint8Array, bits: Uint32Array): void {
  for (let d = 0; d < sets.length; d++) {
    if (marks[sets[d]!] === 1) bits[d >>> 5] = bits[d >>> 5]! | (1 << (d & 31));
  }
}

/** Marks the sets that hold one of the values (`wanted` by ordinal). O(set members). */
export function setsWithValue(column: KeywordColumn, wanted: Uint8Array): Uint8Array {
  const marks = new Uint8Array(column.setCount);
  for (let set = 0; set < column.setCount; set++) {
    for (let i = column.setStart[set]!; i < column.setStart[set + 1]!; i++) {
      if (wanted[column.setValues[i]!] === 1) marks[set] = 1;
    }
  }
  return marks;
}

/** UTF-8 bytes from which a value's text is not kept in its column. */
const LONG_VALUE_BYTES = 200;
const PREFIX_CHARS = 24;
/** A noncharacter: opens the fingerprint of a long value; short values that hold it are kept as fingerprints too. */
const MARK = '\u{10ffff}';

/**
 * The text under which a column knows a value: the value itself, or for a long one a few first characters (none for
 * body text, where they would repeat the title) and a 128-bit fingerprint with its length. Equal keys = equal values.
 */
export function valueKey(value: string, keepsPrefix: boolean): string {
  if (value.length <= LONG_VALUE_BYTES / 3 && !value.includes(MARK)) return value;
  if (Buffer.byteLength(value) <= LONG_VALUE_BYTES && !value.includes(MARK)) return value;
  const prefix = keepsPrefix ? value.slice(0, PREFIX_CHARS).toWellFormed() : '';
  return `${prefix}${MARK}${hash('md5', value, 'base64url')}.${value.length}`;
}

/** Whether a key stands for a value whose text the column does not have. */
export function isLongValue(key: string): boolean {
  return key.includes(MARK);
}
