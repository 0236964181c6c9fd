import { sql } from 'kysely';
import { STAGES } from '../../core/crawl-words.ts';
import { learnRendering, parseRenderVerdict, type RenderLesson } from '../../core/render-verdict.ts';
import { urlPattern } from '../../core/url-pattern.ts';
import type { PatternStore, UrlPatternRecord } from '../pattern-store.ts';
import type { EngineConnection } from './connection.ts';
import { engineSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

type PatternRow = {
  id: number;
  host_id: number;
  pattern: string;
  known: number;
  visited: number;
  informative: number;
  recent: number;
  closed_at: number | null;
  close_rule: string | null;
  render: string | null;
};

export const patternStatements = {
  /** One more URL of the pattern is known. */
  count: statement<{ crawlerId: number; hostId: number; pattern: string }, { id: number }>((p) =>
    engineSql
      .insertInto('url_patterns')
      .values({ crawler_id: p.crawlerId, host_id: p.hostId, pattern: p.pattern, known: 1 })
      .onConflict((conflict) =>
        conflict.columns(['host_id', 'pattern']).doUpdateSet((row) => ({ known: row('url_patterns.known', '+', 1) })),
      )
      .returning('id'),
  ),
  read: statement<{ id: number }, PatternRow>((p) =>
    engineSql
      .selectFrom('url_patterns')
      .select(['id', 'host_id', 'pattern', 'known', 'visited', 'informative', 'recent'])
      .select(['closed_at', 'close_rule', 'render'])
      .where('id', '=', p.id),
  ),
  learnRendering: statement<{ id: number; render: string }>((p) =>
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
 * Inside a write: what a visit says about rendering its pattern. When it settles an open question, the pages of the
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
  const row = db.firstOf(patternStatements.read, { id: patternId });
  if (row === undefined) return;
  const known = parseRenderVerdict(row.render ?? undefined);
  const learned = learnRendering(known, lesson);
  if (learned === known) return;
  db.runOf(patternStatements.learnRendering, { id: patternId, render: JSON.stringify(learned) });
  if (known.claim === undefined || learned.claim !== undefined) return;
  db.runOf(patternStatements.endWaiting, { crawlerId, activation, hostId, now });
}

/** Inside a write: the id of a new URL's pattern, which counts it. */
export function countInPattern(
  db: SqliteDatabase,
  { crawlerId, hostId, url }: { readonly crawlerId: number; readonly hostId: number; readonly url: string },
): number {
  const counted = db.firstOf(patternStatements.count, { crawlerId, hostId, pattern: urlPattern(url) });
  if (counted === undefined) throw new Error('The pattern was not counted');
  return counted.id;
}

export function patternStore({ read }: EngineConnection): PatternStore {
  return {
    findPattern: async (patternId) => {
      const row = read.firstOf(patternStatements.read, { id: patternId });
      return row === undefined ? undefined : patternOf(row);
    },
  };
}

function patternOf(row: PatternRow): UrlPatternRecord {
  const { id, pattern, known, visited, informative, recent } = row;
  return {
    ...{ id, pattern, known, visited, informative, recent },
    hostId: row.host_id,
    closedAt: row.closed_at ?? undefined,
    closeRule: row.close_rule ?? undefined,
    render: row.render ?? undefined,
  };
}
