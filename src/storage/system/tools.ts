import { type RawBuilder, sql } from 'kysely';
import { jsonRows, listed } from '../sql/dialect.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';

/** A word or text that calls a tool up. */
type Term = { readonly id: number; readonly name: string };

/** A document's fixed place (`shown`) or its removal from the results. */
export type Pin = {
  readonly id: number;
  readonly engineId: number;
  /** Absolute position, from 1. */
  readonly rank: number;
  readonly shown: boolean;
  readonly page: {
    readonly name: string;
    readonly documentId: string;
    readonly url: string;
    readonly searchable: boolean;
    readonly engineId: number;
  };
};

type ToolBase = {
  readonly id: number;
  readonly customerId: number;
  readonly engineId: number;
  readonly terms: readonly Term[];
};

export type Banner = ToolBase & {
  readonly name: string;
  readonly html: string;
  readonly disabled: boolean;
  /** ISO 8601 with zone, both inclusive; undefined = open. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Undefined or empty = everybody. */
  readonly audiences: readonly unknown[] | undefined;
  /** Further engines of the customer that show it. */
  readonly engineIds: readonly number[];
  /** Kept for the editor's own tools; nothing here reads them. */
  readonly frequency: unknown;
  readonly daysOfWeek: unknown;
  readonly cssCode: string | undefined;
  readonly jsonOption: string | undefined;
  readonly editorType: string | undefined;
};

export type Ranking = ToolBase & {
  readonly name: string;
  readonly audiences: readonly unknown[] | undefined;
  readonly pins: readonly Pin[];
};

export type Quicklink = ToolBase & { readonly url: string };

export type ToolRecords = { readonly banner: Banner; readonly ranking: Ranking; readonly quicklink: Quicklink };
export type ToolKind = keyof ToolRecords;

/** A record before it is stored: ids of parts are wishes, granted when the replaced record has that part. */
type Draft<Record extends ToolBase> = Omit<Record, 'id' | 'customerId' | 'terms' | 'pins'> & {
  readonly terms: readonly DraftPart<Term>[];
};
type DraftPart<Part> = Omit<Part, 'id'> & { readonly id: number | undefined };

export type BannerDraft = Draft<Banner>;
export type RankingDraft = Draft<Ranking> & { readonly pins: readonly DraftPart<Pin>[] };
export type QuicklinkDraft = Draft<Quicklink>;
export type ToolDrafts = {
  readonly banner: BannerDraft;
  readonly ranking: RankingDraft;
  readonly quicklink: QuicklinkDraft;
};

export type ToolKey = { readonly customerId: number; readonly id: number };

/** Words that mean the same, for all engines of the customer in that language. */
export type SynonymGroup = {
  readonly id: number;
  readonly customerId: number;
  readonly language: string;
  readonly words: readonly string[];
};

/**
 * Part of the port `SystemStore`: banners, rankings, quicklinks, synonym groups. Promises:
 * - ids of records, terms and pins grow, one sequence per kind, and are never given again, also after removal;
 * - a record comes back exactly as it was stored, terms and pins in the order given;
 * - a replacement keeps the ids of the parts that repeat one of this record, gives the others new ones and drops
 *   the parts that are not named;
 * - a record of another customer is as one that does not exist: undefined, false, or left out;
 * - lists ascend by id and hold the records of one engine, or of all engines of the customer;
 * - groups of a language are found in any case of its letters;
 * - `removeSynonymGroups` removes what exists in one commit and resolves with the removed ids, ascending.
 */
export interface ToolStore {
  addTool<Kind extends ToolKind>(kind: Kind, customerId: number, draft: ToolDrafts[Kind]): Promise<ToolRecords[Kind]>;
  replaceTool<Kind extends ToolKind>(
    kind: Kind,
    key: ToolKey,
    draft: ToolDrafts[Kind],
  ): Promise<ToolRecords[Kind] | undefined>;
  /** True when there was one. */
  removeTool(kind: ToolKind, key: ToolKey): Promise<boolean>;
  findTool<Kind extends ToolKind>(kind: Kind, key: ToolKey): Promise<ToolRecords[Kind] | undefined>;
  listTools<Kind extends ToolKind>(
    kind: Kind,
    input: { readonly customerId: number; readonly engineId?: number },
  ): Promise<readonly ToolRecords[Kind][]>;
  addSynonymGroup(group: Omit<SynonymGroup, 'id'>): Promise<SynonymGroup>;
  replaceSynonymGroup(group: SynonymGroup): Promise<SynonymGroup | undefined>;
  findSynonymGroup(key: ToolKey): Promise<SynonymGroup | undefined>;
  listSynonymGroups(customerId: number, language?: string): Promise<readonly SynonymGroup[]>;
  removeSynonymGroups(customerId: number, ids: readonly number[]): Promise<readonly number[]>;
}

