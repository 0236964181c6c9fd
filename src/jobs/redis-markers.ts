import type { Redis } from 'ioredis';
import { isSameStore, type StoreIdentity } from '../core/store-identity.ts';
import { KEY_PREFIX } from './connection.ts';

/** What the present contents of Redis were made for. These keys stay when it is emptied. */
const CLOCK_JUMP_KEY = `${KEY_PREFIX}:clock-jump`;
const STORES_KEY = `${KEY_PREFIX}:stores`;
const MARKERS: readonly string[] = [CLOCK_JUMP_KEY, STORES_KEY];
const SCANNED = 1_000;

/** Empties Redis once for each clock jump. */
export async function emptyForClockJump(redis: Redis, jumpId: number): Promise<void> {
  if ((await redis.get(CLOCK_JUMP_KEY)) === String(jumpId)) return;
  await empty(redis);
  await redis.set(CLOCK_JUMP_KEY, String(jumpId));
}

/**
 * Empties Redis when one of the stores is not the one that its contents were made of, by the same name: a store that was
 * restored, found shortened, or replaced. A store that Redis has not heard of is remembered. True when it was emptied.
 */
export async function emptyForOtherStores(redis: Redis, stores: ReadonlyMap<string, StoreIdentity>): Promise<boolean> {
  const known = await redis.hgetall(STORES_KEY);
  const changed = [...stores].filter(([name, store]) => {
    const marker = known[name];
    return marker === undefined || !isSameStore(readMarker(marker), store);
  });
  if (changed.length === 0) return false;
  const isForeign = changed.some(([name]) => known[name] !== undefined);
  if (isForeign) await empty(redis);
  await redis.hset(STORES_KEY, Object.fromEntries(changed.map(([name, store]) => [name, markerOf(store)])));
  return isForeign;
}

function markerOf({ storeId, epoch }: StoreIdentity): string {
  return `${storeId} ${epoch}`;
}

function readMarker(marker: string): StoreIdentity {
  const [storeId = '', epoch = ''] = marker.split(' ');
  return { storeId, epoch };
}

async function empty(redis: Redis): Promise<void> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${KEY_PREFIX}:*`, 'COUNT', SCANNED);
    const dropped = keys.filter((key) => !MARKERS.includes(key));
    if (dropped.length > 0) await redis.unlink(...dropped);
    cursor = next;
  } while (cursor !== '0');
}
