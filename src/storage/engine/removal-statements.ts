import { sql } from 'kysely';
import { engineSql, statement } from '../sql/statement.ts';

type NewRemoval = {
  rid: number;
  crawlerId: number;
  urlId: number;
  runId: number;
  class: string;
  cause: number;
  firstAt: number;
  at: number;
  approved: number;
};

type HeldRow = { rid: number; class: string; cause: number; at: number; sightings: number };

export const removalStatements = {
  keep: statement<NewRemoval & { document: Uint8Array }>((p) =>
    engineSql
      .insertInto('removals')
      .values({
        rid: p.rid,
        crawler_id: p.crawlerId,
        url_id: p.urlId,
        run_id: p.runId,
        class: p.class,
        cause: p.cause,
        state: 'removed',
        first_at: p.firstAt,
        at: p.at,
        approved: p.approved,
        document: p.document,
      })
      .onConflict((conflict) =>
        conflict.column('rid').doUpdateSet({
          run_id: p.runId,
          class: p.class,
          cause: p.cause,
          state: 'removed',
          first_at: p.firstAt,
          at: p.at,
          approved: p.approved,
          asked: null,
          document: p.document,
        }),
      ),
  ),
  hold: statement<Omit<NewRemoval, 'approved'>>((p) =>
    engineSql
      .insertInto('removals')
      .values({
        rid: p.rid,
        crawler_id: p.crawlerId,
        url_id: p.urlId,
        run_id: p.runId,
        class: p.class,
        cause: p.cause,
        state: 'held',
        first_at: p.firstAt,
        at: p.at,
      })
      .onConflict((conflict) =>
        conflict
          .column('rid')
          .doUpdateSet({
            run_id: p.runId,
            class: p.class,
            cause: p.cause,
            state: 'held',
            first_at: p.firstAt,
            at: p.at,
            sightings: 0,
            approved: 0,
            asked: null,
            document: null,
          })
          .where('removals.state', '!=', 'held'),
      ),
  ),
  /** Seen missing once more; once per run. */
  sight: statement<{ rid: number; runId: number }>((p) =>
    engineSql
      .updateTable('removals')
      .set((row) => ({ sightings: row('sightings', '+', 1), run_id: p.runId }))
      .where('rid', '=', p.rid)
      .where('state', '=', 'held')
      .where('run_id', '!=', p.runId),
  ),
  release: statement<{ crawlerId: number; id: string }>((p) =>
    engineSql
      .deleteFrom('removals')
      .where('state', '=', 'held')
      .where('rid', 'in', (row) =>
        row.selectFrom('documents').select('rid').where('crawler_id', '=', p.crawlerId).where('id', '=', p.id),
      ),
  ),
  /** An explicit deletion is final. */
  forget: statement<{ rid: number }>((p) => engineSql.deleteFrom('removals').where('rid', '=', p.rid)),
  forgetCrawler: statement<{ crawlerId: number }>((p) =>
    engineSql.deleteFrom('removals').where('crawler_id', '=', p.crawlerId),
  ),
  removedSince: statement<{ crawlerId: number; since: number }, { count: number }>((p) =>
    engineSql
      .selectFrom('removals')
      .select(sql<number>`count(*)`.as('count'))
      .where('crawler_id', '=', p.crawlerId)
      .where('state', '=', 'removed')
      .where('at', '>=', p.since)
      .where('approved', '=', sql.lit(0)),
  ),
  findHeld: statement<{ crawlerId: number; id: string }, HeldRow>((p) =>
    engineSql
      .selectFrom('documents')
      .innerJoin('removals', 'removals.rid', 'documents.rid')
      .select(['removals.rid', 'removals.class', 'removals.cause', 'removals.at', 'removals.sightings'])
      .where('documents.crawler_id', '=', p.crawlerId)
      .where('documents.id', '=', p.id)
      .where('documents.deleted', '=', 0)
      .where('removals.state', '=', 'held'),
  ),
  /** Of a document that left and that an undo could bring back. */
  findRemoved: statement<{ crawlerId: number; id: string }, { rid: number }>((p) =>
    engineSql
      .selectFrom('documents')
      .innerJoin('removals', 'removals.rid', 'documents.rid')
      .select('removals.rid')
      .where('documents.crawler_id', '=', p.crawlerId)
      .where('documents.id', '=', p.id)
      .where('removals.state', '=', 'removed'),
  ),
  anyRemoved: statement<{ crawlerId: number }, { rid: number }>((p) =>
    engineSql
      .selectFrom('removals')
      .select('rid')
      .where('crawler_id', '=', p.crawlerId)
      .where('state', '=', 'removed')
      .limit(sql.lit(1)),
  ),
  head: statement<{ crawlerId: number; id: string }, { kind: number; origin: number }>((p) =>
    engineSql
      .selectFrom('documents')
      .select(['kind', 'origin'])
      .where('crawler_id', '=', p.crawlerId)
      .where('id', '=', p.id)
      .where('deleted', '=', 0),
  ),
};
