import { z } from 'zod';
import { ENGINE_SETTINGS, PUBLIC_SETTINGS } from '../../accounts/engine-settings.ts';
import type { NewApiKey } from '../../accounts/manage-keys.ts';
import { type ApiKey, type Crawler, type Customer, type Engine, KEY_SCOPES } from '../../core/records.ts';
import type { AuditEntry } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';

/** Bodies of the admin API: camelCase, times as ISO text, what is not there as null. */

export const TIME = z.iso.datetime();
export const MANAGED_BY = z.string().nullable().describe('The provision file that owns the record.');

export const CUSTOMER_BODY = z
  .object({ id: z.int(), name: z.string(), managedBy: MANAGED_BY, createdAt: TIME })
  .meta({ id: 'Customer' });

export function customerBody({ id, name, managedBy, createdAt }: Customer): Shown<typeof CUSTOMER_BODY> {
  return { id, name, managedBy: managedBy ?? null, createdAt: timeText(createdAt) };
}

const DAY_MS = 86_400_000;

export const KEY_BODY = z
  .object({
    id: z.int(),
    name: z.string(),
    last4: z.string().describe('Its last characters; "" of a short one.'),
    managedBy: MANAGED_BY,
    createdAt: TIME,
    expiresAt: TIME.nullable(),
    revokedAt: TIME.nullable(),
    scopes: z.array(z.enum(KEY_SCOPES)).nullable().describe('What it opens; null: all of the public API.'),
    lastUsedOn: z.iso.date().nullable().describe('The last day on which it opened something, in UTC.'),
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
  scopes,
  lastUsedDay,
}: ApiKey): Shown<typeof KEY_BODY> {
  const times = { createdAt: timeText(createdAt), expiresAt: timeText(expiresAt), revokedAt: timeText(revokedAt) };
  const lastUsedOn = lastUsedDay === undefined ? null : timeText(lastUsedDay * DAY_MS).slice(0, 10);
  return { id, name, last4, managedBy: managedBy ?? null, ...times, scopes: scopes ?? null, lastUsedOn };
}

export const NEW_KEY_BODY = KEY_BODY.extend({ key: z.string().describe('Shown this once.') }).meta({ id: 'NewApiKey' });

export function newKeyBody({ record, key }: NewApiKey): Shown<typeof NEW_KEY_BODY> {
  return { ...keyBody(record), key };
}

/** The members of the settings stand beside the engine's own, as in a provision file. */
export const ENGINE_BODY = z
  .object({
    id: z.int(),
    customer: z.int(),
    name: z.string(),
    language: z.string(),
    crawlers: z.array(z.int()),
    managedBy: MANAGED_BY,
    createdAt: TIME,
    ...ENGINE_SETTINGS.shape,
    publicSettings: PUBLIC_SETTINGS,
  })
  .meta({ id: 'Engine' });

export function engineBody(engine: Engine, crawlers: readonly Crawler[]): Shown<typeof ENGINE_BODY> {
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

export const NAMED_ENGINE_BODY = z
  .object({
    id: z.int(),
    customer: z.int(),
    name: z.string(),
    language: z.string(),
    searchPage: z.string().nullable().describe('Where its search page is, as in `/home`; null: not published.'),
  })
  .meta({ id: 'NamedEngine', description: 'What readers see of an engine.' });

export function namedEngineBody(engine: Engine, searchPage: string | null): Shown<typeof NAMED_ENGINE_BODY> {
  const { id, customerId, name, language } = engine;
  return { id, customer: customerId, name, language, searchPage };
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
