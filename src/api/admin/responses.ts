import type { NewApiKey } from '../../accounts/manage-keys.ts';
import { hideSecrets } from '../../core/crawler-secrets.ts';
import type { ApiKey, Crawler, Customer, Engine } from '../../core/records.ts';
import type { CrawlerStatus } from '../../crawl/crawler-status.ts';
import type { ConcerningHost, ListedHost } from '../../crawl/host-control.ts';
import { REASON_TEXTS } from '../../crawl/rules/reasons.ts';
import type { Run } from '../../storage/engine/runs.ts';
import type { LoggedVisit } from '../../storage/engine/visit-log.ts';
import type { AuditEntry } from '../../storage/system/accounts.ts';

/** Bodies of the admin API: camelCase, times as ISO text, what is not there as null. */

export function customerBody({ id, name, managedBy, createdAt }: Customer) {
  return { id, name, managedBy: managedBy ?? null, createdAt: timeText(createdAt) };
}

export function keyBody({ id, name, last4, managedBy, createdAt, expiresAt, revokedAt }: ApiKey) {
  const times = { createdAt: timeText(createdAt), expiresAt: timeText(expiresAt), revokedAt: timeText(revokedAt) };
  return { id, name, last4, managedBy: managedBy ?? null, ...times };
}

export function newKeyBody({ record, key }: NewApiKey) {
  return { ...keyBody(record), key };
}

/** The members of the settings stand beside the engine's own, as in a provision file. */
export function engineBody(engine: Engine, crawlers: readonly Crawler[]) {
  const { id, customerId, name, language, managedBy, createdAt, settings, publicSettings } = engine;
  return {
    id,
    customer: customerId,
    name,
    language,
    crawlers: crawlers.filter(({ engineId }) => engineId === id).map((crawler) => crawler.id),
    managedBy: managedBy ?? null,
    createdAt: timeText(createdAt),
    ...settings,
    publicSettings,
  };
}

export function crawlerBody(crawler: Crawler) {
  const { id, customerId, engineId, name, active, activeSince, managedBy, createdAt, config } = crawler;
  return {
    id,
    customer: customerId,
    engine: engineId,
    name,
    active,
    activeSince: timeText(activeSince),
    managedBy: managedBy ?? null,
    createdAt: timeText(createdAt),
    ...hideSecrets(config),
  };
}

export function crawlerStatusBody(crawler: Crawler, shown: CrawlerStatus) {
  const { documents, urls, removals, hosts, run, waiting, nextRuns, warnings } = shown;
  const status = {
    documents,
    urls: Object.fromEntries(urls),
    removals: { held: removals.get('held') ?? 0, removed: removals.get('removed') ?? 0 },
    hosts: hosts.map(concerningHostBody),
    waiting,
    lastRun: run === undefined ? null : runBody(run),
    warnings,
    nextRuns: nextRuns.map(({ kind, at }) => ({ kind, at: timeText(at) })),
  };
  return { ...crawlerBody(crawler), status };
}

/** What is wrong with a host in words: what it waits for, else what its answers look like. */
export function concernBody({ concern, wait }: Pick<ListedHost, 'concern' | 'wait'>) {
  if (concern === undefined) return { cause: null, advice: null };
  const isWait = wait !== undefined && (wait.reason === concern || concern === 'no-slot');
  return isWait ? { cause: wait.sentence, advice: wait.advice } : REASON_TEXTS[concern];
}

function concerningHostBody({ origin, concern, wait }: ConcerningHost) {
  return { origin, concern, ...concernBody({ concern, wait }), until: timeText(wait?.until) };
}

export function runBody(run: Run) {
  const { crawlerId, activation: _, configVersion: __, createdAt, startedAt, endedAt, summary, ...rest } = run;
  return {
    ...rest,
    crawler: crawlerId,
    createdAt: timeText(createdAt),
    startedAt: timeText(startedAt),
    endedAt: timeText(endedAt),
    summary: summary === undefined ? null : (JSON.parse(summary) as unknown),
  };
}

export function visitBody({ id, url, runId, at, outcome, reason, httpStatus, bytes, millis, detail }: LoggedVisit) {
  return {
    id,
    url,
    run: runId ?? null,
    at: timeText(at),
    outcome,
    reason,
    httpStatus: httpStatus ?? null,
    bytes: bytes ?? null,
    millis: millis ?? null,
    detail: detail === undefined ? null : (JSON.parse(detail) as unknown),
  };
}

export function auditBody({ id, at, actor, action, target, before, after }: AuditEntry) {
  return { id, at: timeText(at), actor, action, target, before: before ?? null, after: after ?? null };
}

export function timeText(at: number): string;
export function timeText(at: number | undefined): string | null;
export function timeText(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
