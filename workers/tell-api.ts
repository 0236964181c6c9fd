import { request } from 'node:http';
import { repeat } from '../src/observability/background.ts';
import type { Log } from '../src/observability/logger.ts';
import type { RedisHealth } from './private-redis.ts';
import type { Supervisor } from './supervise.ts';

const EVERY_MS = 5_000;
/** An answer that takes longer counts as this. */
const PROBE_WITHIN_MS = 10_000;

/**
 * Tells the api how its neighbours are, until it is disposed, and how long an answer of its own takes: asked from another
 * process, on a new connection, which is what callers see when it is overloaded.
 */
export function keepTellingApi(options: {
  readonly supervisor: Pick<Supervisor, 'health' | 'tell'>;
  /** Undefined: the supervisor runs none. */
  readonly redis: { health(): RedisHealth } | undefined;
  readonly address: string;
  readonly log: Log;
}): Disposable {
  const { supervisor, redis, address, log } = options;
  const stop = new AbortController();
  void repeat({ log, name: 'tell the api', pauseMs: EVERY_MS, signal: stop.signal }, async () => {
    const probeSeconds = await probe(`${address}/health/live`);
    const ofRedis = redis === undefined ? [] : [redis.health()];
    supervisor.tell('api', {
      type: 'children',
      children: [...supervisor.health(), ...ofRedis],
      redisFoldersSetAside: ofRedis[0]?.foldersSetAside ?? 0,
      probeSeconds,
    });
  });
  return { [Symbol.dispose]: () => stop.abort() };
}

/** Seconds until the last byte of the answer. */
function probe(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = () => resolve(Math.min(performance.now() - startedAt, PROBE_WITHIN_MS) / 1_000);
    const fail = () => resolve(PROBE_WITHIN_MS / 1_000);
    const signal = AbortSignal.timeout(PROBE_WITHIN_MS);
    const sent = request(url, { agent: false, signal, headers: { connection: 'close' } }, (answer) => {
      answer.on('end', end).on('error', fail).resume();
    });
    sent.on('error', fail).end();
  });
}
