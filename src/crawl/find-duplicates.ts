import type { Crawler } from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { causeOfDuplicate } from './rules/duplicate-cause.ts';

const LOOKED_AT_RUNS = 20;

export type FoundDuplicates = {
  readonly duplicates: readonly { readonly url: string; readonly duplicateOf: string; readonly cause: string }[];
  /** Where the list goes on. */
  readonly next: number | undefined;
  /** What the last run that judged them said of pages that are nearly the same; null before. */
  readonly near: unknown;
};

/** Pages with the content of others, and pages that are nearly the same. */
export async function findDuplicates(
  { engineStores }: { readonly engineStores: Pick<EngineStores, 'of'> },
  { id: crawlerId, engineId }: Pick<Crawler, 'id' | 'engineId'>,
  { limit, after }: { readonly limit: number; readonly after: number },
): Promise<FoundDuplicates> {
  const store = await engineStores.of(engineId);
  const found = await store.listDuplicates({ crawlerId, after, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const runs = await store.scheduledRuns(crawlerId, LOOKED_AT_RUNS);
  const judged = runs.find(({ state }) => state === 'finished');
  const { duplicates } = JSON.parse(judged?.summary ?? '{}') as {
    readonly duplicates?: { readonly near?: unknown } | null;
  };
  return {
    duplicates: shown.map(({ url, duplicateOf }) => ({
      url,
      duplicateOf,
      cause: causeOfDuplicate(url, duplicateOf).cause,
    })),
    next: found.length > limit ? shown.at(-1)?.id : undefined,
    near: duplicates?.near ?? null,
  };
}
