import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { HostSlots, SlotGrant, SlotRequest } from '../crawl/host-slots.ts';
import { KEY_PREFIX } from './connection.ts';

/** A slot lives that long after its start, and after each renewal by its holder. */
const LEASE_MS = 5_000;
const RENEW_MS = 1_500;
/** Starts are granted at most that far ahead. */
const AHEAD_MS = 1_000;
/** Keys of a host that nobody asks for expire. */
const KEEP_MS = 86_400_000;
/** Good answers in a row that quicken the pace (crawling 12). */
const GOOD_ANSWERS = 10;
const SLOWEST_SPACING_MS = 10_000;
const OVERLOAD_SPACING_MS = 100;
/** Below it spacing ends: a timer would not keep it. */
const SHORTEST_SPACING_MS = 5;

const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Per host: want, slots and spacing allowed, slots and spacing to start with. Answers with place, grant, start in ms. */
const ACQUIRE = script(`${NOW}
local granted = {}
local made = 0
for i = 1, #KEYS, 2 do
  local host, slotsKey = KEYS[i], KEYS[i + 1]
  local place = (i - 1) / 2
  local at = 2 + place * 5
  local want, floorSlots, floorSpacing = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local known = redis.call('HMGET', host, 'last', 'spacing', 'slots', 'hold')
  redis.call('ZREMRANGEBYSCORE', slotsKey, '-inf', now)
  local learned = tonumber(known[2]) or tonumber(ARGV[at + 4])
  local learnedSlots = tonumber(known[3]) or tonumber(ARGV[at + 3])
  if (tonumber(known[4]) or 0) <= now then
    local spacing = math.max(learned, floorSpacing)
    local slots = math.min(learnedSlots, floorSlots)
    local last = tonumber(known[1])
    local live = redis.call('ZCARD', slotsKey)
    local start = last and math.max(now, last + spacing) or now
    while want > 0 and live < slots and start <= now + ${AHEAD_MS} do
      made = made + 1
      local grant = ARGV[1] .. ':' .. made
      redis.call('ZADD', slotsKey, start + ${LEASE_MS}, grant)
      granted[#granted + 1] = { place, grant, start - now }
      last = start
      start = start + spacing
      live = live + 1
      want = want - 1
    end
    if last then redis.call('HSET', host, 'last', last) end
    redis.call('HSET', host, 'spacing', learned, 'slots', learnedSlots, 'floorSpacing', floorSpacing, 'floorSlots', floorSlots)
    redis.call('PEXPIRE', host, ${KEEP_MS})
    redis.call('PEXPIRE', slotsKey, ${KEEP_MS})
  end
end
return granted`);

/** Per grant: its id and the result. */
const RELEASE = script(`
for i = 1, #KEYS, 2 do
  local host, slotsKey = KEYS[i], KEYS[i + 1]
  local grant, result = ARGV[i], ARGV[i + 1]
  redis.call('ZREM', slotsKey, grant)
  local known = redis.call('HMGET', host, 'spacing', 'slots', 'floorSpacing', 'floorSlots')
  if result ~= 'unused' and known[1] then
    local spacing, slots = tonumber(known[1]), tonumber(known[2])
    local floorSpacing, floorSlots = tonumber(known[3]), tonumber(known[4])
    if result == 'good' then
      if redis.call('HINCRBY', host, 'good', 1) >= ${GOOD_ANSWERS} then
        redis.call('HSET', host, 'good', 0)
        if spacing > floorSpacing then
          spacing = spacing / 2
          if spacing < math.max(floorSpacing, ${SHORTEST_SPACING_MS}) then spacing = floorSpacing end
        elseif slots < floorSlots then slots = slots + 1 end
      end
    else
      redis.call('HSET', host, 'good', 0)
      if result == 'overload' then
        slots = math.max(1, math.floor(slots / 2))
        spacing = math.min(${SLOWEST_SPACING_MS}, math.max(spacing * 2, ${OVERLOAD_SPACING_MS}))
      end
    end
    redis.call('HSET', host, 'spacing', spacing, 'slots', slots)
  end
end`);

/** Per grant: its id. One that has ended stays ended. */
const RENEW = script(`${NOW}
for i = 1, #KEYS do redis.call('ZADD', KEYS[i], 'XX', now + ${LEASE_MS}, ARGV[i]) end`);

const HOLD = script(`${NOW}
local untilAt = now + tonumber(ARGV[1])
local known = redis.call('HMGET', KEYS[1], 'hold')
if (tonumber(known[1]) or 0) < untilAt then redis.call('HSET', KEYS[1], 'hold', untilAt, 'reason', ARGV[2]) end
redis.call('PEXPIRE', KEYS[1], math.max(${KEEP_MS}, tonumber(ARGV[1])))`);

/**
 * Host slots in Redis, by its clock; one script per call. Nothing here survives an emptied Redis, nor has to.
 * Disposing it ends the renewal: what is held then ends by itself.
 */
export function createRedisHostSlots(deps: {
  readonly redis: Redis;
  readonly newId: () => string;
}): HostSlots & Disposable {
  const { redis, newId } = deps;
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
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS).unref();
  return {
    acquire: async (asked) => {
      if (asked.length === 0) return [];
      const keys = asked.flatMap(({ origin }) => keysOf(origin));
      const made = await run(redis, ACQUIRE, keys, [newId(), ...asked.flatMap(valuesOf)]);
      const granted = (made as [number, string, number][]).flatMap((row) => grantOf(asked, row));
      for (const { grant, origin } of granted) held.set(grant, { id: partsOf(grant).id, slotsKey: keysOf(origin)[1] });
      return granted;
    },
    release: async (done) => {
      if (done.length === 0) return;
      for (const { grant } of done) held.delete(grant);
      const parts = done.map(({ grant, result }) => ({ ...partsOf(grant), result }));
      const keys = parts.flatMap(({ origin }) => keysOf(origin));
      await run(
        redis,
        RELEASE,
        keys,
        parts.flatMap(({ id, result }) => [id, result]),
      );
    },
    hold: async (origin, forMs, reason) => {
      await run(redis, HOLD, [keysOf(origin)[0]], [Math.ceil(forMs), reason]);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

type Script = { readonly lua: string; readonly sha: string };

function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
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

function keysOf(origin: string): [string, string] {
  const host = `${KEY_PREFIX}:host:${origin}`;
  return [host, `${host}:slots`];
}

function valuesOf({ want, floor, seed }: SlotRequest): number[] {
  return [want, floor.slots, Math.ceil(floor.spacingMs), seed.slots, Math.ceil(seed.spacingMs)];
}

function grantOf(asked: readonly SlotRequest[], [place, id, startInMs]: [number, string, number]): SlotGrant[] {
  const origin = asked[place]?.origin;
  return origin === undefined ? [] : [{ origin, grant: `${id} ${origin}`, startInMs }];
}

function partsOf(grant: string): { readonly id: string; readonly origin: string } {
  const at = grant.indexOf(' ');
  return { id: grant.slice(0, at), origin: grant.slice(at + 1) };
}
