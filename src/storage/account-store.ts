import type { ApiKey, Crawler, Customer, Engine, EngineSettings, PublicSettings } from '../core/records.ts';

/** Who changed a record, for the audit log: `provision:<file>`, `operator`, `first-start`. */
export type Actor = string;

/** One change of operator records. An absent `id` is assigned: one above the highest so far. */
export type RecordChange =
  | { readonly kind: 'put-customer'; readonly id?: number; readonly name: string; readonly managedBy?: string }
  | { readonly kind: 'remove-customer'; readonly id: number }
  | {
      readonly kind: 'add-key';
      readonly customerId: number;
      readonly name: string;
      /** SHA-256 of the key, hexadecimal, lower case. The same digest of the same customer again renames the key. */
      readonly sha256: string;
      readonly last4: string;
      readonly expiresAt?: number;
      readonly managedBy?: string;
    }
  | { readonly kind: 'revoke-key'; readonly customerId: number; readonly id: number }
  | {
      readonly kind: 'put-engine';
      readonly id?: number;
      readonly customerId: number;
      readonly name: string;
      readonly language: string;
      readonly settings: EngineSettings;
      readonly publicSettings: PublicSettings;
      readonly managedBy?: string;
    }
  | { readonly kind: 'remove-engine'; readonly id: number }
  | {
      readonly kind: 'put-crawler';
      readonly id?: number;
      readonly engineId: number;
      readonly name: string;
      /** Checked settings of `crawl/settings.ts`. */
      readonly config: Readonly<Record<string, unknown>>;
      readonly managedBy?: string;
    }
  | { readonly kind: 'remove-crawler'; readonly id: number }
  /** Grows `activation` by one when the state changes; nothing happens when it does not. */
  | { readonly kind: 'set-crawler-active'; readonly id: number; readonly active: boolean };

export type AuditEntry = {
  readonly id: number;
  readonly at: number;
  readonly actor: Actor;
  readonly action: string;
  readonly target: string;
};

/**
 * Part of the port `SystemStore`: customers, API keys, engines, crawlers. Promises:
 * - `changeRecords` applies all changes and their audit rows in one commit, or none; it resolves with the id of
 *   each changed record, in order;
 * - a change that names a record which does not exist, or an engine of another customer, is `record.not-found`
 *   and nothing is applied;
 * - removing a customer removes its keys, engines and crawlers; removing an engine removes its crawlers;
 * - an API key is found by its digest only, and only while it is neither revoked nor expired;
 * - what does not exist is `undefined` or an empty list, never an error; lists ascend by id.
 */
export interface AccountStore {
  changeRecords(actor: Actor, changes: readonly RecordChange[], at: number): Promise<readonly number[]>;
  listCustomers(): Promise<readonly Customer[]>;
  findCustomer(id: number): Promise<Customer | undefined>;
  listApiKeys(customerId: number): Promise<readonly ApiKey[]>;
  /** The active key of the customer with this digest. */
  findActiveKey(customerId: number, sha256: string, now: number): Promise<ApiKey | undefined>;
  listEngines(customerId?: number): Promise<readonly Engine[]>;
  findEngine(id: number): Promise<Engine | undefined>;
  listCrawlers(of?: { readonly customerId?: number; readonly engineId?: number }): Promise<readonly Crawler[]>;
  findCrawler(id: number): Promise<Crawler | undefined>;
  /** Newest first, older than `before` (an audit id) when given. */
  listAudit(limit: number, before?: number): Promise<readonly AuditEntry[]>;
}
