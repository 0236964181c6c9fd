import { randomBytes } from 'node:crypto';
import { createAnswerCache } from '../ai/answer-cache.ts';
import { compareMeaning, type LanguageModels } from '../ai/answer-generators.ts';
import { createNearness } from '../ai/nearness.ts';
import type { Config } from '../config/config.ts';
import { steadyClock } from '../core/clock.ts';
import { createSemaphore } from '../core/concurrency.ts';
import { type ModelProbes, startModelProbes } from '../llm/circuit-breaker.ts';
import type { Log } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createCandidateThreads } from '../search/candidate-threads.ts';
import { createCosineScales } from '../search/cosine-scale.ts';
import { candidateFinder, createAnalysedPassages } from '../search/find-candidates.ts';
import { createQuestionVectors, type VectorSearch } from '../search/nearest-passages.ts';
import { createTextVectors } from '../search/text-vectors.ts';
import { createEmbeddedVectors } from '../search-index/embedded/vectors/embedded-vectors.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { isInjected } from '../text/injected-text.ts';
import { type EmbeddingModels, openEmbeddingModels } from './models/embedding-models.ts';
import { openLanguageModels } from './models/language-model.ts';

/** Passages of some 5,000 pages. */
const ANALYSED_PASSAGES_BYTES = 64 * 2 ** 20;
/** Threads that find candidates: one finds those of some 60 questions a second. */
const CANDIDATE_THREADS = 2;
/** Questions that retrieve grounding at the same time. */
const RETRIEVALS_AT_ONCE = 4;
/** How long a question waits for the one before it in its conversation (answers design 12). */
const BUSY_WAIT_MS = 5_000;
/** Signs of 1.3 million passages of 1,536 dimensions, or 5 million of 384. */
const BINARY_VECTORS_BYTES = 256 * 2 ** 20;
const NONCE_BYTES = 12;
const MS_PER_SECOND = 1_000;

export type AnsweringContext = {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'models' | 'answers'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
};

/** What answers and summaries work with besides stores and index; what it opens is closed with the stack. */
export async function openAnswering(stack: AsyncDisposableStack, context: AnsweringContext) {
  const { config, log, metrics } = context;
  const probes = stack.use(startModelProbes(log));
  const languageModels: LanguageModels | undefined = await openLanguageModels(stack, { config, log, metrics, probes });
  const answerCache = createAnswerCache({
    maxBytes: config.AI_CACHE_MAX_BYTES,
    ttlMs: config.AI_CACHE_TTL_SECONDS * MS_PER_SECOND,
    clock: steadyClock,
  });
  return {
    languageModels,
    modelStates: probes.states,
    ...(await openVectors(stack, { ...context, probes })),
    answerCache,
    findCandidates: openCandidates(stack, config),
    retrievalSemaphore: createSemaphore(RETRIEVALS_AT_ONCE),
    conversations: {
      conversationTtlHours: config.CONVERSATION_TTL_HOURS,
      busyWaitMs: BUSY_WAIT_MS,
      redactStoredText: config.AI_REDACT_STORED_TEXT,
    },
    fallbacks: { whole: config.AI_FALLBACK === 'extractive', stream: config.AI_STREAM_FALLBACK === 'extractive' },
    tokenPrices: { input: config.LLM_PRICE_INPUT_PER_MTOK, output: config.LLM_PRICE_OUTPUT_PER_MTOK },
    logsText: config.LOG_TEXT,
    newNonce: () => randomBytes(NONCE_BYTES).toString('hex'),
  };
}

/** What a model for embeddings is asked for; a part is undefined without one, and when it has no say. */
async function openVectors(stack: AsyncDisposableStack, context: AnsweringContext & { readonly probes: ModelProbes }) {
  const { config, log, metrics, probes } = context;
  const models = await openEmbeddingModels(stack, {
    config,
    log,
    probes,
    report: ({ kind, outcome }) => metrics.models.requests.inc({ purpose: `embed-${kind}`, outcome }),
  });
  if (models === undefined) {
    return { embeddingModel: undefined, vectors: undefined, hasSameMeaning: undefined, openNearness: undefined };
  }
  const leastCosine = config.AI_CROSS_LANGUAGE_COSINE;
  return {
    embeddingModel: models.configured.id,
    vectors: config.AI_VECTOR_WEIGHT === 0 ? undefined : openVectorSearch(models, context),
    hasSameMeaning: leastCosine === 0 ? undefined : compareMeaning(models.configured, leastCosine),
    openNearness: createNearness(models.configured),
  };
}

function openVectorSearch(
  models: EmbeddingModels,
  { config, log, metrics, engineStores }: AnsweringContext,
): VectorSearch {
  const questions = createQuestionVectors({
    models,
    completeVectorSet: async (engineId) => (await engineStores.of(engineId)).completeVectorSet(),
    report: (outcome) => metrics.answers.vectors.inc({ outcome }),
    log,
  });
  const index = createEmbeddedVectors({ sourceOf: engineStores.of, maxBytes: BINARY_VECTORS_BYTES, log });
  const parts = { texts: createTextVectors({ models }), scales: createCosineScales({ models }) };
  return { questions, ...parts, index, log, weight: config.AI_VECTOR_WEIGHT };
}

/** Off the event loop, unless searches are to run on it, too. */
function openCandidates(stack: AsyncDisposableStack, { SEARCH_THREADS }: Config) {
  const size = Math.min(SEARCH_THREADS, CANDIDATE_THREADS);
  const maxBytes = ANALYSED_PASSAGES_BYTES;
  return size === 0
    ? candidateFinder(createAnalysedPassages({ maxBytes, isInjected }))
    : stack.use(createCandidateThreads({ size, maxBytes })).findCandidates;
}
