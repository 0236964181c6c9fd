import type { Log } from '../observability/logger.ts';
import { connectProducer, untilConnected } from './connection.ts';

const WITHIN_MS = 3_000;

/** Whether a Redis takes commands now. */
export async function redisAnswers(url: string, log: Log): Promise<boolean> {
  const redis = connectProducer(url, log);
  try {
    await untilConnected(redis, WITHIN_MS);
    return (await redis.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}
