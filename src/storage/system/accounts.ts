import type { AlertSettings, AlertTarget } from '../../core/alert-target.ts';
import type {
  ApiKey,
  Crawler,
  Customer,
  Engine,
  EngineSettings,
  KeyScope,
  Person,
  PublicSettings,
  Role,
} from '../../core/records.ts';
import { defineStore, execute, fetchAll, fetchFirst } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import { type AuditRow, addAuditRow, readAudit, readAuditOf } from './audit.ts';
import { changeRecords, toApiKey, toCrawler, toCustomer, toEngine } from './change-records.ts';
import type { ToolDrafts, ToolKind } from './tools.ts';

/**
 * Who changed a record, for the audit log: `operator` (the token), `person:<id> <mail>`, `key:<id> <name>`,
 * `provision:<file>`, `first-start`.
 */
export type Actor = string;

/** What a change was made from: `none` = there was no such record. Absent: whatever there is gives way. */
type ExpectedVersion<Stored> = Stored | 'none';

/**
 * One change of operator records. An absent `id` is assigned: one above the highest so far. `isMatched`: the caller has
 * named the version `seen`, and means no other.
 */
export type RecordChange =
  | {
      readonly kind: 'put-customer';
      readonly id?: number;
      readonly name: string;
      readonly managedBy?: string;
      readonly seen?: ExpectedVersion<Customer>;
    }
  | { readonly kind: 'remove-customer'; readonly id: number }
  | {
      readonly kind: 'add-key';
      readonly customerId: number;
      readonly name: string;
      /** SHA-256 of the key, hexadecimal, lower case. */
      readonly sha256: string;
      readonly last4: string;
      readonly expiresAt?: number;
      /** Absent: all of the public API. */
      readonly scopes?: readonly KeyScope[];
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
      readonly seen?: ExpectedVersion<Engine>;
      readonly isMatched?: boolean;
    }
  | { readonly kind: 'remove-engine'; readonly id: number }
  | {
      readonly kind: 'put-crawler';
      readonly id?: number;
      readonly engineId: number;
      readonly name: string;
      /** Checked settings of `crawl/rules/settings.ts`. */
      readonly config: Readonly<Record<string, unknown>>;
      readonly managedBy?: string;
      readonly seen?: ExpectedVersion<Crawler>;
      readonly isMatched?: boolean;
    }
  | { readonly kind: 'remove-crawler'; readonly id: number }
  /** Without an id the person of the mail address is changed, or made. */
  | {
      readonly kind: 'put-person';
      readonly id?: number;
      readonly email: string;
      /** Absent: as it is. */
      readonly name?: string;
      readonly role: Role;
      readonly customers: readonly number[];
      readonly disabled?: boolean;
      readonly managedBy?: string;
      readonly seen?: ExpectedVersion<Person>;
      readonly isMatched?: boolean;
    }
  | {
      readonly kind: 'remove-person';
      readonly id: number;
      readonly seen?: Person;
      readonly isMatched?: boolean;
    }
  | {
      readonly kind: 'put-alert-target';
      readonly id?: number;
      /** With its secrets sealed. */
      readonly settings: AlertSettings;
      readonly managedBy?: string;
      readonly seen?: ExpectedVersion<AlertTarget>;
      readonly isMatched?: boolean;
    }
  | { readonly kind: 'remove-alert-target'; readonly id: number }
  | {
      readonly kind: 'put-tool';
      readonly tool: ToolKind;
      readonly customerId: number;
      readonly id?: number;
      readonly draft: ToolDrafts[ToolKind];
      readonly managedBy?: string;
    }
  | { readonly kind: 'remove-tool'; readonly tool: ToolKind; readonly customerId: number; readonly id: number }
  | {
      readonly kind: 'put-synonyms';
      readonly customerId: number;
      readonly id?: number;
      readonly language: string;
      readonly words: readonly string[];
      readonly managedBy?: string;
    }
  | { readonly kind: 'remove-synonyms'; readonly customerId: number; readonly id: number }
  /** Grows `activation` by one when the state changes; nothing happens when it does not. */
  | { readonly kind: 'set-crawler-active'; readonly id: number; readonly active: boolean };