const SHAPES = {
  banner: { table: 'banners', terms: 'banner_terms', pins: undefined },
  ranking: { table: 'rankings', terms: 'ranking_terms', pins: 'ranking_pages' },
  quicklink: { table: 'quicklinks', terms: 'quicklink_terms', pins: undefined },
} as const;

type PutTool = {
  readonly kind: ToolKind;
  readonly customerId: number;
  /** Undefined = a new record. */
  readonly id: number | undefined;
  readonly draft: ToolDrafts[ToolKind] & { readonly pins?: RankingDraft['pins'] };
};

/** Write operation: the stored record, undefined when the one to replace does not exist. */
function* putTool({ kind, customerId, id, draft }: PutTool): Operation<AnyTool | undefined> {
  const { engineId, terms, pins = [], ...record } = draft;
  const row = { customer_id: customerId, engine_id: engineId, record: JSON.stringify(record) };
  const key = { customerId, id: id ?? (yield* insertRow(kind, row)) };
  if (id !== undefined && !(yield* updateRow(kind, key, row))) return undefined;
  const shape = SHAPES[kind];
  yield* writeParts(shape.terms, {
    parentId: key.id,
    parts: terms.map(({ id: wantedId, name }) => ({ wantedId, value: name })),
  });
  if (shape.pins !== undefined) {
    const parts = pins.map(({ id: wantedId, ...pin }) => ({ wantedId, value: JSON.stringify(pin) }));
    yield* writeParts(shape.pins, { parentId: key.id, parts });
  }
  return (yield* readTools(kind, key))[0];
}

/** Write operation: true when there was one. */
function* removeTool(kind: ToolKind, key: ToolKey): Operation<boolean> {
  const { terms, pins } = SHAPES[kind];
  const table = tableOf(kind);
  const row = systemSql.deleteFrom(table).where('id', '=', key.id).where('customer_id', '=', key.customerId);
  if ((yield* execute(row)).changes === 0) return false;
  for (const part of pins === undefined ? [terms] : [terms, pins]) {
    yield* writeParts(part, { parentId: key.id, parts: [] });
  }
  return true;
}

export const toolStore = defineStore<Omit<ToolStore, keyof SynonymStore>>()(
  {
    *findTool(kind, key) {
      return (yield* readTools(kind, key))[0];
    },
    listTools: readTools,
  },
  {
    *addTool(kind, customerId, draft) {
      return (yield* putTool({ kind, customerId, id: undefined, draft })) as AnyTool;
    },
    replaceTool: (kind, { customerId, id }, draft) => putTool({ kind, customerId, id, draft }),
    removeTool,
  },
);

type AnyTool = ToolRecords[ToolKind];
type ToolRow = { readonly customer_id: number; readonly engine_id: number; readonly record: string };

/** The three tables have the same columns, so the builder is typed with one of them. */
function tableOf(kind: ToolKind): 'banners' {
  return SHAPES[kind].table as 'banners';
}

function* insertRow(kind: ToolKind, row: ToolRow): Operation<number> {
  return (yield* execute(systemSql.insertInto(tableOf(kind)).values(row))).lastId;
}

function* updateRow(kind: ToolKind, key: ToolKey, row: ToolRow): Operation<boolean> {
  const update = systemSql.updateTable(tableOf(kind)).set(row);
  const own = update.where('id', '=', key.id).where('customer_id', '=', key.customerId);
  return (yield* execute(own)).changes > 0;
}

type Wanted = { readonly customerId: number; readonly id?: number; readonly engineId?: number };

/** One statement, so that a record and its parts are of one state. */
function* readTools<Kind extends ToolKind>(kind: Kind, input: Wanted): Operation<ToolRecords[Kind][]> {
  const { table, terms, pins } = SHAPES[kind];
  let query = systemSql
    .selectFrom(tableOf(kind))
    .select(['id', 'customer_id as customerId', 'engine_id as engineId', 'record'])
    .select([partsOf(terms, table).as('terms'), partsOf(pins, table).as('pins')])
    .where('customer_id', '=', input.customerId)
    .orderBy('id');
  if (input.id !== undefined) query = query.where('id', '=', input.id);
  if (input.engineId !== undefined) query = query.where('engine_id', '=', input.engineId);
  return (yield* fetchAll(query)).map(({ record, terms, pins, ...ids }) => {
    const parts = { terms: rowsOf(terms).map(termOf), ...(pins !== null && { pins: rowsOf(pins).map(pinOf) }) };
    return { ...JSON.parse(record), ...ids, ...parts } as ToolRecords[Kind];
  });
}

