import { randomUUID } from 'node:crypto';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../core/clock.ts';
import { createCrawlAccess } from '../crawl/crawl-access.ts';
import { type HostHolds, heedingHolds } from '../crawl/host-holds.ts';
import type { TestUrlDeps } from '../crawl/test-url.ts';
import { createCookieJar } from '../fetch/http/cookies.ts';
import { createRedisHostSlots } from '../jobs/redis-host-slots.ts';
import type { Log } from '../observability/logger.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { openExtract, openFetching } from './fetching.ts';
import type { Jobs } from './redis.ts';
import { secretOpener } from './secrets.ts';

type Opened = Pick<Jobs, 'producer'> & {
  readonly secretBox: SecretBox;
  readonly engineStores: EngineStores;
  readonly hostHolds: HostHolds;
  readonly log: Log;
};

/** What a test of a URL works with: fetching and reading as in the crawl role. */
export function openDryRun(
  stack: AsyncDisposableStack,
  config: Config,
  { producer, secretBox, engineStores, hostHolds, log }: Opened,
): TestUrlDeps {
  const { fetcher } = openFetching(stack, config);
  const openSecret = secretOpener(secretBox);
  const newJar = () => createCookieJar(systemClock);
  return {
    engineStores,
    fetcher,
    extract: openExtract(stack, { ...config, PARSER_PROCESSES: 1 }).extract,
    hostSlots: heedingHolds(
      stack.use(createRedisHostSlots({ redis: producer, newId: randomUUID, log })),
      hostHolds,
      systemClock,
    ),
    hostHolds,
    crawlAccess: createCrawlAccess({ openSecret, newJar, fetcher, clock: systemClock }),
    clock: systemClock,
    hostDelayMs: config.CRAWL_HOST_DELAY_MS,
    log,
  };
}
