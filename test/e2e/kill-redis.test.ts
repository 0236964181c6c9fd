import { join } from 'node:path';
import { Redis } from 'ioredis';
import { test } from 'vitest';
import { crawlAndPushWhileKilling, KILL_TIMEOUT_MS, KILLS } from '../helpers/kill-roles.ts';

test(
  `kill -9 of redis ${KILLS} times and an emptied Redis during a crawl and pushes lose nothing`,
  async () => {
    await crawlAndPushWhileKilling('redis', async (dataDir) => {
      const redis = new Redis({ path: join(dataDir, 'redis/redis.sock') });
      await redis.flushall();
      redis.disconnect();
    });
  },
  KILL_TIMEOUT_MS,
);
