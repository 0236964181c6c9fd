import { join } from 'node:path';
import type { StoredDocument } from '../../core/document.ts';
import { fullBits } from './bytes/bitset.ts';
import { INDEX_FORMAT_VERSION } from './format-version.ts';
import { segmentFile } from './manifest.ts';
import type { WriterDeps } from './publish.ts';
import { type SegmentParts, type WrittenSegment, writeSegment } from './segment/assembly.ts';
import { SegmentBuilder } from './segment/builder.ts';
import type { BodyLengths } from './segment/check-segment.ts';
import type { HeldSegment, IndexState } from './writer-state.ts';

/** Numbers the fields, and splits the compounds of new segments. */
type BuildingState = Pick<IndexState, 'numbering' | 'words'>;

/** Documents and tokens after which a new segment is begun: bounds the memory of a builder to some 200 MB. */
const SEGMENT_DOCUMENTS = 20_000;
const SEGMENT_TOKENS = 4_000_000;

/** Indexes the live ones of the changes into new segment files, in order. `nextNumber` gives their names. */
export async function buildSegments(
  deps: WriterDeps,
  state: BuildingState,
  input: { readonly changes: readonly StoredDocument[]; readonly nextNumber: () => number },
): Promise<HeldSegment[]> {
  const building = startSegments(deps, state, input.nextNumber);
  await building.add(input.changes);
  return building.finish();
}

/** The same for documents that come in steps: `finish` seals the last segment and gives all of them. */
export function startSegments(deps: WriterDeps, { numbering, words }: BuildingState, nextNumber: () => number) {
  const segments: HeldSegment[] = [];
  let builder = new SegmentBuilder(numbering);
  const seal = async () => {
    if (builder.documents === 0) return;
    segments.push(await sealSegment(deps, builder.seal(words.vocabulary), nextNumber()));
    builder = new SegmentBuilder(numbering);
  };
  return {
    async add(changes: readonly StoredDocument[]): Promise<void> {
      for (const change of changes) {
        if (change.deleted) continue;
        builder.add(change);
        if (builder.documents >= SEGMENT_DOCUMENTS || builder.tokens >= SEGMENT_TOKENS) await seal();
      }
    },
    async finish(): Promise<HeldSegment[]> {
      await seal();
      return segments;
    },
  };
}

/** What the writer keeps of a segment that it has just written, every document live. */
export function holdSegment(
  n: number,
  written: WrittenSegment,
  columns: { rids: Uint32Array; bodyLengths: BodyLengths },
): HeldSegment {
  const { documents } = written;
  const format = INDEX_FORMAT_VERSION;
  const live = fullBits(documents);
  return { n, format, ...written, ...columns, live, liveCount: documents, tombstones: undefined, changed: false };
}

async function sealSegment(deps: WriterDeps, parts: SegmentParts, n: number): Promise<HeldSegment> {
  const written = await writeSegment(join(deps.directory, segmentFile(n)), parts);
  deps.at('segment-written');
  return holdSegment(n, written, parts.identity.writerColumns());
}
