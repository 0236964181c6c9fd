import { type FieldType, typeBySuffix } from '../../../core/field-type.ts';
import { hasBit } from '../bytes/bitset.ts';
import type { FieldCounts } from '../columns/field-counts.ts';
import type { NumberedField } from '../field-numbers.ts';
import type { FieldColumns } from '../segment/segment.ts';
import type { SegmentView } from './snapshot.ts';

/** Attaches a field's columns of a segment. */
export type LoadField = (view: SegmentView, field: number) => Promise<void>;

/**
 * Types of the fields that live documents have (contract 1.10): suffix, else number when every live value is one, else
 * date, else text. Reads counts only; columns of a segment just where its tombstones leave a doubt.
 */
export async function typeFields(
  fields: readonly NumberedField[],
  views: readonly SegmentView[],
  load: LoadField,
): Promise<Map<string, FieldType>> {
  const types = new Map<string, FieldType>();
  for (const [number, { name }] of fields.entries()) {
    const type = await typeOfField(name, number, views, load);
    if (type !== undefined) types.set(name, type);
  }
  return types;
}

/** Live documents with a field. O(1) per segment without tombstones, else O(documents). */
export async function countLive(field: number, views: readonly SegmentView[], load: LoadField): Promise<number> {
  let count = 0;
  for (const view of views) {
    const counts = view.segment.fieldCounts.get(field);
    if (counts === undefined) continue;
    if (view.live === undefined) count += counts.documents;
    else {
      await load(view, field);
      const { sets } = view.segment.field(field)!.keyword;
      for (let d = 0; d < sets.length; d++) if (sets[d] !== 0 && hasBit(view.live, d)) count++;
    }
  }
  return count;
}

/** Undefined when no live document has the field. */
async function typeOfField(
  name: string,
  field: number,
  views: readonly SegmentView[],
  load: LoadField,
): Promise<FieldType | undefined> {
  const inUse = await anyView(views, field, load, {
    atLeast: ({ documents }) => documents,
    holds: (_, d, sets) => sets[d] !== 0,
  });
  if (!inUse) return undefined;
  const bySuffix = typeBySuffix(name);
  if (bySuffix !== undefined) return bySuffix;
  const noNumber = await anyView(views, field, load, {
    atLeast: ({ unparsedNumber }) => unparsedNumber,
    holds: ({ numbers, unparsedNumber }, d, sets) =>
      numbers === undefined ? sets[d] !== 0 : unparsedNumber !== undefined && hasBit(unparsedNumber, d),
  });
  if (!noNumber) return 'number';
  const noDate = await anyView(views, field, load, {
    atLeast: ({ unparsedDate }) => unparsedDate,
    holds: ({ dates, unparsedDate }, d, sets) =>
      dates === undefined ? sets[d] !== 0 : unparsedDate !== undefined && hasBit(unparsedDate, d),
  });
  return noDate ? 'text' : 'date';
}

type Question = {
  /** How many documents of the segment have the property, dead ones included. */
  readonly atLeast: (counts: FieldCounts) => number;
  readonly holds: (columns: FieldColumns, document: number, sets: FieldColumns['keyword']['sets']) => boolean;
};

/** Whether a live document of any segment has a property. */
async function anyView(
  views: readonly SegmentView[],
  field: number,
  load: LoadField,
  { atLeast, holds }: Question,
): Promise<boolean> {
  for (const view of views) {
    const counts = view.segment.fieldCounts.get(field);
    const having = counts === undefined ? 0 : atLeast(counts);
    if (having === 0) continue;
    const { segment, live, liveCount } = view;
    if (live === undefined || having > segment.documents - liveCount) return true;
    await load(view, field);
    const columns = segment.field(field)!;
    const { sets } = columns.keyword;
    for (let d = 0; d < segment.documents; d++) if (hasBit(live, d) && holds(columns, d, sets)) return true;
  }
  return false;
}
