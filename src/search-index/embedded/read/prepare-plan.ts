import { POSITIONS_EXTENT } from '../segment/segment.ts';
import { shareTexts } from './long-texts.ts';
import { type ReadDocuments, readLongValues } from './long-values.ts';
import { type OpenSegmentView, openOf } from './open-views.ts';
import type { RequiredColumns } from './required-columns.ts';
import type { Residency } from './residency.ts';
import { isOwnField, type SegmentView, type Snapshot } from './snapshot.ts';

type PrepareDeps = {
  readonly held: readonly OpenSegmentView[];
  readonly read: ReadDocuments | undefined;
  readonly residency: Residency;
  /** When a search has last read an extent: field numbers and positions. */
  readonly used: (extent: number) => void;
};

/**
 * Attaches what a plan reads to the segments of a snapshot. `read` undefined = long values are known by their
 * fingerprint.
 */
export async function preparePlan(
  snapshot: Snapshot,
  required: RequiredColumns,
  { held, read, residency, used }: PrepareDeps,
): Promise<void> {
  const fields = numbersOf(snapshot, required.fields);
  const texts = read === undefined ? [] : numbersOf(snapshot, required.texts);
  for (const field of fields) used(field);
  if (required.positions) used(POSITIONS_EXTENT);
  for (const view of snapshot.segments) {
    const { segment } = view;
    const extents = fields.filter((field) => segment.fieldCounts.has(field));
    if (required.positions) extents.push(POSITIONS_EXTENT);
    // Nothing is awaited for what is attached: most searches find everything there.
    const missing = extents.filter((extent) => !segment.hasExtent(extent));
    for (const extent of missing) {
      const range = segment.extentRange(extent);
      using _room = residency.reserve(range === undefined ? 0 : range.to - range.from);
      await openOf(held, view).load(extent);
    }
    const unread = texts.filter((field) => hasLongValues(view, field) && segment.textsOf(field) === undefined);
    for (const field of unread) await attachTexts(snapshot, view, field, read!);
  }
}

/** Field numbers of the names that the engine has columns of. */
function numbersOf(snapshot: Snapshot, names: ReadonlySet<string>): number[] {
  const columns = [...names].filter((name) => !isOwnField(name));
  return columns.map((name) => snapshot.fieldNumbers.get(name)).filter((field) => field !== undefined);
}

function hasLongValues({ segment }: SegmentView, field: number): boolean {
  return (segment.fieldCounts.get(field)?.longValues ?? 0) > 0;
}

async function attachTexts(snapshot: Snapshot, view: SegmentView, field: number, read: ReadDocuments): Promise<void> {
  const texts = await readLongValues(view, { ...snapshot.fields[field]!, number: field }, read);
  view.segment.attachTexts(field, shareTexts(texts));
}
