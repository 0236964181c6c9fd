import { Command, Redis } from 'ioredis';
import { type RateLimit, type RateStore, rateVerdict } from '../core/rate-store.ts';
import { KEY_PREFIX, type RedisUrl, SILENCE_MS } from './connection.ts';

const UNIX = 'unix://';
/** A request waits no longer. The greeting of a connection may take longer: it is waited for until nothing comes. */
const TAKE_WITHIN_MS = 100;
const CONNECTION = {
  socketTimeout: SILENCE_MS,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempts: number) => Math.min(attempts * 200, 5_000),
};
const PREFIX = `${KEY_PREFIX}:rate:`;

/**
 * Takes tokens in one step. KEYS bucket; ARGV tokens per second, size, now in milliseconds, tokens to take, and tokens
 * that have to be there. Answers whether they were, and the tokens left (as text: Redis cuts numbers to integers). A bucket expires when it is full again.
 */
const TAKE = `
local held = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local rate, burst, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local tokens = tonumber(held[1]) or burst
local elapsed = math.max(0, now - (tonumber(held[2]) or now)) / 1000
tokens = math.min(burst, tokens + elapsed * rate)
local allowed = 0
if tokens >= tonumber(ARGV[5]) then
  allowed = 1
  tokens = tokens - tonumber(ARGV[4])
end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / rate * 1000) + 1000)
return { allowed, tostring(tokens) }
`;

/** `least` tokens have to be there. */
type Taken = { readonly nowMs: number; readonly tokens: number; readonly least: number };

/**
 * Buckets that all processes of an installation share. Rejects at once while Redis is away and after 100 ms while it
 * is slow; the caller then lets the request pass. Owns its connection, which waits for nothing else.
 */
export function createRedisRateStore(url: RedisUrl): RateStore & AsyncDisposable {
  const redis = url.startsWith(UNIX)
    ? new Redis({ ...CONNECTION, path: url.slice(UNIX.length) })
    : new Redis(url, CONNECTION);
  // Every failed command rejects by itself; without a listener a lost connection would end the process.
  redis.on('error', () => undefined);
  const takeWhen = async (bucket: string, limit: RateLimit, { nowMs, tokens, least }: Taken) => {
    const values = [TAKE, 1, PREFIX + bucket, limit.perSecond, limit.burst, nowMs, tokens, least];
    const command = new Command('eval', values, { replyEncoding: 'utf8' });
    command.setTimeout(TAKE_WITHIN_MS);
    const [allowed, left] = (await redis.sendCommand(command)) as [number, string];
    return rateVerdict(allowed === 1, Number(left), limit);
  };
  return {
    take: (key, limit, nowMs) => takeWhen(key, limit, { nowMs, tokens: 1, least: 1 }),
    charge: (key, tokens, limit, nowMs) => takeWhen(key, limit, { nowMs, tokens, least: 0 }),
    async [Symbol.asyncDispose]() {
      redis.disconnect();
    },
  };
}
