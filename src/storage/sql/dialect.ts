import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * What SQLite says in its own words. Statements elsewhere use only what PostgreSQL understands as well, and these by
 * name (`test/unit/operations.test.ts`), so that a second database is a second version of this file.
 */

type Operand = Expression<unknown> | RawBuilder<unknown> | number | string | null;

/** Rows of a JSON list of numbers or texts, as a list for `IN`: one statement, compiled once, however many there are. */
export function listed<Value>(json: Operand): RawBuilder<Value> {
  return sql<Value>`(SELECT value FROM json_each(${json}))`;
}

/** The smaller of two values. */
export function least(a: Operand, b: Operand): RawBuilder<number> {
  return sql<number>`min(${a}, ${b})`;
}

/** The larger of two values. */
export function greatest(a: Operand, b: Operand): RawBuilder<number> {
  return sql<number>`max(${a}, ${b})`;
}

/** Place of a part in a text, from 1; 0 when it is not there. */
export function positionIn(text: Operand, part: Operand): RawBuilder<number> {
  return sql<number>`instr(${text}, ${part})`;
}

/** The text of the row of a group whose number is highest; NULL counts as ''. */
export function textOfNewest(text: Operand, at: Operand): RawBuilder<string> {
  return sql<string>`substr(max(printf('%020d', ${at}) || coalesce(${text}, '')), 21)`;
}

/** The number under a name of a JSON object; NULL when there is none. */
export function jsonNumber(json: Operand, name: string): RawBuilder<number | null> {
  return sql<number | null>`json_extract(${json}, ${sql.lit(`$.${name}`)})`;
}

/** A JSON object with the members of another on top. */
export function jsonMerged(json: Operand, other: Operand): RawBuilder<string> {
  return sql<string>`json_patch(${json}, ${other})`;
}

/** JSON list of `{ id, value }` of the rows of a group, ordered. */
export function jsonRows(id: Operand, value: Operand, order: Operand): RawBuilder<string> {
  return sql<string>`json_group_array(json_object('id', ${id}, 'value', ${value}) ORDER BY ${order})`;
}

/** Behind a table: the index that is used, where the planner would choose another one. */
export function usingIndex(name: string): RawBuilder<unknown> {
  return sql`INDEXED BY ${sql.ref(name)}`;
}

/** The order in which rows of a table came; a column for tables without an id. */
export const insertionOrder: RawBuilder<number> = sql<number>`rowid`;

/** A random whole number, 0 to 2^53 - 1. */
export const randomNumber: RawBuilder<number> = sql<number>`random() & 9007199254740991`;
