import { z } from 'zod';
import type { NewApiKey } from '../../accounts/manage-keys.ts';
import { OUTCOMES, REASONS } from '../../core/crawl-words.ts';
import { hideSecrets } from '../../core/crawler-secrets.ts';
import type { ApiKey, Crawler, Customer, Engine } from '../../core/records.ts';
import type { CrawlerStatus } from '../../crawl/crawler-status.ts';
import type { ConcerningHost, ListedHost } from '../../crawl/host-control.ts';
import { REASON_TEXTS } from '../../crawl/rules/reasons.ts';
import type { Run } from '../../storage/engine/runs.ts';
import type { LoggedVisit } from '../../storage/engine/visit-log.ts';
import type { AuditEntry } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';

/** Bodies of the admin API: camelCase, times as ISO text, what is not there as null. */

const TIME = z.iso.datetime();
const MANAGED_BY = z.string().nullable().describe('The provision file that owns the record.');

export const CUSTOMER_BODY = z
  .object({ id: z.int(), name: z.string(), managedBy: MANAGED_BY, createdAt: TIME })
  .meta({ id: 'Customer' });

export function customerBody({ id, name, managedBy, createdAt }: Customer): Shown<typeof CUSTOMER_BODY> {
  return { id, name, managedBy: managedBy ?? null, createdAt: timeText(createdAt) };
}

export const KEY_BODY = z
  .object({
    id: z.int(),
    name: z.string(),
    last4: z.string().describe('Its last characters; "" of a short one.'),
    managedBy: MANAGED_BY,
    createdAt: TIME,
    expiresAt: TIME.nullable(),
    revokedAt: TIME.nullable(),
  })
  .meta({ id: 'ApiKey' });

export function keyBody({
  id,
  name,
  last4,
  managedBy,
  createdAt,
  expiresAt,
  revokedAt,
}: ApiKey): Shown<typeof KEY_BODY> {
  const times = { createdAt: timeText(createdAt), expiresAt: timeText(expiresAt), revokedAt: timeText(revokedAt) };
  return { id, name, last4, managedBy: managedBy ?? null, ...times };
}

export const NEW_KEY_BODY = KEY_BODY.extend({ key: z.string().describe('Shown this once.') }).meta({ id: 'NewApiKey' });

export function newKeyBody({ record, key }: NewApiKey): Shown<typeof NEW_KEY_BODY> {
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

export const VISIT_BODY = z
  .object({
    id: z.int(),
    url: z.string(),
    run: z.int().nullable(),
    at: TIME,
    outcome: z.enum(OUTCOMES),
    reason: z.enum(REASONS),
    httpStatus: z.int().nullable(),
    bytes: z.int().nullable(),
    millis: z.number().nullable(),
    detail: z.unknown(),
  })
  .meta({ id: 'Visit' });

export function visitBody(visit: LoggedVisit): Shown<typeof VISIT_BODY> {
  const { id, url, runId, at, outcome, reason, httpStatus, bytes, millis, detail } = visit;
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

const CHANGED_MEMBERS = z.record(z.string(), z.unknown()).nullable();
export const AUDIT_BODY = z
  .object({
    id: z.int(),
    at: TIME,
    actor: z.string(),
    action: z.string(),
    target: z.string(),
    before: CHANGED_MEMBERS.describe('Members that changed, as they were; secrets are `set`.'),
    after: CHANGED_MEMBERS,
  })
  .meta({ id: 'Change' });

export function auditBody({ id, at, actor, action, target, before, after }: AuditEntry): Shown<typeof AUDIT_BODY> {
  return { id, at: timeText(at), actor, action, target, before: before ?? null, after: after ?? null };
}

export function timeText(at: number): string;
export function timeText(at: number | undefined): string | null;
export function timeText(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
