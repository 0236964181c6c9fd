import { sql } from 'kysely';
import type { Feedback, FeedbackKind, Rating } from '../tracking-store.ts';
import { systemSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { SystemTables } from './tables.ts';

/** Write operation: one record per (engine, kind, key); what is absent stays as it was. */
export function mergeFeedback(db: SqliteDatabase, feedback: Feedback): void {
  const row = {
    engine_id: feedback.engineId,
    kind: feedback.kind,
    key: feedback.key,
    at: feedback.at,
    rating: feedback.rating ?? null,
    reason: feedback.reason ?? null,
    comment: feedback.comment ?? null,
    language: feedback.language ?? null,
    matched: Number(feedback.matched),
    extra: JSON.stringify(feedback.extra),
  };
  const merged = systemSql
    .insertInto('feedback')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['engine_id', 'kind', 'key']).doUpdateSet({
        at: sql`excluded.at`,
        rating: sql`coalesce(excluded.rating, feedback.rating)`,
        reason: sql`coalesce(excluded.reason, feedback.reason)`,
        comment: sql`coalesce(excluded.comment, feedback.comment)`,
        language: sql`coalesce(excluded.language, feedback.language)`,
        matched: sql`max(excluded.matched, feedback.matched)`,
        extra: sql`json_patch(feedback.extra, excluded.extra)`,
      }),
    );
  db.run(merged.compile());
}

/** Write operation: false, and nothing changed, when the record would have no rating. */
export function mergeRatedFeedback(db: SqliteDatabase, feedback: Feedback): boolean {
  if (feedback.rating === undefined && !hasRating(db, feedback)) return false;
  mergeFeedback(db, feedback);
  return true;
}

function hasRating(db: SqliteDatabase, { engineId, kind, key }: Feedback): boolean {
  const rated = systemSql
    .selectFrom('feedback')
    .select('id')
    .where('engine_id', '=', engineId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('rating', 'is not', null);
  return db.first(rated.compile()) !== undefined;
}

export function newestFeedback({ engineId, limit }: { engineId: number; limit: number }) {
  const ofEngine = systemSql.selectFrom('feedback').selectAll().where('engine_id', '=', engineId);
  return ofEngine.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
}

export function feedbackOf(row: Omit<SystemTables['feedback'], 'id'>): Feedback {
  return {
    engineId: row.engine_id,
    kind: row.kind as FeedbackKind,
    key: row.key,
    at: row.at,
    rating: (row.rating ?? undefined) as Rating | undefined,
    reason: row.reason ?? undefined,
    comment: row.comment ?? undefined,
    language: row.language ?? undefined,
    matched: row.matched === 1,
    extra: JSON.parse(row.extra) as Readonly<Record<string, string>>,
  };
}
