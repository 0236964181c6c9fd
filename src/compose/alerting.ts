import { randomUUID } from 'node:crypto';
import { systemClock } from '../core/clock.ts';
import { type Alerts, createAlerts, watchHealth } from '../health/alerts.ts';
import type { Health } from '../health/health.ts';
import { isFirstOfRole } from '../storage/sqlite/process-locks.ts';
import type { RoleContext } from './role.ts';

type WatchingContext = Pick<RoleContext, 'config' | 'log' | 'name'>;

/** Tells log and webhook what begins and ends, until it is disposed. `address`: where this process listens. */
export async function startWatching(
  { config, log, name }: WatchingContext,
  { health, address }: { readonly health: Health; readonly address: string },
): Promise<AsyncDisposable> {
  const stop = new AbortController();
  const alerts = await openAlerts({ config, log, name }, address);
  const looked = alerts === undefined ? () => undefined : alerts.tell;
  const watching = watchHealth({ health, clock: systemClock, log, looked }, stop.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await watching;
      await alerts?.[Symbol.asyncDispose]();
    },
  };
}

/** What sends is loaded where there is an address to send to. */
async function openAlerts({ config, log, name }: WatchingContext, address: string): Promise<Alerts | undefined> {
  const { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret } = config;
  if (url === undefined) return undefined;
  const { createWebhook } = await import('../fetch/http/create-webhook.ts');
  const nowSeconds = () => Math.floor(systemClock.now() / 1_000);
  return createAlerts({
    post: createWebhook({ url, secret, nowSeconds }),
    isSpeaker: () => isFirstOfRole(config.DATA_DIR, 'api', name),
    clock: systemClock,
    log,
    newId: randomUUID,
    installation: config.PUBLIC_URL ?? address,
  });
}
