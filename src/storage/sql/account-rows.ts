import type { Selectable } from 'kysely';
import type { ApiKey, Crawler, Customer, Engine } from '../../core/records.ts';
import type { SystemTables } from './tables.ts';

/** Rows of `system.db` as records of `core`. */

export function toCustomer(row: Selectable<SystemTables['customers']>): Customer {
  return { id: row.id, name: row.name, managedBy: row.managed_by ?? undefined, createdAt: row.created_at };
}

export function toApiKey(row: Selectable<SystemTables['api_keys']>): ApiKey {
  return {
    id: row.id,
    customerId: row.customer_id,
    name: row.name,
    last4: row.last4,
    managedBy: row.managed_by ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  };
}

/** JSON members were checked when they were written; one that is `undefined` comes back absent. */
export function toEngine(row: Selectable<SystemTables['engines']>): Engine {
  return {
    id: row.id,
    customerId: row.customer_id,
    name: row.name,
    language: row.language,
    settings: JSON.parse(row.settings) as Engine['settings'],
    publicSettings: JSON.parse(row.public_settings) as Engine['publicSettings'],
    managedBy: row.managed_by ?? undefined,
    createdAt: row.created_at,
  };
}

export function toCrawler(row: Selectable<SystemTables['crawlers']>): Crawler {
  return {
    id: row.id,
    customerId: row.customer_id,
    engineId: row.engine_id,
    name: row.name,
    active: row.active === 1,
    activeSince: row.active_since ?? undefined,
    activation: row.activation,
    config: JSON.parse(row.config) as Crawler['config'],
    configVersion: row.config_version,
    managedBy: row.managed_by ?? undefined,
    createdAt: row.created_at,
  };
}
