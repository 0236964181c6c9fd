import { sql } from 'kysely';
import type { SynonymGroup, ToolStore } from '../tool-store.ts';
import type { SystemConnection } from './connection.ts';
import { systemSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export type SynonymStore = Pick<
  ToolStore,
  'addSynonymGroup' | 'replaceSynonymGroup' | 'findSynonymGroup' | 'listSynonymGroups' | 'removeSynonymGroups'
>;

/** Write operation. */
export function addSynonymGroup(db: SqliteDatabase, group: Omit<SynonymGroup, 'id'>): SynonymGroup {
  const row = { customer_id: group.customerId, language: group.language, words: JSON.stringify(group.words) };
  return { ...group, id: db.run(systemSql.insertInto('synonym_groups').values(row).compile()).lastId };
}

/** Write operation. */
export function replaceSynonymGroup(db: SqliteDatabase, group: SynonymGroup): SynonymGroup | undefined {
  const update = systemSql
    .updateTable('synonym_groups')
    .set({ language: group.language, words: JSON.stringify(group.words) })
    .where('id', '=', group.id)
    .where('customer_id', '=', group.customerId);
  return db.run(update.compile()).changes > 0 ? group : undefined;
}

type RemoveGroups = { readonly customerId: number; readonly ids: readonly number[] };

/** Write operation: the ids that existed, ascending. Ids travel as one JSON value: there is no limit of parameters. */
export function removeSynonymGroups(db: SqliteDatabase, { customerId, ids }: RemoveGroups): readonly number[] {
  const removal = systemSql
    .deleteFrom('synonym_groups')
    .where('customer_id', '=', customerId)
    .where('id', 'in', sql<number>`(SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .returning('id');
  return db
    .all(removal.compile())
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}

export function synonymStore({ read, write }: SystemConnection): SynonymStore {
  return {
    addSynonymGroup: (group) => write('addSynonymGroup', group),
    replaceSynonymGroup: (group) => write('replaceSynonymGroup', group),
    removeSynonymGroups: (customerId, ids) => write('removeSynonymGroups', { customerId, ids }),
    findSynonymGroup: async ({ customerId, id }) => {
      const row = read.first(groupsOf(customerId).where('id', '=', id).compile());
      return row && groupOf(row);
    },
    listSynonymGroups: async (customerId, language) => {
      const all = groupsOf(customerId);
      const named = language === undefined ? all : all.where(sql`lower(language)`, '=', language.toLowerCase());
      return read.all(named.compile()).map(groupOf);
    },
  };
}

function groupsOf(customerId: number) {
  return systemSql
    .selectFrom('synonym_groups')
    .select(['id', 'customer_id as customerId', 'language', 'words'])
    .where('customer_id', '=', customerId)
    .orderBy('id');
}

function groupOf(row: Omit<SynonymGroup, 'words'> & { readonly words: string }): SynonymGroup {
  return { ...row, words: JSON.parse(row.words) as string[] };
}
