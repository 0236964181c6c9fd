import type { AccountStore } from '../../account-store.ts';
import { systemSql } from '../statement.ts';
import type { SystemConnection } from '../write-thread.ts';
import { readAudit } from './audit.ts';
import { toApiKey, toCrawler, toCustomer, toEngine } from './change-records.ts';

const CUSTOMERS = systemSql.selectFrom('customers').selectAll().orderBy('id');
const KEYS = systemSql.selectFrom('api_keys').selectAll().orderBy('id');
const ENGINES = systemSql.selectFrom('engines').selectAll().orderBy('id');
const CRAWLERS = systemSql.selectFrom('crawlers').selectAll().orderBy('id');

export function accountStore({ read, write }: SystemConnection): AccountStore {
  return {
    changeRecords: (actor, changes, at) => write('changeRecords', { actor, changes, at }),
    listCustomers: async () => read.all(CUSTOMERS.compile()).map(toCustomer),
    findCustomer: async (id) => {
      const row = read.first(CUSTOMERS.where('id', '=', id).compile());
      return row && toCustomer(row);
    },
    listApiKeys: async (customerId) => read.all(KEYS.where('customer_id', '=', customerId).compile()).map(toApiKey),
    findActiveKey: async (customerId, sha256, now) => {
      const ofDigest = KEYS.where('customer_id', '=', customerId).where('key_sha256', '=', sha256);
      const active = ofDigest
        .where('revoked_at', 'is', null)
        .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', now)]));
      const row = read.first(active.compile());
      return row && toApiKey(row);
    },
    listActiveKeys: async () => {
      const rows = read.all(KEYS.where('revoked_at', 'is', null).compile());
      return rows.map((row) => ({ ...toApiKey(row), sha256: row.key_sha256 }));
    },
    listEngines: async (customerId) => {
      const engines = customerId === undefined ? ENGINES : ENGINES.where('customer_id', '=', customerId);
      return read.all(engines.compile()).map(toEngine);
    },
    findEngine: async (id) => {
      const row = read.first(ENGINES.where('id', '=', id).compile());
      return row && toEngine(row);
    },
    listCrawlers: async ({ customerId, engineId } = {}) => {
      let crawlers = CRAWLERS;
      if (customerId !== undefined) crawlers = crawlers.where('customer_id', '=', customerId);
      if (engineId !== undefined) crawlers = crawlers.where('engine_id', '=', engineId);
      return read.all(crawlers.compile()).map(toCrawler);
    },
    findCrawler: async (id) => {
      const row = read.first(CRAWLERS.where('id', '=', id).compile());
      return row && toCrawler(row);
    },
    listAudit: async (limit, before) => readAudit(read, limit, before),
  };
}
