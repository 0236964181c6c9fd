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
};

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
