import { type RawBuilder, sql } from 'kysely';
import type { Operand } from './statement.ts';

/** What PostgreSQL says in its own words: `dialect.ts` tells what each means. */

export function listedNumbers(json: Operand): RawBuilder<unknown> {
  return sql`(SELECT listed.value::int8 FROM jsonb_array_elements_text(${json}::jsonb) AS listed (value))`;
}

export function listedTexts(json: Operand): RawBuilder<unknown> {
  return sql`(SELECT listed.value FROM jsonb_array_elements_text(${json}::jsonb) AS listed (value))`;
}

export function least(a: Operand, b: Operand): RawBuilder<unknown> {
  return sql`least(${a}, ${b})`;
}

export function greatest(a: Operand, b: Operand): RawBuilder<unknown> {
  return sql`greatest(${a}, ${b})`;
}

/** An index takes 2,700 bytes at most. */
export function indexedText(column: string): RawBuilder<unknown> {
  return sql`md5(${sql.ref(column)})`;
}

export function positionIn(text: Operand, part: Operand): RawBuilder<unknown> {
  return sql`strpos(${text}, ${part})`;
}

export function lastChars(text: Operand, count: number): RawBuilder<unknown> {
  return sql`right(${text}, ${sql.lit(count)})`;
}

export function textOfNewest(text: Operand, at: Operand): RawBuilder<unknown> {
  return sql`(array_agg(coalesce(${text}, '') ORDER BY ${at} DESC, coalesce(${text}, '') DESC))[1]`;
}

export function jsonNumber(json: Operand, name: string): RawBuilder<unknown> {
  return sql`(${json}::jsonb ->> ${sql.lit(name)})::float8`;
}

/** Members of the same name are replaced as a whole; `jsonb` takes no U+0000. */
export function jsonMerged(json: Operand, other: Operand): RawBuilder<unknown> {
  const readable = (text: Operand) => sql`replace(${text}, '\\u0000', '\\ufffd')::jsonb`;
  return sql`(${readable(json)} || ${readable(other)})::text`;
}

export function jsonRows(id: Operand, value: Operand, order: Operand): RawBuilder<unknown> {
  return sql`coalesce(json_agg(json_build_object('id', ${id}, 'value', ${value}) ORDER BY ${order}), '[]')::text`;
}

/** The planner knows its tables. */
export function usingIndex(_name: string): RawBuilder<unknown> {
  return sql``;
}

export function randomNumber(): RawBuilder<unknown> {
  return sql`floor(random() * 9007199254740992)::int8`;
}
