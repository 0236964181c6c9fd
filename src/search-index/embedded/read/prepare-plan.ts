import { POSITIONS_EXTENT } from '../segment/segment.ts';
import { type HeldView, openOf } from './held-views.ts';
import { type ReadDocuments, readLongValues } from './long-values.ts';
import type { PlanNeeds } from './plan-needs.ts';
import { isOwnField, type SegmentView, type Snapshot } from './snapshot.ts';

/**
 * Attaches what a plan reads to the segments of a snapshot. True when that was texts of long values, which only this
 * thread then has. `read` undefined = such values are known by their fingerprint.
 */
export async function preparePlan(
  snapshot: Snapshot,
  needs: PlanNeeds,
  { held, read }: { held: readonly HeldView[]; read: ReadDocuments | undefined },
): Promise<boolean> {
  const names = [...needs.fields].filter((name) => !isOwnField(name));
  let longTexts = false;
  for (const view of snapshot.segments) {
    const open = openOf(held, view);
    if (needs.positions) await open.load(POSITIONS_EXTENT);
    for (const name of names) {
      const field = snapshot.fieldNumbers.get(name);
      if (field === undefined) continue;
      await open.load(field);
      if (read === undefined || !needs.texts.has(name)) continue;
      longTexts = (await attachTexts(snapshot, view, { field, read })) || longTexts;
    }
  }
  return longTexts;
}

/** False when the field has no long value in the segment. */
async function attachTexts(
  snapshot: Snapshot,
  view: SegmentView,
  { field, read }: { field: number; read: ReadDocuments },
): Promise<boolean> {
  const { segment } = view;
  if ((segment.fieldCounts.get(field)?.longValues ?? 0) === 0) return false;
  if (segment.textsOf(field) === undefined) {
    segment.attachTexts(field, await readLongValues(view, { ...snapshot.fields[field]!, number: field }, read));
  }
  return true;
}
