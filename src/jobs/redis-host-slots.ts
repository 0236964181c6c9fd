import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { HostSlots, SlotGrant, SlotRequest } from '../crawl/host-slots.ts';
import { loggedInstead } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { ObservedPace } from '../storage/engine/hosts.ts';
import { KEY_PREFIX } from './connection.ts';

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
    acquire: async (requests) => {
      if (requests.length === 0) return [];
      const keys = requests.flatMap(({ origin }) => keysOf(origin));
      const made = await run(redis, ACQUIRE, keys, [newId(), ...requests.flatMap(valuesOf)]);
      const granted = (made as GrantRow[]).flatMap((row) => grantOf(requests, row));
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

function grantOf(requests: readonly SlotRequest[], [position, id, startInMs, spacingMs]: GrantRow): SlotGrant[] {
  const origin = requests[position]?.origin;
  return origin === undefined ? [] : [{ origin, grant: `${id} ${origin}`, startInMs, spacingMs }];
}

function partsOf(grant: string): { readonly id: string; readonly origin: string } {
  const at = grant.indexOf(' ');
  return { id: grant.slice(0, at), origin: grant.slice(at + 1) };
}

/** A script and the digest by which Redis knows it. */
type Script = { readonly lua: string; readonly sha: string };

/** A slot lives that long after its start, and after each renewal by its holder. */
const LEASE_MS = 5_000;
/** A copy of a hold lives that long at most, so that one that was ended in the store ends here. */
const HOLD_COPY_MS = 5_000;
/** Starts are granted at most that far ahead. */
const AHEAD_MS = 1_000;
/** Keys of a host that nobody asks for expire. */
const KEEP_MS = 86_400_000;

/**
 * The rule that finds the pace (crawling 12; `bench:crawl -- polite`): per level of slots the mean first byte of the
 * fastest 90 % of the answers, smoothed, beside that of the lowest level.
 */
const PACE = {
  /** Calm tens in a row that judge a level: one for so many slots, at least three; one will do for the spacing. */
  slotsPerTen: 2.5,
  tensPerLevel: 3,
  fastest: 0.9,
  smoothing: 0.3,
  tolerance: 1.1,
  /** Times are whole milliseconds: a difference of one says nothing. */
  toleranceMs: 1,
  /** How long the level above is left alone that was too much. */
  ceilingMs: 120_000,
} as const;
const SLOWEST_SPACING_MS = 10_000;
const OVERLOAD_SPACING_MS = 100;
/**
 * Answers are counted in tens, because pages that fail here and there are no overload of their host. The fourth
 * overload of a ten slows the host at once; a ten with at most two failures is calm, and calm tens quicken it
 * (decision 0047).
 */
const TEN = { answers: 10, overloads: 4, failuresOfCalm: 2 } as const;
/** Below it spacing ends: a timer would not keep it. */
const SHORTEST_SPACING_MS = 5;

const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Keys of a host in all scripts: its state, its slots by end, the first bytes of its last answers. */
export const KEYS_PER_HOST = 3;
export const VALUES_PER_REQUEST = 7;
const VALUES_PER_RELEASE = 4;

/**
 * Per host: want, slots and spacing allowed, slots, spacing and first byte (-1: unknown) to start with, 1 when it
 * learns. Answers with place, grant, start in ms, spacing in ms.
 */
const ACQUIRE = script(`${NOW}
local granted = {}
local made = 0
for i = 1, #KEYS, ${KEYS_PER_HOST} do
  local host, slotsKey = KEYS[i], KEYS[i + 1]
  local place = (i - 1) / ${KEYS_PER_HOST}
  local at = 2 + place * ${VALUES_PER_REQUEST}
  local want, floorSlots, floorSpacing = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local known = redis.call('HMGET', host, 'last', 'spacing', 'slots', 'heldUntil')
  redis.call('ZREMRANGEBYSCORE', slotsKey, '-inf', now)
  if not known[2] and tonumber(ARGV[at + 5]) >= 0 then redis.call('HSET', host, 'base', ARGV[at + 5]) end
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
      granted[#granted + 1] = { place, grant, start - now, math.ceil(spacing) }
      last = start
      start = start + spacing
      live = live + 1
      want = want - 1
    end
    if last then redis.call('HSET', host, 'last', last) end
    redis.call('HSET', host, 'spacing', learned, 'slots', learnedSlots, 'floorSpacing', floorSpacing,
      'floorSlots', floorSlots, 'learns', ARGV[at + 6])
    redis.call('PEXPIRE', host, ${KEEP_MS})
    redis.call('PEXPIRE', slotsKey, ${KEEP_MS})
  end
end
return granted`);

/** Judges a level of slots by its answers; with slots to spare it is still the spacing that holds a host back. */
const JUDGE = `
local function quicken(state, mean)
  if state.spacing > state.floorSpacing then
    state.spacing = state.spacing / 2
    if state.spacing < math.max(state.floorSpacing, ${SHORTEST_SPACING_MS}) then state.spacing = state.floorSpacing end
  end
  if state.spacing > state.floorSpacing and state.spacing >= mean / state.slots then return end
  local most = state.floorSlots
  if now < state.ceilingUntil then most = math.min(most, state.ceiling) end
  if state.slots < most then state.slots = state.slots + 1 end
end

local function meanOf(times)
  local values = {}
  for i = 1, #times do values[i] = tonumber(times[i]) end
  table.sort(values)
  local count = math.ceil(#values * ${PACE.fastest})
  local sum = 0
  for i = 1, count do sum = sum + values[i] end
  return sum / count
end

local function judge(host, timesKey, state)
  local mean = meanOf(redis.call('LRANGE', timesKey, 0, -1))
  local level = 'level' .. state.slots
  local before = tonumber(redis.call('HGET', host, level))
  if before then mean = before * ${1 - PACE.smoothing} + mean * ${PACE.smoothing} end
  redis.call('HSET', host, level, mean)
  local base = tonumber(redis.call('HGET', host, 'base'))
  if state.slots == 1 or not base then
    base = mean
    redis.call('HSET', host, 'base', base)
  end
  if mean <= base * ${PACE.tolerance} + ${PACE.toleranceMs} then return quicken(state, mean) end
  redis.call('HDEL', host, level)
  redis.call('HSET', host, 'ceiling', state.slots - 1, 'ceilingUntil', now + ${PACE.ceilingMs})
  state.slots = state.slots - 1
end
`;

/** Per grant: its id, the result, its first byte and the time since its start in ms (-1: unknown). */
const RELEASE = script(`${NOW}${JUDGE}
local function slow(state)
  state.slots = math.max(1, math.floor(state.slots / 2))
  state.spacing = math.min(${SLOWEST_SPACING_MS}, math.max(state.spacing * 2, ${OVERLOAD_SPACING_MS}))
end

local function tensNeeded(state)
  if not state.learns or state.spacing > state.floorSpacing then return 1 end
  return math.max(${PACE.tensPerLevel}, state.slots / ${PACE.slotsPerTen})
end

local function beginTen(state) state.answers, state.failures, state.overloads = 0, 0, 0 end

local function beginLevel(state, timesKey)
  redis.call('DEL', timesKey)
  beginTen(state)
  state.tens = 0
end

local function answered(host, timesKey, state, result, firstByte)
  -- That of robots.txt, or of a fetch that did not reach the host.
  if result == 'good' and firstByte < 0 then return end
  state.answers = state.answers + 1
  if result == 'good' then redis.call('RPUSH', timesKey, firstByte) else state.failures = state.failures + 1 end
  if result == 'overload' then state.overloads = state.overloads + 1 end
  if state.overloads >= ${TEN.overloads} then
    slow(state)
    return beginLevel(state, timesKey)
  end
  if state.answers < ${TEN.answers} then return end
  if state.failures > ${TEN.failuresOfCalm} then return beginLevel(state, timesKey) end
  state.tens = state.tens + 1
  beginTen(state)
  if state.tens < tensNeeded(state) then return end
  if state.learns then judge(host, timesKey, state) else quicken(state, 0) end
  beginLevel(state, timesKey)
end

for i = 1, #KEYS, ${KEYS_PER_HOST} do
  local host, slotsKey, timesKey = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local at = (i - 1) / ${KEYS_PER_HOST} * ${VALUES_PER_RELEASE} + 1
  local grant, result, firstByte, since = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  redis.call('ZREM', slotsKey, grant)
  local known = redis.call('HMGET', host, 'spacing', 'slots', 'floorSpacing', 'floorSlots', 'learns', 'former',
    'ceiling', 'ceilingUntil', 'last', 'answers', 'failures', 'overloads', 'tens')
  if since >= 0 and known[9] and now - since > tonumber(known[9]) then redis.call('HSET', host, 'last', now - since) end
  local former = tonumber(known[6]) or 0
  if result ~= 'unused' and known[1] then
    local state = {
      spacing = tonumber(known[1]), slots = tonumber(known[2]),
      floorSpacing = tonumber(known[3]), floorSlots = tonumber(known[4]), learns = known[5] == '1',
      ceiling = tonumber(known[7]) or 0, ceilingUntil = tonumber(known[8]) or 0,
      answers = tonumber(known[10]) or 0, failures = tonumber(known[11]) or 0,
      overloads = tonumber(known[12]) or 0, tens = tonumber(known[13]) or 0,
    }
    local slots, spacing = state.slots, state.spacing
    if former > 0 then
      -- It began under the level before, and tells nothing of this one.
      redis.call('HSET', host, 'former', former - 1)
    else
      answered(host, timesKey, state, result, firstByte)
      if state.slots ~= slots then redis.call('HSET', host, 'former', redis.call('ZCARD', slotsKey)) end
      redis.call('HSET', host, 'spacing', state.spacing, 'slots', state.slots, 'answers', state.answers,
        'failures', state.failures, 'overloads', state.overloads, 'tens', state.tens)
      redis.call('PEXPIRE', timesKey, ${KEEP_MS})
    end
  end
end`);

/** Per grant: its id. One that has ended stays ended. */
const RENEW = script(`${NOW}
for i = 1, #KEYS do redis.call('ZADD', KEYS[i], 'XX', now + ${LEASE_MS}, ARGV[i]) end`);

/** The copy of a hold: how long it lasts, its generation. */
const HOLD = script(`${NOW}
local generation = tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'heldUntil', 'generation')
if (tonumber(known[1]) or 0) <= now or tonumber(known[2]) <= generation then
  redis.call('HSET', KEYS[1], 'heldUntil', now + math.min(tonumber(ARGV[1]), ${HOLD_COPY_MS}), 'generation', generation)
end
redis.call('PEXPIRE', KEYS[1], ${KEEP_MS})`);

/** Per host: slots, spacing, first byte; numbers as text, because Redis cuts them to integers. */
const READ_PACE = script(`
local learned = {}
for i = 1, #KEYS do learned[i] = redis.call('HMGET', KEYS[i], 'slots', 'spacing', 'base') end
return learned`);

function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}