/** JSON of the parts in order, SQL `NULL` for a kind without such parts. */
function partsOf(part: string | undefined, table: string): RawBuilder<string | null> {
  if (part === undefined) return sql`NULL`;
  return sql`(SELECT ${jsonRows(sql.ref('part.id'), sql.ref('part.value'), sql.ref('part.position'))}
    FROM ${sql.table(part)} AS part WHERE part.parent_id = ${sql.ref(`${table}.id`)})`;
}

function rowsOf(json: string | null): readonly PartRow[] {
  return JSON.parse(json ?? '[]') as readonly PartRow[];
}

function termOf({ id, value }: PartRow): Term {
  return { id, name: value };
}

function pinOf({ id, value }: PartRow): Pin {
  return { ...(JSON.parse(value) as Omit<Pin, 'id'>), id };
}

type SynonymStore = Pick<
  ToolStore,
  'addSynonymGroup' | 'replaceSynonymGroup' | 'findSynonymGroup' | 'listSynonymGroups' | 'removeSynonymGroups'
>;

/** Write operation. */
function* addSynonymGroup(group: Omit<SynonymGroup, 'id'>): Operation<SynonymGroup> {
  const row = { customer_id: group.customerId, language: group.language, words: JSON.stringify(group.words) };
  return { ...group, id: (yield* execute(systemSql.insertInto('synonym_groups').values(row))).lastId };
}

/** Write operation. */
function* replaceSynonymGroup(group: SynonymGroup): Operation<SynonymGroup | undefined> {
  const update = systemSql
    .updateTable('synonym_groups')
    .set({ language: group.language, words: JSON.stringify(group.words) })
    .where('id', '=', group.id)
    .where('customer_id', '=', group.customerId);
  return (yield* execute(update)).changes > 0 ? group : undefined;
}

/** Write operation: the ids that existed, ascending. Ids travel as one JSON value: there is no limit of parameters. */
function* removeSynonymGroups(customerId: number, ids: readonly number[]): Operation<readonly number[]> {
  const removal = systemSql
    .deleteFrom('synonym_groups')
    .where('customer_id', '=', customerId)
    .where('id', 'in', listed<number>(JSON.stringify(ids)))
    .returning('id');
  return (yield* fetchAll(removal)).map(({ id }) => id).sort((a, b) => a - b);
}

export const synonymStore = defineStore<SynonymStore>()(
  {
    *findSynonymGroup({ customerId, id }) {
      const row = yield* fetchFirst(groupsOf(customerId).where('id', '=', id));
      return row && groupOf(row);
    },
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

/** A term or pin of a tool: text of the term, or JSON of the pin. */
type PartRow = { readonly id: number; readonly value: string };

type PartTable = 'banner_terms' | 'ranking_terms' | 'ranking_pages' | 'quicklink_terms';

type WantedParts = {
  readonly parentId: number;
  /** In order. `wish` is kept when the parent has a part of that id; each id is given once. */
  readonly parts: readonly { readonly wantedId: number | undefined; readonly value: string }[];
};

/** Makes the parts of one tool exactly these, inside the caller's transaction. */
function* writeParts(name: PartTable, { parentId, parts }: WantedParts): Operation<void> {
  // The four tables have the same columns, so the builder is typed with one of them.
  const table = name as 'banner_terms';
  const owned = systemSql.selectFrom(table).select('id').where('parent_id', '=', parentId);
  const free = new Set((yield* fetchAll(owned)).map(({ id }) => id));
  for (const [position, { wantedId, value }] of parts.entries()) {
    if (wantedId !== undefined && free.delete(wantedId)) {
      yield* execute(systemSql.updateTable(table).set({ position, value }).where('id', '=', wantedId));
    } else {
      yield* execute(systemSql.insertInto(table).values({ parent_id: parentId, position, value }));
    }
  }
  for (const id of free) yield* execute(systemSql.deleteFrom(table).where('id', '=', id));
}
