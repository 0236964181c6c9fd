import { sql } from 'kysely';
import { listedNumbers } from '../sql/dialect.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import { addAuditRow } from './audit.ts';
import { requireUnchanged } from './change-tools.ts';
import type { ToolChange, ToolKey } from './tools.ts';

/** Words that mean the same, for all engines of the customer in that language. */
export type SynonymGroup = {
  readonly id: number;
  readonly customerId: number;
  readonly language: string;
  readonly words: readonly string[];
  /** Name of the provision file that owns the record. */
  readonly managedBy: string | undefined;
};

export type SynonymDraft = Omit<SynonymGroup, 'id' | 'managedBy'>;

/**
 * Part of the port `SystemStore`: synonym groups. What `ToolStore` promises of ids, records of other customers, lists,
 * changes and their audit rows holds for them too, and:
 * - groups of a language are found in any case of its letters;
 * - `removeSynonymGroups` removes what exists in one commit and resolves with the removed ids, ascending.
 */
export interface SynonymStore {
  addSynonymGroup(group: SynonymDraft, change: ToolChange): Promise<SynonymGroup>;
  replaceSynonymGroup(group: SynonymDraft & ToolKey, change: ToolChange): Promise<SynonymGroup | undefined>;
  findSynonymGroup(key: ToolKey): Promise<SynonymGroup | undefined>;
  listSynonymGroups(customerId: number, language?: string): Promise<readonly SynonymGroup[]>;
  removeSynonymGroups(customerId: number, ids: readonly number[], change: ToolChange): Promise<readonly number[]>;
}

/** Write operation. */
export function* addSynonymGroup(group: SynonymDraft, change: ToolChange): Operation<SynonymGroup> {
  const id = (yield* execute(systemSql.insertInto('synonym_groups').values(rowOf(group, change)))).lastId;
  const after = { ...group, id, managedBy: change.managedBy };
  yield* audit(change, { action: 'add', after });
  return after;
}

/** Write operation. */
export function* replaceSynonymGroup(
  { id, ...group }: SynonymDraft & ToolKey,
  change: ToolChange,
): Operation<SynonymGroup | undefined> {
  const before = yield* findGroup({ customerId: group.customerId, id });
  if (before === undefined) return undefined;
  requireUnchanged('synonym group', before, change.seen);
  yield* execute(systemSql.updateTable('synonym_groups').set(rowOf(group, change)).where('id', '=', id));
  const after = { ...group, id, managedBy: change.managedBy };
  if (JSON.stringify(auditedMembers(before)) !== JSON.stringify(auditedMembers(after))) {
    yield* audit(change, { action: 'change', before, after });
  }
  return after;
}

/** Write operation: the ids that existed, ascending. Ids travel as one JSON value: there is no limit of parameters. */
export function* removeSynonymGroups(
  customerId: number,
  ids: readonly number[],
  change: ToolChange,
): Operation<readonly number[]> {
  const named = groupsOf(customerId).where('id', 'in', listedNumbers(JSON.stringify(ids)));
  const groups = (yield* fetchAll(named)).map(groupOf);
  for (const before of groups) {
    requireUnchanged('synonym group', before, change.seen);
    yield* execute(systemSql.deleteFrom('synonym_groups').where('id', '=', before.id));
    yield* audit(change, { action: 'remove', before });
  }
  return groups.map(({ id }) => id);
}

export const synonymStore = defineStore<SynonymStore>()(
  {
    findSynonymGroup: findGroup,
    *listSynonymGroups(customerId, language) {
      const all = groupsOf(customerId);
      const named = language === undefined ? all : all.where(sql`lower(language)`, '=', language.toLowerCase());
      return (yield* fetchAll(named)).map(groupOf);
    },
  },
  {
    addSynonymGroup,
    replaceSynonymGroup,
    removeSynonymGroups,
  },
);

function* findGroup({ customerId, id }: ToolKey): Operation<SynonymGroup | undefined> {
  const row = yield* fetchFirst(groupsOf(customerId).where('id', '=', id));
  return row && groupOf(row);
}

function groupsOf(customerId: number) {
  return systemSql
    .selectFrom('synonym_groups')
    .select(['id', 'customer_id as customerId', 'language', 'words', 'managed_by as managedBy'])
    .where('customer_id', '=', customerId)
    .orderBy('id');
}

type GroupRow = Omit<SynonymGroup, 'words' | 'managedBy'> & {
  readonly words: string;
  readonly managedBy: string | null;
};

function groupOf({ words, managedBy, ...row }: GroupRow): SynonymGroup {
  return { ...row, words: JSON.parse(words) as string[], managedBy: managedBy ?? undefined };
}

function rowOf({ customerId, language, words }: SynonymDraft, { managedBy }: ToolChange) {
  return { customer_id: customerId, language, words: JSON.stringify(words), managed_by: managedBy ?? null };
}

type Audited = {
  readonly action: 'add' | 'change' | 'remove';
  readonly before?: SynonymGroup;
  readonly after?: SynonymGroup;
};

function* audit({ actor, at }: ToolChange, { action, before, after }: Audited): Operation<void> {
  const { customerId, id } = (after ?? before) as SynonymGroup;
  const target = `customer:${customerId}/synonym-group:${id}`;
  yield* addAuditRow({
    at,
    actor,
    action: `${action}-synonym-group`,
    target,
    ...(before && { before: auditedMembers(before) }),
    ...(after && { after: auditedMembers(after) }),
  });
}

function auditedMembers({ language, words, managedBy }: SynonymGroup) {
  return { language, words, managedBy };
}
