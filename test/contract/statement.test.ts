import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { engineSql, rawQuery, statement } from '../../src/storage/sql/statement.ts';

test('constants stand in the text of a statement, and parameters are bound in order', () => {
  const { sql: text, bind } = statement<{ id: number; url: string }>((p) =>
    engineSql.selectFrom('urls').select('id').where('state', '=', 1).where('url', '=', p.url).where('id', '>', p.id),
  );
  expect(text).toBe('select "id" from "urls" where "state" = 1 and "url" = ? and "id" > ?');
  expect(bind({ id: 7, url: 'u' })).toEqual(['u', 7]);
});

test('a quote in a constant ends nothing, and a question mark in a text is no place', () => {
  const { sql: text, bind } = statement<{ id: number }>((p) =>
    rawQuery(sql`SELECT 'why?' AS a, ${"it's"} AS b, ${null} AS c, ${p.id} AS d`),
  );
  expect(text).toBe("SELECT 'why?' AS a, 'it''s' AS b, NULL AS c, ? AS d");
  expect(bind({ id: 7 })).toEqual([7]);
});
