import { hash } from 'node:crypto';
import type { StoredDocument } from '../core/document.ts';
import { type DocumentVectors, packedBytes, packVector, vectorSetOf } from '../core/document-vectors.ts';
import type { Engine } from '../core/records.ts';
import { yieldToEventLoop } from '../core/yield.ts';
import type { DocumentStore } from '../storage/document-store.ts';
import type { PassageVectorStore } from '../storage/passage-vector-store.ts';
import { type EmbedTexts, TEXTS_PER_CALL } from './embed-texts.ts';

/** A passage as far as it is embedded. */
export type EmbeddedPassage = {
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
  /** Of text and headings; 16 bytes as hex. */
  readonly hash: string;
};

export type EmbedPassagesDeps = {
  readonly store: Pick<DocumentStore, 'changesAfter' | 'lastSeq'> & PassageVectorStore;
  /** Name of the model. */
  readonly model: string;
  readonly embedTexts: EmbedTexts;
  /** Cuts the passages of a document that may ground an answer. */
  readonly passagesOf: (row: StoredDocument, language: string) => Iterable<EmbeddedPassage>;
};

const STEP = { rows: 100, bytes: 8 * 1024 * 1024 } as const;
/** Characters that are cut in one turn of the event loop: some 3 ms. */
const CHARS_PER_YIELD = 100_000;
const DROP_STEP = 200;
const CONTEXT_HASH_DIGITS = 32;

/** A document with the vectors that are known, by the hashes of its passages. */
type Job = {
  readonly row: StoredDocument;
  readonly contextHash: string;
  readonly passages: readonly EmbeddedPassage[];
  readonly known: ReadonlyMap<string, Uint8Array>;
};

/**
 * Brings the vectors of an engine up to its last change: passages without one are embedded, 64 a call, and stored with
 * their document and the place that was reached, so that whatever ends this process costs at most the calls of one
 * step. Passages that a document already had cost nothing. When all is done, the set is the complete one and those of
 * other models go.
 *
 * @throws AppError `llm.unavailable` when the model is away; what was done stays
 */
export async function embedPassages(deps: EmbedPassagesDeps, engine: Engine, signal: AbortSignal): Promise<void> {
  const { store } = deps;
  const set = vectorSetOf(deps.model);
  for (let seq = await store.vectorSeq(set); ; ) {
    const changes = await store.changesAfter(seq, STEP);
    if (changes.length === 0) break;
    for await (const jobs of batchesOf(deps, set, { changes, language: engine.language, signal })) {
      seq = jobs.at(-1)?.row.seq ?? seq;
      await store.putVectors(set, { seq, documents: await embedJobs(deps, jobs, signal) });
    }
  }
  if ((await store.completeVectorSet()) !== set) await store.completeVectors(set);
  while (!signal.aborted && (await store.dropOtherVectors(set, DROP_STEP)) === DROP_STEP);
}

type Batching = {
  readonly changes: readonly StoredDocument[];
  readonly language: string;
  readonly signal: AbortSignal;
};

/** Documents in order, as many as one call has room for the passages of, at least one. */
async function* batchesOf(deps: EmbedPassagesDeps, set: string, { changes, language, signal }: Batching) {
  const kept = await keptVectors(deps.store, set, changes);
  let [batch, missing]: [Job[], number] = [[], 0];
  for (const row of changes) {
    signal.throwIfAborted();
    const job = await jobOf(deps, row, { kept: kept.get(row.rid), language });
    const added = missingOf(job).length;
    if (batch.length > 0 && missing + added > TEXTS_PER_CALL) {
      yield batch;
      [batch, missing] = [[], 0];
    }
    batch.push(job);
    missing += added;
  }
  if (batch.length > 0) yield batch;
}

async function keptVectors(store: PassageVectorStore, set: string, changes: readonly StoredDocument[]) {
  const kept = await store.readVectors(
    set,
    changes.map(({ rid }) => rid),
  );
  return new Map(kept.map((vectors) => [vectors.rid, vectors]));
}

type Known = { readonly kept: DocumentVectors | undefined; readonly language: string };

async function jobOf({ passagesOf }: EmbedPassagesDeps, row: StoredDocument, { kept, language }: Known): Promise<Job> {
  const passages: EmbeddedPassage[] = [];
  let chars = 0;
  for (const passage of row.deleted ? [] : passagesOf(row, language)) {
    passages.push(passage);
    chars += passage.text.length;
    if (chars < CHARS_PER_YIELD) continue;
    chars = 0;
    await yieldToEventLoop();
  }
  const contextHash = hash('sha256', passages[0]?.title ?? '', 'hex').slice(0, CONTEXT_HASH_DIGITS);
  const known = new Map(
    kept?.contextHash === contextHash
      ? kept.hashes.map((each, position) => [each, packedAt(kept, position)] as const)
      : [],
  );
  return { row, contextHash, passages, known };
}

function packedAt({ packed, dimensions }: DocumentVectors, position: number): Uint8Array {
  const bytes = packedBytes(dimensions);
  return packed.subarray(position * bytes, (position + 1) * bytes);
}

/** Each once. */
function missingOf({ passages, known }: Job): readonly EmbeddedPassage[] {
  const missing = new Map(
    passages.filter(({ hash: own }) => !known.has(own)).map((passage) => [passage.hash, passage]),
  );
  return [...missing.values()];
}

async function embedJobs({ embedTexts }: EmbedPassagesDeps, jobs: readonly Job[], signal: AbortSignal) {
  const missing = jobs.flatMap(missingOf);
  const made = await embedTexts(missing.map(embeddedText), signal);
  const vectors = made.values();
  return jobs.map((job) => vectorsOf(job, missingOf(job), vectors));
}

/** Takes the vectors of the document's new passages off the front. */
function vectorsOf(
  { row, contextHash, passages, known }: Job,
  missing: readonly EmbeddedPassage[],
  vectors: Iterator<Float32Array | undefined>,
): DocumentVectors {
  const made = new Map<string, Uint8Array>(known);
  for (const passage of missing) {
    const { value } = vectors.next();
    if (value !== undefined) made.set(passage.hash, packVector(value));
  }
  // Those of the last one: a model that answers otherwise than before under its name is another one.
  const bytes = [...made.values()].at(-1)?.length ?? packedBytes(0);
  const all = passages.flatMap(({ hash: own }) => {
    const packed = made.get(own);
    return packed?.length === bytes ? [{ own, packed }] : [];
  });
  return {
    rid: row.rid,
    seq: row.seq,
    contextHash,
    dimensions: bytes - packedBytes(0),
    hashes: all.map(({ own }) => own),
    packed: Buffer.concat(all.map(({ packed }) => packed)),
  };
}

/** What the passage says, under what it stands. */
function embeddedText({ title, headings, text }: EmbeddedPassage): string {
  return [title, ...headings, text].filter((part) => part !== '').join('\n');
}
