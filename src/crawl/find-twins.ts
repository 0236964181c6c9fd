import type { Crawler } from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { causeOfTwin } from './rules/twin-cause.ts';

const LOOKED_AT_RUNS = 20;

export type FoundTwins = {
  readonly twins: readonly { readonly url: string; readonly twinOf: string; readonly cause: string }[];
  /** Where the list goes on. */
  readonly next: number | undefined;
  /** What the last run that judged them said of pages that are nearly the same; null before. */
  readonly near: unknown;
};

/** Pages with the content of others, and pages that are nearly the same. */
export async function findTwins(
  { engineStores }: { readonly engineStores: Pick<EngineStores, 'of'> },
  { id: crawlerId, engineId }: Pick<Crawler, 'id' | 'engineId'>,
  { limit, after }: { readonly limit: number; readonly after: number },
): Promise<FoundTwins> {
  const store = await engineStores.of(engineId);
  const found = await store.listTwins({ crawlerId, after, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const runs = await store.scheduledRuns(crawlerId, LOOKED_AT_RUNS);
  const judged = runs.find(({ state }) => state === 'finished');
  const { twins } = JSON.parse(judged?.summary ?? '{}') as { readonly twins?: { readonly near?: unknown } | null };
  return {
    twins: shown.map(({ url, twinOf }) => ({ url, twinOf, cause: causeOfTwin(url, twinOf).cause })),
    next: found.length > limit ? shown.at(-1)?.id : undefined,
    near: twins?.near ?? null,
  };
}
