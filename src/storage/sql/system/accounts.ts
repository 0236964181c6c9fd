import type { AccountStore } from '../../account-store.ts';
import { defineStore, fetchAll, fetchFirst } from '../operation.ts';
import { systemSql } from '../statement.ts';
import { readAudit } from './audit.ts';
import { changeRecords, toApiKey, toCrawler, toCustomer, toEngine } from './change-records.ts';

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
  },
  {
    changeRecords,
  },
);
