import { hash } from 'node:crypto';
import type { StoredDocument } from '../core/document.ts';
import { type DocumentVectors, packedBytes, packVector, vectorSetOf } from '../core/document-vectors.ts';
import { toAppError } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import { yieldToEventLoop } from '../core/yield.ts';
import type { EmbeddingModel } from '../llm/embedding-model.ts';
import { type DescribedFault, type ModelFault, modelFaultOf } from '../llm/model-fault.ts';
import { pause } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { DocumentStore } from '../storage/engine/documents.ts';
import type { PassageVectorStore } from '../storage/engine/passage-vectors.ts';
import { type EngineStores, isStoreFault } from '../storage/engine-store.ts';
import type { AccountStore } from '../storage/system/accounts.ts';

export type EmbedEnginesDeps = {
  readonly accounts: Pick<AccountStore, 'listEngines'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly model: EmbeddingModel;
  readonly passagesOf: (row: StoredDocument, language: string) => Iterable<EmbeddedPassage>;
  readonly log: Log;
};

const LOOK_EVERY_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Keeps the vectors of every engine with answers up to date until the signal ends it. While the model is away it is
 * asked less and less often, once a minute at last; nothing is lost meanwhile, as each engine's place is in its store.
 */
export async function embedEngines(deps: EmbedEnginesDeps, signal: AbortSignal): Promise<void> {
  const embedTexts = createTextEmbedder(deps.model);
  const seenTokens = new Map<number, number>();
  let waitMs = LOOK_EVERY_MS;
  while (!signal.aborted) {
    try {
      await embedOnce({ ...deps, embedTexts, seenTokens }, signal);
      waitMs = LOOK_EVERY_MS;
    } catch (err) {
      if (signal.aborted) return;
      waitMs = Math.min(2 * waitMs, LONGEST_PAUSE_MS);
      deps.log.warn({ err, againInMs: waitMs }, 'passages could not be embedded, trying again');
    }
    await pause(waitMs, signal);
  }
}

type Round = EmbedEnginesDeps & {
  readonly embedTexts: EmbedTexts;
  /** Versions of the stores at which nothing was left to embed. */
  readonly seenTokens: Map<number, number>;
};

async function embedOnce(round: Round, signal: AbortSignal): Promise<void> {
  for (const engine of await round.accounts.listEngines()) {
    if (signal.aborted) return;
    if (!engine.settings.aiEnabled) continue;
    try {
      await embedEngine(round, engine, signal);
    } catch (err) {
      // What is wrong with one store does not keep the others from their turn.
      if (signal.aborted || modelFaultOf(err) !== undefined) throw err;
      if (isStoreFault(err)) continue;
      round.log.error({ err, engineId: engine.id }, 'passages of an engine could not be embedded');
    }
  }
}

async function embedEngine(round: Round, engine: Engine, signal: AbortSignal): Promise<void> {
  const { embedTexts, passagesOf, model, seenTokens } = round;
  const store = await round.engineStores.of(engine.id);
  const token = store.changeToken();
  if (token === seenTokens.get(engine.id)) return;
  await embedPassages({ store, embedTexts, passagesOf, model: model.id }, engine, signal);
  seenTokens.set(engine.id, token);
}

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

/** Texts of one call (answers design 4, item 9). */
const TEXTS_PER_CALL = 64;
/** What is about the texts that were sent: fewer of them, or others, may be embedded. */
const FAULTS_OF_TEXTS: ReadonlySet<ModelFault> = new Set(['too-large', 'context-too-long', 'bad-vectors']);
const STATUSES_OF_TEXTS: ReadonlySet<number> = new Set([400, 413, 422]);
/** A text that every model embeds. */
const PLAIN_TEXT = 'text';

/** Vectors per text, in order; undefined for one that the model does not take. */
type EmbedTexts = (texts: readonly string[], signal: AbortSignal) => Promise<readonly (Float32Array | undefined)[]>;

/**
 * Calls of at most 64 texts. One that is refused is made again in halves; when answers are too long for the
 * connection (long vectors), all later calls are shorter too.
 *
 * Throws `llm.unavailable` when the model is away, or takes no text at all.
 */
export function createTextEmbedder(model: EmbeddingModel): EmbedTexts {
  let mostTexts = TEXTS_PER_CALL;
  return async (texts, signal) => {
    const vectors: (Float32Array | undefined)[] = [];
    let perCall = mostTexts;
    while (vectors.length < texts.length) {
      const chunk = texts.slice(vectors.length, vectors.length + perCall);
      const made = await embedOrRefuse(model, chunk, signal);
      if ('vectors' in made) {
        vectors.push(...made.vectors);
        continue;
      }
      if (chunk.length === 1) vectors.push(undefined);
      perCall = Math.max(1, chunk.length >> 1);
      if (made.refusal === 'too-large') mostTexts = perCall;
    }
    return vectors;
  };
}

type EmbeddingBatch = { readonly vectors: readonly Float32Array[] } | { readonly refusal: ModelFault };

/** A refusal is about these texts alone: a model that refuses one text has to take another. */
async function embedOrRefuse(
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<EmbeddingBatch> {
  try {
    return { vectors: await model.embed(texts, 'passage', signal) };
  } catch (error) {
    const fault = modelFaultOf(error);
    if (fault === undefined || !isOfTexts(fault)) throw toAppError(error);
    if (texts.length === 1) await model.embed([PLAIN_TEXT], 'passage', signal);
    return { refusal: fault.reason };
  }
}

function isOfTexts({ reason, status = 0 }: DescribedFault): boolean {
  return FAULTS_OF_TEXTS.has(reason) || (reason === 'http-status' && STATUSES_OF_TEXTS.has(status));
}
