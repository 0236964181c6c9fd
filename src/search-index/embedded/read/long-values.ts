import { setImmediate } from 'node:timers/promises';
import type { StoredDocument } from '../../../core/document.ts';
import { hasBit } from '../bytes/bitset.ts';
import { isLongValue, type KeywordColumn, valueKey } from '../columns/keyword.ts';
import { CLASS_NUMBERS, type NumberedField } from '../field-numbers.ts';
import type { SegmentView } from './snapshot.ts';

/** Present state of rows, in the order asked; undefined = the row is gone. */
export type ReadDocuments = (rids: readonly number[]) => Promise<readonly (StoredDocument | undefined)[]>;

/** Rows asked for at once, and values looked at before others have their turn: a millisecond or two each. */
const ROWS = 100;
const VALUES = 5_000;

/**
 * Texts of a field's long values, read through a live document that has each; a text that the store no longer has
 * stays unknown. The field's columns must be attached.
 */
export async function readLongValues(
  view: SegmentView,
  field: NumberedField & { readonly number: number },
  read: ReadDocuments,
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  const keyword = view.segment.field(field.number)?.keyword;
  if (keyword === undefined) return texts;
  const ordinalByKey = await longKeys(keyword);
  const rids = documentsWith(view, field.number, new Set(ordinalByKey.values()));
  const keepsPrefix = field.class !== CLASS_NUMBERS.c;
  for (let at = 0; at < rids.length; at += ROWS) {
    for (const document of await read(rids.slice(at, at + ROWS))) {
      for (const value of document?.fields.get(field.name) ?? []) {
        const known = ordinalByKey.get(valueKey(value, keepsPrefix));
        if (known !== undefined) texts.set(known, value);
      }
    }
  }
  return texts;
}

/** Ordinals of the long values by key. */
async function longKeys({ values }: KeywordColumn): Promise<ReadonlyMap<string, number>> {
  const ordinalByKey = new Map<string, number>();
  let ordinal = 0;
  for (const key of values) {
    if (isLongValue(key)) ordinalByKey.set(key, ordinal);
    ordinal++;
    if (ordinal % VALUES === 0) await setImmediate();
  }
  return ordinalByKey;
}

/** Rows of live documents that have all of the wanted values between them. */
function documentsWith({ segment, live }: SegmentView, field: number, wanted: Set<number>): number[] {
  const { sets, setStart, setValues } = segment.field(field)!.keyword;
  const rids: number[] = [];
  for (let d = 0; d < segment.documents && wanted.size > 0; d++) {
    if (live !== undefined && !hasBit(live, d)) continue;
    const before = wanted.size;
    for (let v = setStart[sets[d]!]!; v < setStart[sets[d]! + 1]!; v++) wanted.delete(setValues[v]!);
    if (wanted.size < before) rids.push(segment.rids[d]!);
  }
  return rids;
}

/** Texts of a field's long values, in shared memory: every thread reads the same ones. */
export type SharedTexts = {
  /** Ordinals of the values, ascending. */
  readonly ordinals: Uint32Array;
  /** Text i is the UTF-8 in `[starts[i], starts[i + 1])`. */
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
};

/** Text by ordinal of its value. */
export type LongTexts = { get(ordinal: number): string | undefined };

export function shareTexts(texts: ReadonlyMap<number, string>): SharedTexts {
  const sorted = [...texts].sort(([a], [b]) => a - b);
  const ordinals = new Uint32Array(new SharedArrayBuffer(4 * sorted.length));
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (sorted.length + 1)));
  for (const [i, [ordinal, text]] of sorted.entries()) {
    ordinals[i] = ordinal;
    starts[i + 1] = starts[i]! + Buffer.byteLength(text);
  }
  const buffer = new SharedArrayBuffer(starts[sorted.length]!);
  const writer = Buffer.from(buffer);
  for (const [i, [, text]] of sorted.entries()) writer.write(text, starts[i]!);
  return { ordinals, starts, bytes: new Uint8Array(buffer) };
}

/** Each call makes a text: 1 µs per KB. */
export function readTexts({ ordinals, starts, bytes }: SharedTexts): LongTexts {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    get(ordinal) {
      let low = 0;
      let high = ordinals.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (ordinals[middle]! < ordinal) low = middle + 1;
        else high = middle;
      }
      return ordinals[low] === ordinal ? buffer.toString('utf8', starts[low], starts[low + 1]) : undefined;
    },
  };
}
