import { join } from 'node:path';
import type { StoredDocument } from '../../core/document.ts';
import { AppError } from '../../core/errors.ts';
import { yieldToEventLoop } from '../../core/yield.ts';
import { createVocabulary } from '../../text/compounds.ts';
import { fullBits } from './bytes/bitset.ts';
import { INDEX_FORMAT_VERSION } from './format-version.ts';
import { segmentFile } from './manifest.ts';
import type { WriterDeps } from './publish.ts';
import { type SegmentParts, type WrittenSegment, writeSegment } from './segment/assembly.ts';
import { SegmentBuilder } from './segment/builder.ts';
import type { BodyLengths } from './segment/segment-file.ts';
import { wordsWithNew } from './vocabulary-words.ts';
import { newVocabularyNumber, writeWords } from './words-file.ts';
import type { IndexState, LoadedSegment, LoadedVocabulary } from './writer-state.ts';

/** Numbers the fields, and splits the compounds of new segments. */
type BuildingState = Pick<IndexState, 'fieldNumbers' | 'words' | 'segments'>;

/** New segments, and the words in force from then on: the file of these is whole and synced. */
export type BuiltSegments = { readonly segments: readonly LoadedSegment[]; readonly words: LoadedVocabulary };

/** Documents and tokens after which a new segment is begun: bounds the memory of a builder to some 200 MB. */
const SEGMENT_DOCUMENTS = 20_000;
const SEGMENT_TOKENS = 4_000_000;
/** The process that indexes also renews leases and starts runs: the longest that documents hold its event loop. */
const SLICE_MS = 10;

/** Indexes the live ones of the changes into new segment files, in order. `nextNumber` gives their names. */
export async function buildSegments(
  deps: WriterDeps,
  state: BuildingState,
  input: { readonly changes: readonly StoredDocument[]; readonly nextNumber: () => number },
): Promise<BuiltSegments> {
  const building = startSegments(deps, state, input.nextNumber);
  await building.add(input.changes);
  return building.finish();
}

/**
 * The same for documents that come in steps: `finish` seals the last segment and gives all of them. A document that
 * makes it fail is left out and logged, so that it stops nobody else's.
 */
export function startSegments(deps: WriterDeps, state: BuildingState, nextNumber: () => number) {
  const sealing: Sealing = { deps, state, nextNumber, words: state.words };
  const segments: LoadedSegment[] = [];
  let documents: StoredDocument[] = [];
  let builder = new SegmentBuilder(state.fieldNumbers);
  const push = (sealed: readonly LoadedSegment[]) => {
    segments.push(...sealed);
    documents = [];
    builder = new SegmentBuilder(state.fieldNumbers);
  };
  const seal = async () => {
    if (documents.length > 0) push(await sealWhatCan(sealing, documents, () => sealBuilder(sealing, builder)));
  };
  return {
    async add(changes: readonly StoredDocument[]): Promise<void> {
      let begunAtMs = performance.now();
      for (const change of changes) {
        if (change.deleted) continue;
        if (performance.now() - begunAtMs > SLICE_MS) {
          await yieldToEventLoop();
          begunAtMs = performance.now();
        }
        documents.push(change);
        try {
          builder.add(change);
        } catch (err) {
          push(await sealInTwo(sealing, documents, err));
        }
        if (builder.documents >= SEGMENT_DOCUMENTS || builder.tokens >= SEGMENT_TOKENS) await seal();
      }
    },
    async finish(): Promise<BuiltSegments> {
      await seal();
      const { words } = sealing;
      if (words !== state.words) await writeWords(deps.directory, words.vocabulary);
      return { segments, words };
    },
  };
}

type Sealing = {
  readonly deps: WriterDeps;
  readonly state: BuildingState;
  readonly nextNumber: () => number;
  /** Those of the state, until a segment has so many new ones that it splits its compounds by them. */
  words: LoadedVocabulary;
};

/** A segment of the documents; several, of as many of them as can be indexed, when some cannot. */
async function sealWhatCan(
  sealing: Sealing,
  documents: readonly StoredDocument[],
  makeParts: () => SegmentParts = () => partsOf(sealing, documents),
): Promise<readonly LoadedSegment[]> {
  const { deps, nextNumber } = sealing;
  let held: LoadedSegment;
  try {
    held = await writeParts(deps, makeParts(), nextNumber());
  } catch (err) {
    return sealInTwo(sealing, documents, err);
  }
  deps.at('segment-written');
  return [held];
}

/** After a failure. O(documents) in all when one of them is the cause. @throws the failure when none of them is */
async function sealInTwo(
  sealing: Sealing,
  documents: readonly StoredDocument[],
  err: unknown,
): Promise<readonly LoadedSegment[]> {
  if (!mayBeOfDocuments(err)) throw err;
  const [only, ...others] = documents;
  if (others.length === 0) {
    const document = { crawlerId: only?.crawlerId, documentId: only?.id };
    sealing.deps.log.error({ err, ...document }, 'a document cannot be indexed and is left out');
    return [];
  }
  const half = documents.length >> 1;
  const first = await sealWhatCan(sealing, documents.slice(0, half));
  return [...first, ...(await sealWhatCan(sealing, documents.slice(half)))];
}

/** Not a fault of the disk, a lost role or the memory of the machine. */
function mayBeOfDocuments(err: unknown): boolean {
  if (!(err instanceof Error) || err instanceof AppError || 'syscall' in err) return false;
  return !/allocation failed/i.test(err.message);
}

function partsOf(sealing: Sealing, documents: readonly StoredDocument[]): SegmentParts {
  const builder = new SegmentBuilder(sealing.state.fieldNumbers);
  for (const document of documents) builder.add(document);
  return sealBuilder(sealing, builder);
}

function sealBuilder(sealing: Sealing, builder: SegmentBuilder): SegmentParts {
  return builder.seal((added) => {
    const { deps, state, words } = sealing;
    const renewed = deps.buildsVocabulary ? wordsWithNew(words.vocabulary.languages, added) : undefined;
    if (renewed === undefined) return words.vocabulary;
    const isWhole = words.vocabulary.number === 0 && state.segments.length === 0;
    const documents = isWhole ? builder.documents : words.documents;
    sealing.words = { vocabulary: createVocabulary(newVocabularyNumber(), renewed), documents };
    return sealing.words.vocabulary;
  });
}

/** What the writer keeps of a segment that it has just written, every document live. */
export function toLoadedSegment(
  n: number,
  written: WrittenSegment,
  columns: { rids: Uint32Array; bodyLengths: BodyLengths },
): LoadedSegment {
  const { documents } = written;
  const format = INDEX_FORMAT_VERSION;
  const live = fullBits(documents);
  return { n, format, ...written, ...columns, live, liveCount: documents, tombstones: undefined, changed: false };
}

async function writeParts({ directory }: WriterDeps, parts: SegmentParts, n: number): Promise<LoadedSegment> {
  const written = await writeSegment(join(directory, segmentFile(n)), parts);
  return toLoadedSegment(n, written, parts.identity.writerColumns());
}