export type AuditEntry = {
  readonly id: number;
  readonly at: number;
  readonly actor: Actor;
  readonly action: string;
  readonly target: string;
  /** The members that changed, as they were and as they are; crawler secrets are shown as `set`. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> | undefined;
};

/** `actor`: a part in any case; `target`: how it begins; `from` and `to` are included; `before`: an audit id. */
export type AuditQuery = {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

export type AuditPage = {
  readonly entries: readonly AuditEntry[];
  /** The `before` of the next page; undefined when there is nothing older. */
  readonly next: number | undefined;
};

/** `target`: `crawler:17`; `before`: an audit id. */
export type AuditOf = {
  readonly target: string;
  readonly action: string;
  readonly limit: number;
  readonly before?: number | undefined;
};

/** A key that opens the API until it expires, with its digest: the key itself is stored nowhere. */
export type ActiveKey = ApiKey & {
  /** SHA-256 of the key, hexadecimal, lower case. */
  readonly sha256: string;
};

/**
 * Part of the port `SystemStore`: customers, API keys, engines, crawlers. Promises:
 * - `changeRecords` applies all changes and their audit rows in one commit, or none; it resolves with the id of
 *   each changed record, in order;
 * - a change that names a record which does not exist, or an engine of another customer, is `record.not-found`
 *   and nothing is applied;
 * - a change that changes nothing leaves no audit row;
 * - a change that was made from a record (`seen`) which has been changed or added since is `record.conflict`,
 *   `record.changed` where the caller has named that version (`isMatched`), and `record.not-found` when it has been
 *   removed; whether a crawler is active is no part of that;
 * - an absent id is one above the highest that ever was, so that no id is given twice;
 * - an engine stays with its customer and a crawler with its engine: moving one is `record.conflict`;
 * - removing a customer removes its keys, engines and crawlers, and takes it from its people; removing an engine removes
 *   its crawlers;
 * - an API key is found by its digest only, and only while it is neither revoked nor expired; `listActiveKeys` has
 *   the digest of every key that is not revoked; no call gives back a key;
 * - adding the digest of an active key again changes its name, end and scopes; adding that of a revoked key is `record.conflict`;
 * - a crawler is inactive at first, and its `activation` grows by one when its state changes; a crawler that is given
 *   the id of a removed one counts on from there;
 * - `listAudit` lists the rows that fit, newest first, older than `before` when given; a page looks at 100,000 rows, and
 *   `next` leads on from there, even when fewer than `limit` fit;
 * - `listAuditOf` lists the rows of one target and action, newest first, older than `before` when given;
 * - `noteKeyUse` keeps the latest day, without a trace;
 * - `recordAction` adds a row to the audit log, for what is done outside of this store;
 * - what does not exist is `undefined` or an empty list, never an error; lists ascend by id.
 */
export interface AccountStore {
  changeRecords(actor: Actor, changes: readonly RecordChange[], at: number): Promise<readonly number[]>;
  listCustomers(): Promise<readonly Customer[]>;
  findCustomer(id: number): Promise<Customer | undefined>;
  listApiKeys(customerId: number): Promise<readonly ApiKey[]>;
  /** The active key of the customer with this digest. */
  findActiveKey(customerId: number, sha256: string, now: number): Promise<ApiKey | undefined>;
  noteKeyUse(keyId: number, day: number): Promise<void>;
  /** Keys of all customers that are not revoked; the caller judges `expiresAt`. */
  listActiveKeys(): Promise<readonly ActiveKey[]>;
  listEngines(customerId?: number): Promise<readonly Engine[]>;
  findEngine(id: number): Promise<Engine | undefined>;
  listCrawlers(input?: { readonly customerId?: number; readonly engineId?: number }): Promise<readonly Crawler[]>;
  findCrawler(id: number): Promise<Crawler | undefined>;
  recordAction(action: AuditRow): Promise<void>;
  listAudit(query: AuditQuery): Promise<AuditPage>;
  listAuditOf(of: AuditOf): Promise<readonly AuditEntry[]>;
}

const CUSTOMERS = systemSql.selectFrom('customers').selectAll().orderBy('id');
const KEYS = systemSql.selectFrom('api_keys').selectAll().orderBy('id');
const ENGINES = systemSql.selectFrom('engines').selectAll().orderBy('id');
const CRAWLERS = systemSql.selectFrom('crawlers').selectAll().orderBy('id');

export const accountStore = defineStore<AccountStore>()(
  {
    *listCustomers() {
      return (yield* fetchAll(CUSTOMERS)).map(toCustomer);
    },
    *findCustomer(id) {
      const row = yield* fetchFirst(CUSTOMERS.where('id', '=', id));
      return row && toCustomer(row);
    },
    *listApiKeys(customerId) {
      return (yield* fetchAll(KEYS.where('customer_id', '=', customerId))).map(toApiKey);
    },
    *findActiveKey(customerId, sha256, now) {
      const ofDigest = KEYS.where('customer_id', '=', customerId).where('key_sha256', '=', sha256);
      const active = ofDigest
        .where('revoked_at', 'is', null)
        .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', now)]));
      const row = yield* fetchFirst(active);
      return row && toApiKey(row);
    },
    *listActiveKeys() {
      const rows = yield* fetchAll(KEYS.where('revoked_at', 'is', null));
      return rows.map((row) => ({ ...toApiKey(row), sha256: row.key_sha256 }));
    },
    *listEngines(customerId) {
      const engines = customerId === undefined ? ENGINES : ENGINES.where('customer_id', '=', customerId);
      return (yield* fetchAll(engines)).map(toEngine);
    },
    *findEngine(id) {
      const row = yield* fetchFirst(ENGINES.where('id', '=', id));
      return row && toEngine(row);
    },
    *listCrawlers({ customerId, engineId } = {}) {
      let crawlers = CRAWLERS;
      if (customerId !== undefined) crawlers = crawlers.where('customer_id', '=', customerId);
      if (engineId !== undefined) crawlers = crawlers.where('engine_id', '=', engineId);
      return (yield* fetchAll(crawlers)).map(toCrawler);
    },
    *findCrawler(id) {
      const row = yield* fetchFirst(CRAWLERS.where('id', '=', id));
      return row && toCrawler(row);
    },
    listAudit: readAudit,
    listAuditOf: readAuditOf,
  },
  {
    changeRecords,
    *noteKeyUse(keyId, day) {
      const earlier = systemSql.updateTable('api_keys').set({ last_used_day: day }).where('id', '=', keyId);
      yield* execute(
        earlier.where((key) => key.or([key('last_used_day', 'is', null), key('last_used_day', '<', day)])),
      );
    },
    recordAction: addAuditRow,
  },
);
