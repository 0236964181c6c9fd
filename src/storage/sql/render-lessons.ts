import { sql } from 'kysely';
import { STAGES } from '../../core/crawl-words.ts';
import {
  learnFamilyRendering,
  learnRendering,
  parseRenderVerdict,
  type RenderLesson,
} from '../../core/render-verdict.ts';
import { engineSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

export const renderStatements = {
  read: statement<{ id: number }, { render: string | null; family_id: number | null }>((p) =>
    engineSql.selectFrom('url_patterns').select(['render', 'family_id']).where('id', '=', p.id),
  ),
  save: statement<{ id: number; render: string }>((p) =>
    engineSql.updateTable('url_patterns').set({ render: p.render }).where('id', '=', p.id),
  ),
  /** Rows that have been tried wait for their own time. */
  endWaiting: statement<{ crawlerId: number; activation: number; hostId: number; now: number }>((p) =>
    engineSql
      .updateTable('frontier')
      .set({ due_at: p.now })
      .where('crawler_id', '=', p.crawlerId)
      .where('activation', '=', p.activation)
      .where('stage', '=', sql.lit(STAGES.indexOf('render')))
      .where('host_id', '=', p.hostId)
      .where('due_at', '>', p.now)
      .where('attempts', '=', sql.lit(0))
      .where('lane_id', 'is', null),
  ),
};

/**
 * Inside a write: what a visit says about rendering its pattern and that one's family. When it settles an open question, the pages of the
 * host that wait for the answer are due.
 */
export function learnOfRendering(
  db: SqliteDatabase,
  of: {
    readonly patternId: number;
    readonly lesson: RenderLesson;
    readonly hostId: number;
    readonly crawlerId: number;
    readonly activation: number;
    readonly now: number;
  },
): void {
  const { patternId, lesson, hostId, crawlerId, activation, now } = of;
  const row = db.firstOf(renderStatements.read, { id: patternId });
  if (row === undefined) return;
  const known = parseRenderVerdict(row.render ?? undefined);
  const learned = learnRendering(known, lesson);
  if (learned === known) return;
  db.runOf(renderStatements.save, { id: patternId, render: JSON.stringify(learned) });
  if (row.family_id !== null) learnOfFamily(db, row.family_id, lesson);
  if (known.claim === undefined || learned.claim !== undefined) return;
  db.runOf(renderStatements.endWaiting, { crawlerId, activation, hostId, now });
}

function learnOfFamily(db: SqliteDatabase, id: number, lesson: RenderLesson): void {
  const known = parseRenderVerdict(db.firstOf(renderStatements.read, { id })?.render ?? undefined);
  const learned = learnFamilyRendering(known, lesson);
  if (learned !== known) db.runOf(renderStatements.save, { id, render: JSON.stringify(learned) });
}
