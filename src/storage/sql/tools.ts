import { type RawBuilder, sql } from 'kysely';
import type { Pin, RankingDraft, Term, ToolDrafts, ToolKey, ToolKind, ToolRecords, ToolStore } from '../tool-store.ts';
import type { SystemConnection } from './connection.ts';
import { systemSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { synonymStore } from './synonym-groups.ts';
import { type PartRow, writeParts } from './tool-parts.ts';

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
export function putTool(db: SqliteDatabase, { kind, customerId, id, draft }: PutTool): AnyTool | undefined {
  const { engineId, terms, pins = [], ...record } = draft;
  const row = { customer_id: customerId, engine_id: engineId, record: JSON.stringify(record) };
  const key = { customerId, id: id ?? insertRow(db, kind, row) };
  if (id !== undefined && !updateRow(db, kind, key, row)) return undefined;
  const shape = SHAPES[kind];
  writeParts(db, shape.terms, {
    parentId: key.id,
    parts: terms.map(({ id: wantedId, name }) => ({ wantedId, value: name })),
  });
  if (shape.pins !== undefined) {
    const parts = pins.map(({ id: wantedId, ...pin }) => ({ wantedId, value: JSON.stringify(pin) }));
    writeParts(db, shape.pins, { parentId: key.id, parts });
  }
  return readTools(db, kind, key)[0];
}

/** Write operation: true when there was one. */
export function removeTool(db: SqliteDatabase, { kind, key }: { kind: ToolKind; key: ToolKey }): boolean {
  const { terms, pins } = SHAPES[kind];
  const table = tableOf(kind);
  const row = systemSql.deleteFrom(table).where('id', '=', key.id).where('customer_id', '=', key.customerId);
  if (db.run(row.compile()).changes === 0) return false;
  for (const part of pins === undefined ? [terms] : [terms, pins]) {
    writeParts(db, part, { parentId: key.id, parts: [] });
  }
  return true;
}

export function toolStore(connection: SystemConnection): ToolStore {
  const { read, write } = connection;
  return {
    ...synonymStore(connection),
    addTool: async (kind, customerId, draft) => {
      const stored = await write('putTool', { kind, customerId, id: undefined, draft });
      return stored as ToolRecords[typeof kind];
    },
    replaceTool: async (kind, { customerId, id }, draft) => {
      const stored = await write('putTool', { kind, customerId, id, draft });
      return stored as ToolRecords[typeof kind] | undefined;
    },
    removeTool: (kind, key) => write('removeTool', { kind, key }),
    findTool: async (kind, key) => readTools(read, kind, key)[0],
    listTools: async (kind, input) => readTools(read, kind, input),
  };
}

type AnyTool = ToolRecords[ToolKind];
type ToolRow = { readonly customer_id: number; readonly engine_id: number; readonly record: string };

/** The three tables have the same columns, so the builder is typed with one of them. */
function tableOf(kind: ToolKind): 'banners' {
  return SHAPES[kind].table as 'banners';
}

function insertRow(db: SqliteDatabase, kind: ToolKind, row: ToolRow): number {
  return db.run(systemSql.insertInto(tableOf(kind)).values(row).compile()).lastId;
}

function updateRow(db: SqliteDatabase, kind: ToolKind, key: ToolKey, row: ToolRow): boolean {
  const update = systemSql.updateTable(tableOf(kind)).set(row);
  const own = update.where('id', '=', key.id).where('customer_id', '=', key.customerId);
  return db.run(own.compile()).changes > 0;
}

type Wanted = { readonly customerId: number; readonly id?: number; readonly engineId?: number };

/** One statement, so that a record and its parts are of one state. */
function readTools<Kind extends ToolKind>(db: SqliteDatabase, kind: Kind, input: Wanted): ToolRecords[Kind][] {
  const { table, terms, pins } = SHAPES[kind];
  let query = systemSql
    .selectFrom(tableOf(kind))
    .select(['id', 'customer_id as customerId', 'engine_id as engineId', 'record'])
    .select([partsOf(terms, table).as('terms'), partsOf(pins, table).as('pins')])
    .where('customer_id', '=', input.customerId)
    .orderBy('id');
  if (input.id !== undefined) query = query.where('id', '=', input.id);
  if (input.engineId !== undefined) query = query.where('engine_id', '=', input.engineId);
  return db.all(query.compile()).map(({ record, terms, pins, ...ids }) => {
    const parts = { terms: rowsOf(terms).map(termOf), ...(pins !== null && { pins: rowsOf(pins).map(pinOf) }) };
    return { ...JSON.parse(record), ...ids, ...parts } as ToolRecords[Kind];
  });
}

/** JSON of the parts in order, SQL `NULL` for a kind without such parts. */
function partsOf(part: string | undefined, table: string): RawBuilder<string | null> {
  if (part === undefined) return sql`NULL`;
  return sql`(SELECT json_group_array(json_object('id', part.id, 'value', part.value) ORDER BY part.position)
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
