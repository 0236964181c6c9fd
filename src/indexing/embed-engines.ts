import type { StoredDocument } from '../core/document.ts';
import type { Engine } from '../core/records.ts';
import type { EmbeddingModel } from '../llm/embedding-model.ts';
import { modelFaultOf } from '../llm/model-fault.ts';
import { pause } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { AccountStore } from '../storage/account-store.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { isStoreFault } from '../storage/store-fault.ts';
import { type EmbeddedPassage, embedPassages } from './embed-passages.ts';
import { createTextEmbedder, type EmbedTexts } from './embed-texts.ts';

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
