import type { Redis } from 'ioredis';
import type { HostSlots, SlotGrant, SlotRequest } from '../crawl/host-slots.ts';
import { loggedInstead } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { ObservedPace } from '../storage/run-store.ts';
import { KEY_PREFIX } from './connection.ts';
import { ACQUIRE, HOLD, READ_PACE, RELEASE, RENEW, type Script } from './host-slot-scripts.ts';

/** Slots that are held are renewed that often; their lease is longer. */
const RENEW_MS = 1_500;

/**
 * Host slots in Redis, by its clock; one script per call. Nothing here survives an emptied Redis, nor has to.
 * Disposing it ends the renewal: what is held then ends by itself.
 */
export function createRedisHostSlots(deps: {
  readonly redis: Redis;
  readonly newId: () => string;
  readonly log: Log;
}): HostSlots & Disposable {
  const { redis, newId, log } = deps;
  const held = new Map<string, { readonly id: string; readonly slotsKey: string }>();
  const renew = async () => {
    const grants = [...held.values()];
    if (grants.length === 0) return;
    const keys = grants.map(({ slotsKey }) => slotsKey);
    await run(
      redis,
      RENEW,
      keys,
      grants.map(({ id }) => id),
    );
  };
  // A renewal that fails is made good by the next one, or Redis is away and nothing starts.
  const timer = setInterval(
    () => void renew().catch(loggedInstead(log, 'grants of hosts were not renewed', undefined)),
    RENEW_MS,
  ).unref();
  return {
    acquire: async (asked) => {
      if (asked.length === 0) return [];
      const keys = asked.flatMap(({ origin }) => keysOf(origin));
      const made = await run(redis, ACQUIRE, keys, [newId(), ...asked.flatMap(valuesOf)]);
      const granted = (made as GrantRow[]).flatMap((row) => grantOf(asked, row));
      for (const { grant, origin } of granted) held.set(grant, { id: partsOf(grant).id, slotsKey: keysOf(origin)[1] });
      return granted;
    },
    release: async (done) => {
      if (done.length === 0) return;
      for (const { grant } of done) held.delete(grant);
      const parts = done.map(({ grant, ...rest }) => ({ ...partsOf(grant), ...rest }));
      const keys = parts.flatMap(({ origin }) => keysOf(origin));
      await run(
        redis,
        RELEASE,
        keys,
        parts.flatMap(({ id, result, firstByteMs = -1, sinceStartMs = -1 }) => [
          ...[id, result, Math.round(firstByteMs), Math.floor(sinceStartMs)],
        ]),
      );
    },
    observedPace: async (origins) => {
      if (origins.length === 0) return new Map();
      const rows = (await run(
        redis,
        READ_PACE,
        origins.map((origin) => keysOf(origin)[0]),
        [],
      )) as (string | null)[][];
      return new Map(
        origins.flatMap((origin, position) => {
          const pace = paceOf(rows[position] ?? []);
          return pace === undefined ? [] : [[origin, pace]];
        }),
      );
    },
    hold: async (origin, { forMs, generation }) => {
      await run(redis, HOLD, [keysOf(origin)[0]], [Math.ceil(forMs), generation]);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** By its digest; a Redis that does not know the script yet is sent the text, once. */
async function run(redis: Redis, { lua, sha }: Script, keys: readonly string[], values: readonly (string | number)[]) {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...values);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return await redis.eval(lua, keys.length, ...keys, ...values);
  }
}

/** In the order of `KEYS_PER_HOST`. */
function keysOf(origin: string): [string, string, string] {
  const host = `${KEY_PREFIX}:host:${origin}`;
  return [host, `${host}:slots`, `${host}:times`];
}

/** In the order of `VALUES_PER_REQUEST`. */
function valuesOf({ want, floor, seed, observes }: SlotRequest): number[] {
  const { slots, spacingMs, firstByteMs = -1 } = seed;
  return [want, floor.slots, Math.ceil(floor.spacingMs), slots, Math.ceil(spacingMs), firstByteMs, observes ? 1 : 0];
}

function paceOf([slots, spacing, base]: readonly (string | null)[]): ObservedPace | undefined {
  if (slots == null || spacing == null) return undefined;
  return { slots: Number(slots), spacingMs: Number(spacing), firstByteMs: base == null ? undefined : Number(base) };
}

/** Place, id, start and spacing in ms. */
type GrantRow = readonly [number, string, number, number];

function grantOf(asked: readonly SlotRequest[], [position, id, startInMs, spacingMs]: GrantRow): SlotGrant[] {
  const origin = asked[position]?.origin;
  return origin === undefined ? [] : [{ origin, grant: `${id} ${origin}`, startInMs, spacingMs }];
}

function partsOf(grant: string): { readonly id: string; readonly origin: string } {
  const at = grant.indexOf(' ');
  return { id: grant.slice(0, at), origin: grant.slice(at + 1) };
}
