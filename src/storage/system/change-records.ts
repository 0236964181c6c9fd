import type { Selectable } from 'kysely';
import { AppError } from '../../core/errors.ts';
import type { ApiKey, Crawler, Customer, Engine } from '../../core/records.ts';
import { readMeta, writeMeta } from '../sql/meta.ts';
import { execute, fetchAll, fetchFirst, mapSeries, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { SystemTables } from '../sql/tables.ts';
import type { Actor, RecordChange } from './accounts.ts';
import { putAlertTarget, removeAlertTarget } from './alert-targets.ts';
import { addAuditRow } from './audit.ts';
import { leaveCustomer, putPerson, removePerson } from './person-records.ts';
import { type ChangeOf, notFound, requireCustomer, requireSeen, type Write } from './record-checks.ts';
import { changeToolRecord } from './tool-records.ts';

/** Settings of a crawler that may hold credentials; the audit log tells only that they are set. */
const SECRET_SETTINGS = ['headers', 'cookies', 'basicAuth', 'login', 'proxy'];

/** Write operation: all changes and their audit rows, or none. Resolves with the ids in order of the changes. */
export function changeRecords(actor: Actor, changes: readonly RecordChange[], at: number): Operation<number[]> {
  return mapSeries(changes, (change) => applyChange({ actor, at }, change));
}

function* applyChange(write: Write, change: RecordChange): Operation<number> {
  switch (change.kind) {
    case 'put-customer':
      return yield* putCustomer(write, change);
    case 'add-key':
      return yield* addKey(write, change);
    case 'revoke-key':
      return yield* revokeKey(write, change);
    case 'put-engine':
      return yield* putEngine(write, change);
    case 'put-crawler':
      return yield* putCrawler(write, change);
    case 'set-crawler-active':
      return yield* setCrawlerActive(write, change);
    case 'put-person':
      return yield* putPerson(write, change);
    case 'remove-person':
      return yield* removePerson(write, change);
    case 'put-alert-target':
      return yield* putAlertTarget(write, change);
    case 'remove-alert-target':
      return yield* removeAlertTarget(write, change.id);
    case 'put-tool':
    case 'remove-tool':
    case 'put-synonyms':
    case 'remove-synonyms':
      return yield* changeToolRecord(write, change);
    case 'remove-customer':
    case 'remove-engine':
    case 'remove-crawler':
      return yield* remove(write, change);
  }
}

function* putCustomer(write: Write, change: ChangeOf<'put-customer'>): Operation<number> {
  const id = change.id ?? (yield* nextId('customers'));
  const values = { name: change.name, managed_by: change.managedBy ?? null };
  const before = yield* fetchFirst(systemSql.selectFrom('customers').selectAll().where('id', '=', id));
  requireSeen('Customer', id, { seen: change.seen, present: before && toCustomer(before) });
  const after = { id, created_at: before?.created_at ?? write.at, ...values };
  if (same(before, after)) return id;
  if (before === undefined) yield* execute(systemSql.insertInto('customers').values(after));
  else yield* execute(systemSql.updateTable('customers').set(values).where('id', '=', id));
  yield* audit(write, 'put-customer', { target: `customer:${id}`, before: before && toCustomer(before), after });
  return id;
}

function* addKey(write: Write, change: ChangeOf<'add-key'>): Operation<number> {
  yield* requireCustomer(change.customerId);
  const ofDigest = systemSql
    .selectFrom('api_keys')
    .selectAll()
    .where('customer_id', '=', change.customerId)
    .where('key_sha256', '=', change.sha256);
  const before = yield* fetchFirst(ofDigest);
  if (before?.revoked_at != null) {
    throw new AppError('record.conflict', `The key ${before.name} (…${before.last4}) was revoked: make a new one`);
  }
  const values: KeyColumns = {
    name: change.name,
    managed_by: change.managedBy ?? null,
    expires_at: change.expiresAt ?? null,
    scopes: change.scopes === undefined ? null : JSON.stringify(change.scopes),
  };
  if (before !== undefined && same(before, { ...before, ...values })) return before.id;
  const id = before === undefined ? yield* insertKey(write, change, values) : before.id;
  if (before !== undefined) yield* execute(systemSql.updateTable('api_keys').set(values).where('id', '=', id));
  const after = { id, last4: change.last4, ...values };
  yield* audit(write, 'add-key', {
    target: keyTarget(change.customerId, id),
    before: before && toApiKey(before),
    after,
  });
  return id;
}

type KeyColumns = Pick<Selectable<SystemTables['api_keys']>, 'name' | 'managed_by' | 'expires_at' | 'scopes'>;

function* insertKey(
  { at }: Write,
  { customerId, sha256, last4 }: ChangeOf<'add-key'>,
  values: KeyColumns,
): Operation<number> {
  const row = { ...values, customer_id: customerId, key_sha256: sha256, last4, created_at: at };
  return (yield* execute(systemSql.insertInto('api_keys').values(row))).lastId;
}

function* revokeKey(write: Write, { customerId, id }: ChangeOf<'revoke-key'>): Operation<number> {
  const { at } = write;
  const key = yield* fetchFirst(
    systemSql.selectFrom('api_keys').selectAll().where('id', '=', id).where('customer_id', '=', customerId),
  );
  if (key === undefined) throw notFound('API key', id);
  if (key.revoked_at !== null) return id;
  yield* execute(systemSql.updateTable('api_keys').set({ revoked_at: at }).where('id', '=', id));
  yield* audit(write, 'revoke-key', { target: keyTarget(customerId, id), before: {}, after: { revokedAt: at } });
  return id;
}

function* putEngine(write: Write, change: ChangeOf<'put-engine'>): Operation<number> {
  yield* requireCustomer(change.customerId);
  const id = change.id ?? (yield* nextId('engines'));
  const before = yield* fetchFirst(systemSql.selectFrom('engines').selectAll().where('id', '=', id));
  const { seen, isMatched } = change;
  requireSeen('Engine', id, { seen, present: before && toEngine(before), isMatched });
  if (before !== undefined && before.customer_id !== change.customerId) throw stays('Engine', id, 'customer');
  const values = {
    name: change.name,
    language: change.language,
    settings: JSON.stringify(change.settings),
    public_settings: JSON.stringify(change.publicSettings),
    managed_by: change.managedBy ?? null,
  };
  const after = { id, customer_id: change.customerId, created_at: before?.created_at ?? write.at, ...values };
  if (same(before, after)) return id;
  if (before === undefined) yield* execute(systemSql.insertInto('engines').values(after));
  else yield* execute(systemSql.updateTable('engines').set(values).where('id', '=', id));
  const target = `engine:${id}`;
  yield* audit(write, 'put-engine', { target, before: before && toEngine(before), after: toEngine(after) });
  return id;
}

function* putCrawler(write: Write, change: ChangeOf<'put-crawler'>): Operation<number> {
  const engine = yield* fetchFirst(
    systemSql.selectFrom('engines').select('customer_id').where('id', '=', change.engineId),
  );
  if (engine === undefined) throw notFound('Engine', change.engineId);
  const id = change.id ?? (yield* nextId('crawlers'));
  const before = yield* readCrawler(id);
  const { seen, isMatched } = change;
  requireSeen('Crawler', id, { seen, present: before && toCrawler(before), isMatched });
  if (before !== undefined && before.engine_id !== change.engineId) throw stays('Crawler', id, 'engine');
  const config = JSON.stringify(change.config);
  const configVersion = (before?.config_version ?? 0) + (before?.config === config ? 0 : 1);
  const values = { name: change.name, config, config_version: configVersion, managed_by: change.managedBy ?? null };
  const after = { ...(before ?? (yield* newCrawler(write, id, change.engineId, engine.customer_id))), ...values };
  if (same(before, after)) return id;
  if (before === undefined) yield* execute(systemSql.insertInto('crawlers').values(after));
  else yield* execute(systemSql.updateTable('crawlers').set(values).where('id', '=', id));
  const target = `crawler:${id}`;
  yield* audit(write, 'put-crawler', {
    target,
    before: before && shown(toCrawler(before)),
    after: shown(toCrawler(after)),
  });
  return id;
}

function* setCrawlerActive(write: Write, { id, active }: ChangeOf<'set-crawler-active'>): Operation<number> {
  const { at } = write;
  const before = yield* readCrawler(id);
  if (before === undefined) throw notFound('Crawler', id);
  if ((before.active === 1) === active) return id;
  const activation = before.activation + 1;
  const values = { active: active ? 1 : 0, active_since: active ? at : null, activation };
  yield* execute(systemSql.updateTable('crawlers').set(values).where('id', '=', id));
  const action = active ? 'activate-crawler' : 'deactivate-crawler';
  yield* audit(write, action, {
    target: `crawler:${id}`,
    before: { activation: before.activation },
    after: { activation },
  });
  return id;
}

function* remove(write: Write, { kind, id }: ChangeOf<keyof typeof REMOVALS>): Operation<number> {
  const [noun, table, removeRows] = REMOVALS[kind];
  const known = yield* fetchFirst(systemSql.selectFrom(table).select(['id', 'name']).where('id', '=', id));
  if (known === undefined) throw notFound(noun, id);
  yield* removeRows(id);
  yield* audit(write, kind, { target: `${noun.toLowerCase()}:${id}`, before: { name: known.name }, after: undefined });
  return id;
}

const TOOLS = [
  ['banners', ['banner_terms']],
  ['rankings', ['ranking_terms', 'ranking_pages']],
  ['quicklinks', ['quicklink_terms']],
  ['hidden_pages', []],
] as const;
const OF_ENGINE = [
  ...(['query_events', 'click_events', 'feedback', 'answer_clicks'] as const),
  ...(['popular_queries', 'query_spellings', 'query_pairs', 'search_days', 'query_days'] as const),
  ...(['conversations', 'exchanges', 'answer_days'] as const),
  ...(['golden_questions', 'golden_results', 'golden_rounds'] as const),
  'tool_checks',
] as const;

const REMOVALS = {
  'remove-customer': ['Customer', 'customers', removeCustomer],
  'remove-engine': ['Engine', 'engines', removeEngine],
  'remove-crawler': ['Crawler', 'crawlers', removeCrawler],
} as const;

function* newCrawler({ at }: Write, id: number, engineId: number, customerId: number) {
  const inactive = { active: 0, active_since: null, activation: Number((yield* readMeta(activationName(id))) ?? 0) };
  return { id, engine_id: engineId, customer_id: customerId, created_at: at, ...inactive };
}

function* readCrawler(id: number) {
  return yield* fetchFirst(systemSql.selectFrom('crawlers').selectAll().where('id', '=', id));
}

function* nextId(table: 'customers' | 'engines' | 'crawlers'): Operation<number> {
  const highest = systemSql.selectFrom(table).select((rows) => rows.fn.max('id').as('id'));
  const present = (yield* fetchFirst(highest))?.id ?? 0;
  return Math.max(present, Number((yield* readMeta(highestIdName(table))) ?? 0)) + 1;
}

function stays(noun: string, id: number, owner: string): AppError {
  return new AppError('record.conflict', `${noun} ${id} belongs to another ${owner} and cannot be moved`);
}

function keyTarget(customerId: number, id: number): string {
  return `customer:${customerId}/key:${id}`;
}

/** Settings that may hold credentials become the word `set`. */
function shown({ config, ...crawler }: Crawler): Record<string, unknown> {
  const settings = Object.entries(config).map(([name, value]) => [
    name,
    SECRET_SETTINGS.includes(name) && value !== undefined ? 'set' : value,
  ]);
  return { ...crawler, config: Object.fromEntries(settings) };
}

/** Rows hold text, numbers and null only. */
function same(before: object | undefined, after: object): boolean {
  if (before === undefined) return false;
  return Object.entries(after).every(([name, value]) => (before as Record<string, unknown>)[name] === value);
}

function* audit(
  { actor, at }: Write,
  action: string,
  row: { readonly target: string; readonly before: object | undefined; readonly after: object | undefined },
): Operation<void> {
  const members = { ...(row.before && { before: { ...row.before } }), ...(row.after && { after: { ...row.after } }) };
  yield* addAuditRow({ at, actor, action, target: row.target, ...members });
}

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
    scopes: row.scopes === null ? undefined : (JSON.parse(row.scopes) as ApiKey['scopes']),
    lastUsedDay: row.last_used_day ?? undefined,
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

type AccountTable = 'customers' | 'engines' | 'crawlers';

/** Name in `meta` of the highest id that a removed record of the table had. */
function highestIdName(table: AccountTable): string {
  return `highest_id.${table}`;
}

/** Removes the customer with its keys, synonyms, engines and crawlers. */
function* removeCustomer(id: number): Operation<void> {
  for (const engine of yield* fetchAll(systemSql.selectFrom('engines').select('id').where('customer_id', '=', id))) {
    yield* removeEngine(engine.id);
  }
  yield* execute(systemSql.deleteFrom('api_keys').where('customer_id', '=', id));
  yield* execute(systemSql.deleteFrom('synonym_groups').where('customer_id', '=', id));
  yield* leaveCustomer(id);
  yield* removeRow('customers', id);
}

/** Removes the engine with its crawlers, search tools, tracking and golden questions: a later engine of this id starts empty. */
function* removeEngine(id: number): Operation<void> {
  for (const crawler of yield* fetchAll(systemSql.selectFrom('crawlers').select('id').where('engine_id', '=', id))) {
    yield* removeCrawler(crawler.id);
  }
  for (const [table, parts] of TOOLS) {
    for (const part of parts) {
      const tools = systemSql.selectFrom(table).select('id').where('engine_id', '=', id);
      yield* execute(systemSql.deleteFrom(part).where('parent_id', 'in', tools));
    }
    yield* execute(systemSql.deleteFrom(table).where('engine_id', '=', id));
  }
  for (const table of OF_ENGINE) yield* execute(systemSql.deleteFrom(table).where('engine_id', '=', id));
  yield* removeRow('engines', id);
}

/** Name in `meta` of the activation that a removed crawler had reached. */
function activationName(crawlerId: number): string {
  return `activation.${crawlerId}`;
}

/** Its activation is kept: a later crawler of this id counts on, so that nothing of the former one is taken for its. */
function* removeCrawler(id: number): Operation<void> {
  const known = yield* fetchFirst(systemSql.selectFrom('crawlers').select('activation').where('id', '=', id));
  if (known !== undefined) yield* writeMeta(activationName(id), String(known.activation));
  yield* removeRow('crawlers', id);
}

function* removeRow(table: AccountTable, id: number): Operation<void> {
  yield* execute(systemSql.deleteFrom(table).where('id', '=', id));
  const name = highestIdName(table);
  if (id > Number((yield* readMeta(name)) ?? 0)) yield* writeMeta(name, String(id));
}
