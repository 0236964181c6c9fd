import { join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import type { Vocabulary } from '../../../text/compounds.ts';
import { hasBit } from '../bytes/bitset.ts';
import { type Manifest, type ManifestSegment, tombstonesFile } from '../manifest.ts';
import { readTombstones } from '../segment/tombstones.ts';
import { type OpenSegment, openSegment } from './open-files.ts';
import { type SegmentView, type Snapshot, snapshotOf } from './snapshot.ts';
import { typeFields } from './typing.ts';

/** A segment of the newest snapshot with its open file. */
export type OpenSegmentView = {
  readonly view: SegmentView;
  readonly open: OpenSegment;
  readonly tombstones: number | null;
};

/** Opens what a manifest names; segments and live bits that did not change are taken over from `present`. */
export async function openViews(
  directory: string,
  manifest: Manifest,
  present: readonly OpenSegmentView[],
): Promise<OpenSegmentView[]> {
  const views: OpenSegmentView[] = [];
  try {
    for (const entry of manifest.segments) views.push(await openView(directory, entry, present));
    return views;
  } catch (error) {
    closeUnused(views, present);
    throw error;
  }
}

/** Closes the files of `before` that `after` does not use, each once nothing is being read from it. */
export function closeUnused(before: readonly OpenSegmentView[], after: readonly OpenSegmentView[]): void {
  const used = new Set(after.map(({ open }) => open));
  for (const { open } of before) if (!used.has(open)) void open.close();
}

/** `used` is told of each field whose columns are read. */
export async function openSnapshot(
  engine: {
    readonly engineId: number;
    readonly vocabulary: Vocabulary;
    readonly used: (field: number) => void;
  },
  manifest: Manifest,
  held: readonly OpenSegmentView[],
): Promise<Snapshot> {
  const { engineId, vocabulary, used } = engine;
  const views = held.map(({ view }) => view);
  const types = await typeFields(manifest.fields, views, (view, field) => {
    used(field);
    return openOf(held, view).load(field);
  });
  const { generation, seq, live, bodyTokens, fields, languages, crawlers } = manifest;
  const averageLength = live === 0 ? 0 : bodyTokens / live;
  const liveLanguages = views.reduce((mask, view) => mask | liveLanguagesOf(view), 0);
  const facts = { engineId, generation, seq, live, averageLength, fields, languages, liveLanguages, crawlers, types };
  return snapshotOf(facts, views, vocabulary);
}

/** The open segment of a view. @throws AppError `internal` when its generation has been replaced */
export function openOf(held: readonly OpenSegmentView[], { segment }: SegmentView): OpenSegment {
  const found = held.find(({ open }) => open.segment === segment);
  if (found === undefined) throw new AppError('internal', 'The generation of this index has been replaced');
  return found.open;
}

async function openView(
  directory: string,
  entry: ManifestSegment,
  present: readonly OpenSegmentView[],
): Promise<OpenSegmentView> {
  const { n, uid, documents, live: liveCount, tombstones } = entry;
  const known = present.find(({ view }) => view.segment.uid === uid);
  if (known !== undefined && known.tombstones === tombstones) return known;
  const live =
    tombstones === null
      ? undefined
      : await readTombstones(join(directory, tombstonesFile(n, tombstones)), uid, documents);
  const open = known?.open ?? (await openSegment(directory, entry));
  return { view: { segment: open.segment, live, liveCount }, open, tombstones };
}

function liveLanguagesOf({ segment, live }: SegmentView): number {
  if (live === undefined) return segment.languageMask;
  let mask = 0;
  for (let d = 0; d < segment.documents && mask !== segment.languageMask; d++) {
    if (hasBit(live, d)) mask |= 1 << segment.languages[d]!;
  }
  return mask;
}
