import { pino } from 'pino';
import { passagesOf } from '../../../src/compose/indexer.ts';
import type { StoredDocument } from '../../../src/core/document.ts';
import type { DocumentVectors } from '../../../src/core/document-vectors.ts';
import type { Engine } from '../../../src/core/records.ts';
import { hostAndPortOf } from '../../../src/core/url.ts';
import { createTextEmbedder, type EmbedPassagesDeps, embedPassages } from '../../../src/indexing/embed-engines.ts';
import { createEmbeddingModel } from '../../../src/llm/ai-sdk/embedding-model.ts';
import { openCompatibleProvider } from '../../../src/llm/ai-sdk/openai-compatible.ts';
import type { EmbeddingModel } from '../../../src/llm/embedding-model.ts';
import { createFolderModel, findModelPackages } from '../../../src/llm/onnx/embedding-model.ts';
import { readModelFolder } from '../../../src/llm/onnx/model-folder.ts';
import { createCosineScales } from '../../../src/search/cosine-scale.ts';
import { createQuestionVectors, type VectorSearch } from '../../../src/search/nearest-passages.ts';
import { createTextVectors } from '../../../src/search/text-vectors.ts';
import type { VectorSource } from '../../../src/search-index/vector-index.ts';
import { createInMemoryVectors } from '../../../test/helpers/in-memory-index/in-memory-vectors.ts';
import { packagesOfCaller } from '../../packages-of-caller.ts';

/** A model for embeddings, of an endpoint, in a folder of this machine or open already; `weight`: of cosines beside words, 0 to 1. */
export type EmbeddingChoice = { readonly weight: number } & (
  | { readonly baseUrl: string; readonly model: string }
  | { readonly folder: string }
  | { readonly opened: EmbeddingModel }
);

/** Passages of the rows embedded as the indexer does it, to be searched beside their words. */
export async function openSuiteVectors(
  rows: readonly StoredDocument[],
  engine: Engine,
  choice: EmbeddingChoice,
): Promise<AsyncDisposable & { readonly vectors: VectorSearch }> {
  await using opening = new AsyncDisposableStack();
  const model = await openModel(opening, choice);
  const { store, source } = openVectorRows(rows);
  const deps = { store, embedTexts: createTextEmbedder(model), model: model.id, passagesOf };
  await embedPassages(deps, engine, new AbortController().signal);
  const log = pino({ level: 'warn' });
  const questions = createQuestionVectors({
    models: { configured: model, named: () => model },
    completeVectorSet: () => store.completeVectorSet(),
    report: () => {},
    log,
  });
  const models = { named: () => model };
  const parts = { texts: createTextVectors({ models }), scales: createCosineScales({ models }) };
  const vectors = { questions, ...parts, index: createInMemoryVectors(async () => source), weight: choice.weight, log };
  const stack = opening.move();
  return { vectors, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** A model that several engines are embedded by: what it was asked before it knows. */
export async function openEmbedding(
  choice: EmbeddingChoice,
): Promise<AsyncDisposable & { readonly model: EmbeddingModel }> {
  const stack = new AsyncDisposableStack();
  const model = await openModel(stack, choice);
  const known = new Map<string, Promise<readonly Float32Array[]>>();
  const embed: EmbeddingModel['embed'] = async (texts, kind, signal) => {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      const key = `${kind}\n${text}`;
      const own = known.get(key) ?? model.embed([text], kind, signal);
      known.set(key, own);
      // What was given up in time is asked anew.
      own.catch(() => known.delete(key));
      vectors.push(...(await own));
    }
    return vectors;
  };
  return {
    model: { id: model.id, dimensions: model.dimensions, embed },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function openModel(stack: AsyncDisposableStack, choice: EmbeddingChoice): Promise<EmbeddingModel> {
  if ('opened' in choice) return choice.opened;
  if ('folder' in choice) {
    const folder = await readModelFolder(choice.folder, '--embedding-folder');
    const packages = findModelPackages(packagesOfCaller(), '--embedding-folder');
    return stack.use(createFolderModel({ folder, packages, restAfterMs: undefined }));
  }
  const { baseUrl, model } = choice;
  const provider = openCompatibleProvider({
    baseUrl,
    apiKey: undefined,
    headers: {},
    certificateAuthority: undefined,
    allowedHosts: new Set([hostAndPortOf(new URL(baseUrl))]),
  });
  return createEmbeddingModel(stack.use(provider), model);
}

/** What embedding reads and writes of a store, and what the search reads, for rows that do not change. */
function openVectorRows(rows: readonly StoredDocument[]): {
  readonly store: EmbedPassagesDeps['store'];
  readonly source: VectorSource;
} {
  const known = new Map<number, DocumentVectors>();
  let [reached, complete]: [number, string | undefined] = [0, undefined];
  const reading = {
    readVectors: async (_set: string, rids: readonly number[]) => rids.flatMap((rid) => known.get(rid) ?? []),
    vectorsAfter: async () => [],
    vectorRids: async () => [...known.keys()],
  };
  const store: EmbedPassagesDeps['store'] = {
    ...reading,
    changesAfter: async (seq, limit) => rows.filter((row) => row.seq > seq).slice(0, limit.rows),
    lastSeq: async () => rows.at(-1)?.seq ?? 0,
    vectorSeq: async () => reached,
    putVectors: async (_set, { seq, documents }) => {
      reached = seq;
      for (const vectors of documents) known.set(vectors.rid, vectors);
    },
    completeVectorSet: async () => complete,
    completeVectors: async (set) => {
      complete = set;
    },
    dropOtherVectors: async () => 0,
  };
  return { store, source: { ...reading, changeToken: () => 0 } };
}
