import type { Clock } from '../core/clock.ts';
import type { Crawler } from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { ShownPattern } from './browse-patterns.ts';

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
