import { test } from 'vitest';
import { crawlAndPushWhileKilling, KILL_TIMEOUT_MS, KILLS } from '../helpers/kill-roles.ts';

test(
  `kill -9 of upkeep ${KILLS} times during a crawl and pushes loses nothing and indexes each page once`,
  async () => {
    await crawlAndPushWhileKilling('upkeep');
  },
  KILL_TIMEOUT_MS,
);
