import type { Crawler } from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { ListPatterns, UrlPatternRecord } from '../storage/pattern-store.ts';

export type ShownPattern = UrlPatternRecord & { readonly origin: string };

/** Families of URLs with their hosts, and where the list goes on. */
export async function browsePatterns(
  { engineStores }: { readonly engineStores: Pick<EngineStores, 'of'> },
  { id: crawlerId, engineId }: Pick<Crawler, 'id' | 'engineId'>,
  { limit, ...input }: Omit<ListPatterns, 'crawlerId'>,
): Promise<{ readonly patterns: readonly ShownPattern[]; readonly next: number | undefined }> {
  const store = await engineStores.of(engineId);
  const found = await store.listPatterns({ ...input, crawlerId, limit: limit + 1 });
  const origins = new Map<number, string>();
  for (const { hostId } of found) {
    if (!origins.has(hostId)) origins.set(hostId, (await store.findHost(hostId))?.origin ?? '');
  }
  const patterns = found.slice(0, limit).map((pattern) => ({ ...pattern, origin: origins.get(pattern.hostId) ?? '' }));
  return { patterns, next: found.length > limit ? patterns.at(-1)?.id : undefined };
}
