import { resolve } from 'node:path';
import { steadyClock } from '../../core/clock.ts';
import { createCircuitBreaker } from '../../llm/circuit-breaker.ts';
import { withEmbeddingPolicy } from '../../llm/embedding-model.ts';
import { createModelQueue } from '../../llm/model-policy.ts';
import { createFolderModel, findModelPackages } from '../../llm/onnx/embedding-model.ts';
import { readModelFolder } from '../../llm/onnx/model-folder.ts';
import { packagesFolder } from '../packages-folder.ts';
import type { EmbeddingContext, EmbeddingModels } from './embedding-models.ts';

/** A question waits no longer than for an endpoint; 64 passages take half a minute with WebAssembly. */
const TIMEOUTS_MS = { query: 800, passage: 300_000 } as const;
const SET_BY = 'EMBEDDING_MODEL_FOLDER';

export type FolderEmbeddingContext = EmbeddingContext & { readonly folder: string };

/** The model in a folder. One of another name is not there: while it embeds, words find passages alone. */
export async function openFolderEmbedding(
  stack: AsyncDisposableStack,
  { config, log, report, probes, restAfterMs, folder: path }: FolderEmbeddingContext,
): Promise<EmbeddingModels> {
  const folder = await readModelFolder(resolve(path), SET_BY);
  const packages = findModelPackages(packagesFolder(config.DATA_DIR), SET_BY);
  const bare = stack.use(createFolderModel({ folder, packages, restAfterMs }));
  const breaker = createCircuitBreaker(steadyClock);
  const queue = createModelQueue({ concurrency: config.LLM_CONCURRENCY, slots: config.LLM_QUEUE });
  const configured = withEmbeddingPolicy(bare, { log, breaker, queue, report, timeoutsMs: TIMEOUTS_MS });
  probes?.watch({ kind: 'embedding', name: bare.id, breaker, ask: (signal) => bare.embed(['OK'], 'query', signal) });
  return { configured, named: (name) => (name === configured.id ? configured : undefined) };
}
