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
  find: statement<{ hostId: number; pattern: string }, { id: number }>((p) =>
    engineSql.selectFrom('url_patterns').select('id').where('host_id', '=', p.hostId).where('pattern', '=', p.pattern),
  ),
  insert: statement<{ crawlerId: number; hostId: number; pattern: string }>((p) =>
    engineSql.insertInto('url_patterns').values({ crawler_id: p.crawlerId, host_id: p.hostId, pattern: p.pattern }),
  ),
  addKnown: statement<{ id: number; count: number }>((p) =>
    engineSql
      .updateTable('url_patterns')
      .set((row) => ({ known: row('known', '+', p.count) }))
      .where('id', '=', p.id),
  ),
  read: statement<{ id: number }, PatternRow>((p) =>
    engineSql
      .selectFrom('url_patterns')
      .select(['id', 'host_id', 'pattern', 'known', 'visited', 'informative', 'recent'])
      .select(['closed_at', 'close_rule', 'render'])
      .where('id', '=', p.id),
  ),
};

type NewUrl = { readonly crawlerId: number; readonly hostId: number; readonly url: string };

/** Patterns of the new URLs of one write, looked up once each; what they count is stored at its end. */
export class PatternCounts {
  private readonly ids = new Map<string, number>();
  private readonly known = new Map<number, number>();

  /** The id of a new URL's pattern, which counts it. */
  count(db: SqliteDatabase, { crawlerId, hostId, url }: NewUrl): number {
    const pattern = urlPattern(url);
    const key = `${hostId} ${pattern}`;
    const id = this.ids.get(key) ?? patternIdOf(db, { crawlerId, hostId, pattern });
    this.ids.set(key, id);
    this.known.set(id, (this.known.get(id) ?? 0) + 1);
    return id;
  }

  store(db: SqliteDatabase): void {
    for (const [id, count] of this.known) db.runOf(patternStatements.addKnown, { id, count });
  }
}

function patternIdOf(
  db: SqliteDatabase,
  pattern: { readonly crawlerId: number; readonly hostId: number; readonly pattern: string },
): number {
  const known = db.firstOf(patternStatements.find, pattern);
  return known?.id ?? db.runOf(patternStatements.insert, pattern).lastId;
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
