import { randomUUID } from 'node:crypto';
import { createAccountSnapshot } from '../accounts/engine-snapshot.ts';
import { runWithLease } from '../accounts/run-with-lease.ts';
import { createHostHolds } from '../crawl/host-holds.ts';
import { startBackupUpkeep } from '../jobs/backup-upkeep.ts';
import { createSchedules, startCrawlScheduler } from '../jobs/crawl-scheduler.ts';
import { startTrackingUpkeep } from '../jobs/tracking-upkeep.ts';
import { backupUpkeepOf } from './backups.ts';
import { type Jobs, jobsFacts, openJobs, openWorkerConnection, requireRedisUrl } from './redis.ts';
import { monotonicMs, type RoleContext, type RunningRole } from './role.ts';
import { leaseDeps, openRoleStores, type RoleStores } from './stores.ts';

/** The scheduler as a process of its own. */
export async function composeScheduler(context: RoleContext): Promise<RunningRole> {
  await using stack = new AsyncDisposableStack();
  const jobs = await openJobs(stack, requireRedisUrl(context.config), context.log);
  const stores = await openRoleStores(stack, context, jobsFacts(jobs, context.config));
  stack.use(await startScheduler(context, { stores, jobs }));
  return stack.move();
}

/**
 * Whenever this process has the role, it starts and ends runs and finds work that nobody does, until it is disposed.
 */
export async function startScheduler(
  { config, log }: RoleContext,
  { stores, jobs }: { readonly stores: RoleStores; readonly jobs: Jobs },
): Promise<AsyncDisposable> {
  const { systemStore, engineStores, processes, clock, self } = stores;
  await using stack = new AsyncDisposableStack();
  const accounts = createAccountSnapshot({ store: systemStore, clock });
  const { producer, queues } = jobs;
  const connection = openWorkerConnection(stack, requireRedisUrl(config), log);
  const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const stop = new AbortController();
  const running = runWithLease(
    leaseDeps(stores, log),
    { role: 'scheduler', holder: self.holder, signal: stop.signal },
    async (_held, signal) => {
      await using _scheduler = startCrawlScheduler({
        connection,
        redis: producer,
        queues,
        schedules: createSchedules({ upkeep: queues.byName.upkeep, timezone }),
        engineStores,
        findCrawler: accounts.findCrawler,
        listCrawlers: () => accounts.listCrawlers(),
        hostHolds: createHostHolds({ store: systemStore, clock }),
        clock,
        log,
        timezone,
        renderConcurrency: config.RENDER_CONCURRENCY,
        clockStore: systemStore,
        readIdentity: () => systemStore.identity(),
        isProcessAlive: processes.isAlive,
        monotonicMs,
        newId: randomUUID,
      });
      await using _tracking = startTrackingUpkeep({
        systemStore,
        clock,
        retentionDays: config.TRACKING_RETENTION_DAYS,
        conversationTtlHours: config.CONVERSATION_TTL_HOURS,
        log,
      });
      await using _backups = startBackupUpkeep(backupUpkeepOf(config, systemStore, log));
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  );
  stack.defer(async () => {
    stop.abort();
    await running;
  });
  return stack.move();
}
