import { type OperationNode, type RawBuilder, sql } from 'kysely';
import * as postgres from './dialect-postgres.ts';
import * as sqlite from './dialect-sqlite.ts';
import type { Operand } from './statement.ts';

/**
 * What each database says in its own words. Statements elsewhere use only what both understand, and these by name
 * (`test/unit/operations.test.ts`). Each is one node with the text of both: SQLite's is compiled as it stands, and the
 * compiler of PostgreSQL picks its own.
 */

const ofPostgres = new WeakMap<OperationNode, OperationNode>();

/** A JSON list of numbers, as a list for `IN`: one statement, compiled once, however many there are. */
export function listedNumbers(json: Operand): RawBuilder<number> {
  return either(sqlite.listedNumbers(json), postgres.listedNumbers(json));
}

/** The same of texts. */
export function listedTexts(json: Operand): RawBuilder<string> {
  return either(sqlite.listedTexts(json), postgres.listedTexts(json));
}

/** The smaller of two values. */
export function least(a: Operand, b: Operand): RawBuilder<number> {
  return either(sqlite.least(a, b), postgres.least(a, b));
}

/** The larger of two values. */
export function greatest(a: Operand, b: Operand): RawBuilder<number> {
  return either(sqlite.greatest(a, b), postgres.greatest(a, b));
}

/** A text of any length as a unique index has it: for the target of a conflict. */
export function indexedText(column: string): RawBuilder<string> {
  return either(sqlite.indexedText(column), postgres.indexedText(column));
}

/** Place of a part in a text, from 1; 0 when it is not there. */
export function positionIn(text: Operand, part: Operand): RawBuilder<number> {
  return either(sqlite.positionIn(text, part), postgres.positionIn(text, part));
}

/** The end of a text, at most so many characters. */
export function lastChars(text: Operand, count: number): RawBuilder<string> {
  return either(sqlite.lastChars(text, count), postgres.lastChars(text, count));
}

/** The text of the row of a group whose number is highest; NULL counts as ''. */
export function textOfNewest(text: Operand, at: Operand): RawBuilder<string> {
  return either(sqlite.textOfNewest(text, at), postgres.textOfNewest(text, at));
}

/** The number under a name of a JSON object; NULL when there is none. */
export function jsonNumber(json: Operand, name: string): RawBuilder<number | null> {
  return either(sqlite.jsonNumber(json, name), postgres.jsonNumber(json, name));
}

/** A JSON object with the members of another on top. */
export function jsonMerged(json: Operand, other: Operand): RawBuilder<string> {
  return either(sqlite.jsonMerged(json, other), postgres.jsonMerged(json, other));
}

/** JSON list of `{ id, value }` of the rows of a group, ordered. */
export function jsonRows(id: Operand, value: Operand, order: Operand): RawBuilder<string> {
  return either(sqlite.jsonRows(id, value, order), postgres.jsonRows(id, value, order));
}

/** Behind a table: the index that is used, where the planner would choose another one. */
export function usingIndex(name: string): RawBuilder<unknown> {
  return either(sqlite.usingIndex(name), postgres.usingIndex(name));
}

/** The order in which rows of a table came; a column for tables without an id. */
export const insertionOrder: RawBuilder<number> = sql<number>`rowid`;

/** A random whole number, 0 to 2^53 - 1. */
export const randomNumber: RawBuilder<number> = either(sqlite.randomNumber(), postgres.randomNumber());

/** What PostgreSQL says in the place of a node; undefined when both say the same. */
export function postgresNode(node: OperationNode): OperationNode | undefined {
  return ofPostgres.get(node);
}

/** The builder of SQLite's text; that of PostgreSQL is found by its node, which is the same object at every use. */
function either<Value>(sqliteText: RawBuilder<unknown>, postgresText: RawBuilder<unknown>): RawBuilder<Value> {
  ofPostgres.set(sqliteText.toOperationNode(), postgresText.toOperationNode());
  return sqliteText as RawBuilder<Value>;
}
