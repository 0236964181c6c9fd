import type { Clock } from '../core/clock.ts';
import type { Crawler } from '../core/records.ts';
import type { ListPatterns, UrlPatternRecord } from '../storage/engine/patterns.ts';
import type { EngineStores } from '../storage/engine-store.ts';

/**
 * An operator opens a pattern, which no rule closes again, or closes it, which no page opens again. Durable when it
 * resolves; undefined when the crawler has no such pattern.
 */
export async function switchPattern(
  { engineStores, clock }: { readonly engineStores: Pick<EngineStores, 'of'>; readonly clock: Clock },
  crawler: Crawler,
  { patternId, action }: { readonly patternId: number; readonly action: 'open' | 'close' },
): Promise<ShownPattern | undefined> {
  const store = await engineStores.of(crawler.engineId);
  if ((await store.findPattern(patternId))?.crawlerId !== crawler.id) return undefined;
  const at = clock.now();
  if (action === 'open') await store.changePattern({ patternId, to: 'open', rule: 'kept-open', at });
  else await store.changePattern({ patternId, to: 'closed', rule: 'operator', at });
  const changed = await store.findPattern(patternId);
  return changed && { ...changed, origin: (await store.findHost(changed.hostId))?.origin ?? '' };
}

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
