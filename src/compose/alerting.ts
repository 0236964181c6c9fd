import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { alertTargetParser } from '../accounts/alert-target-settings.ts';
import { listAlertTargets } from '../accounts/manage-alert-targets.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import { type DigestDeps, readDigest } from '../alerts/read-digest.ts';
import { createAlerts } from '../alerts/tell-targets.ts';
import type { TestDeps } from '../alerts/test-target.ts';
import type { Config } from '../config/config.ts';
import type { AlertTarget, MailReceiver, WebhookReceiver } from '../core/alert-target.ts';
import { systemClock } from '../core/clock.ts';
import { summarizeCrawlers } from '../crawl/crawler-summaries.ts';
import type { Deliver } from '../delivery/deliver.ts';
import type { Health } from '../health/health.ts';
import { watchHealth } from '../health/watch-health.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { isFirstOfRole, type ProcessRegistry } from '../storage/process-registry.ts';
import type { SystemStore } from '../storage/system-store.ts';
import { readStatistics, readTopQueries } from '../tracking/statistics.ts';
import { environmentTargets } from './environment-targets.ts';
import type { RoleContext } from './role.ts';
import { type OpenSecret, secretOpener } from './secrets.ts';

type AlertingContext = {
  readonly config: Config;
  readonly systemStore: SystemStore;
  readonly accounts: Pick<SystemStore, 'listEngines' | 'listCrawlers'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly health: Health;
  readonly secretBox: SecretBox;
};

/** Who is told what is wrong: the records with those of the environment, and how they are reached. */
export function openAlerting(context: AlertingContext) {
  const { config, systemStore, health, secretBox } = context;
  const openSecret = secretOpener(secretBox);
  const targets = environmentTargets(config);
  const alertTest: TestDeps = {
    store: systemStore,
    openFindings: health.findings,
    deliverTo: (target) => deliverTo(target, { config, openSecret }),
    digestFacts: () => readDigest(digestDeps(context)),
    clock: systemClock,
    newId: randomUUID,
    installation: config.PUBLIC_URL ?? `${hostname()}:${config.PORT}`,
  };
  return {
    openSecret,
    alertTest,
    environmentTargets: targets,
    parseAlertTarget: alertTargetParser(secretBox),
    listTargets: () => listAlertTargets({ store: systemStore, environmentTargets: targets }),
  };
}

export type Alerting = ReturnType<typeof openAlerting>;

function digestDeps({ systemStore, accounts, engineStores }: AlertingContext): DigestDeps {
  return {
    accounts,
    readStatistics: (range) => readStatistics({ systemStore }, range),
    readMissed: (range) => readTopQueries({ systemStore }, { ...range, order: 'without-results' }),
    readCrawls: async () => {
      const active = (await accounts.listCrawlers()).filter((crawler) => crawler.active);
      const summaries = await summarizeCrawlers({ engineStores, clock: systemClock }, active);
      return summaries.map(({ crawler, lastGoodRun }) => ({ crawler: crawler.name, goodAt: lastGoodRun?.endedAt }));
    },
    clock: systemClock,
  };
}

type Reaching = { readonly config: Config; readonly openSecret: OpenSecret };

/** What reaches receivers is loaded with the first message. */
async function deliverTo({ settings }: AlertTarget, reaching: Reaching): Promise<Deliver> {
  return settings.kind === 'mail' ? mailTo(settings, reaching) : webhookTo(settings, reaching);
}

async function mailTo({ smtpUrl, from, to }: MailReceiver, { config, openSecret }: Reaching): Promise<Deliver> {
  if (smtpUrl === undefined && config.SMTP_URL === undefined)
    return refuse('it has no smtpUrl, and SMTP_URL is not set');
  const url = smtpUrl === undefined ? config.SMTP_URL : openSecret(smtpUrl);
  if (url === undefined) return refuse(UNREADABLE);
  const { createMail } = await import('../delivery/smtp/create-mail.ts');
  const sender = from ?? config.ALERT_MAIL_FROM?.[0] ?? `fossick@${hostname()}`;
  return createMail({ url, from: sender, to });
}

async function webhookTo({ url: stored, secret }: WebhookReceiver, { openSecret }: Reaching): Promise<Deliver> {
  const url = openSecret(stored);
  const key = secret === undefined ? undefined : openSecret(secret);
  if (url === undefined || (secret !== undefined && key === undefined)) return refuse(UNREADABLE);
  const { createWebhook } = await import('../delivery/http/create-webhook.ts');
  return createWebhook({ url, secret: key, nowSeconds: () => Math.floor(systemClock.now() / 1_000) });
}

const UNREADABLE = 'its secrets were stored under another SECRETS_KEY, or their variable is not set: set them again';

function refuse(why: string): Deliver {
  return async () => ({ taken: false, said: why });
}

/** Tells log and targets what begins and ends, until it is disposed. */
export async function startWatching(
  { log, holder }: Pick<RoleContext, 'log'> & { readonly holder: string },
  {
    health,
    processes,
    listTargets,
    alertTest,
  }: Pick<Alerting, 'listTargets' | 'alertTest'> & {
    readonly health: Health;
    readonly processes: ProcessRegistry;
  },
): Promise<AsyncDisposable> {
  const stop = new AbortController();
  const isSpeaker = () => isFirstOfRole(processes, 'api', holder);
  const alerts = createAlerts({ ...alertTest, targets: listTargets, isSpeaker, log });
  const watching = watchHealth({ health, clock: systemClock, log, looked: alerts.tell }, stop.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await watching;
      await alerts[Symbol.asyncDispose]();
    },
  };
}
