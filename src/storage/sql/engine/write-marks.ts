import { sql } from 'kysely';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { engineSql, statement } from '../statement.ts';

/** Marks that are kept behind the index: a reader may open one that is some generations old. */
const RETAINED_SEQS = 10_000;

const put = statement<{ seq: number }>(({ seq }) =>
  engineSql.insertInto('write_marks').values({ seq, mark: sql<number>`random() & 9007199254740991` }),
);
const find = statement<{ seq: number }, { mark: number }>(({ seq }) =>
  engineSql.selectFrom('write_marks').select('mark').where('seq', '>=', seq).orderBy('seq').limit(1),
);
const drop = statement<{ below: number }>(({ below }) =>
  engineSql.deleteFrom('write_marks').where('seq', '<', below).$castTo<never>(),
);

/** Marks the write whose last `seq` is given with a random number. */
export function markWrite(db: SqliteDatabase, seq: number): void {
  db.runOf(put, { seq });
}

/** Of the write that took `seq`, whatever became of its documents; undefined when there was none. */
export function markOf(db: SqliteDatabase, seq: number): number | undefined {
  return db.firstOf(find, { seq })?.mark;
}

/** The table stays small: what the index has passed long ago is not asked for. */
export function dropMarks(db: SqliteDatabase, indexedSeq: number): void {
  db.runOf(drop, { below: indexedSeq - RETAINED_SEQS });
}
