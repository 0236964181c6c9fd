import { type RawBuilder, sql } from 'kysely';
import type { Operand } from './statement.ts';

/** What SQLite says in its own words: `dialect.ts` tells what each means. */

export function listedNumbers(json: Operand): RawBuilder<unknown> {
  return sql`(SELECT value FROM json_each(${json}))`;
}

export const listedTexts = listedNumbers;

export function least(a: Operand, b: Operand): RawBuilder<unknown> {
  return sql`min(${a}, ${b})`;
}

export function greatest(a: Operand, b: Operand): RawBuilder<unknown> {
  return sql`max(${a}, ${b})`;
}

export function indexedText(column: string): RawBuilder<unknown> {
  return sql.ref(column);
}

export function positionIn(text: Operand, part: Operand): RawBuilder<unknown> {
  return sql`instr(${text}, ${part})`;
}

export function lastChars(text: Operand, count: number): RawBuilder<unknown> {
  return sql`substr(${text}, ${sql.lit(-count)})`;
}

export function textOfNewest(text: Operand, at: Operand): RawBuilder<unknown> {
  return sql`substr(max(printf('%020d', ${at}) || coalesce(${text}, '')), 21)`;
}

export function jsonNumber(json: Operand, name: string): RawBuilder<unknown> {
  return sql`json_extract(${json}, ${sql.lit(`$.${name}`)})`;
}

export function jsonMerged(json: Operand, other: Operand): RawBuilder<unknown> {
  return sql`json_patch(${json}, ${other})`;
}

export function jsonRows(id: Operand, value: Operand, order: Operand): RawBuilder<unknown> {
  return sql`json_group_array(json_object('id', ${id}, 'value', ${value}) ORDER BY ${order})`;
}

export function usingIndex(name: string): RawBuilder<unknown> {
  return sql`INDEXED BY ${sql.ref(name)}`;
}

export function randomNumber(): RawBuilder<unknown> {
  return sql`random() & 9007199254740991`;
}
