import { sql } from 'kysely';
import { engineSql } from './dialects.ts';
import { PatternCounts } from './pattern-counts.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

/** Counters of a run that writes add to; the columns of the same names. */
export const RUN_COUNTERS = [
  'open',
  'found',
  'visited',
  'added',
  'changed',
  'unchanged',
  'not_modified',
  'skipped',
  'failed',
  'rendered',
  'files',
  'bytes',
  'removed',
  'removals_held',
  'suspected',
] as const;
export type RunCounter = (typeof RUN_COUNTERS)[number];
type RunDelta = Record<RunCounter, number>;

export const countStatements = {
  addWaiting: statement<{ hostId: number; count: number }>((p) =>
    engineSql
      .updateTable('hosts')
      .set((row) => ({ waiting: row('waiting', '+', p.count) }))
      .where('id', '=', p.hostId),
  ),
  addToRun: statement<RunDelta & { runId: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set((row) => ({
        open: row('open', '+', p.open),
        found: row('found', '+', p.found),
        visited: row('visited', '+', p.visited),
        added: row('added', '+', p.added),
        changed: row('changed', '+', p.changed),
        unchanged: row('unchanged', '+', p.unchanged),
        not_modified: row('not_modified', '+', p.not_modified),
        skipped: row('skipped', '+', p.skipped),
        failed: row('failed', '+', p.failed),
        rendered: row('rendered', '+', p.rendered),
        files: row('files', '+', p.files),
        bytes: row('bytes', '+', p.bytes),
        removed: row('removed', '+', p.removed),
        removals_held: row('removals_held', '+', p.removals_held),
        suspected: row('suspected', '+', p.suspected),
        idle_since: sql<number | null>`iif(${p.open} > 0, NULL, idle_since)`,
      }))
      .where('id', '=', p.runId),
  ),
};

/** Changes of `hosts.waiting`, run counters and patterns, gathered in a write and stored at its end. */
export class CrawlCounts {
  readonly patterns = new PatternCounts();
  private readonly waiting = new Map<number, number>();
  private readonly runs = new Map<number, RunDelta>();

  addWaiting(hostId: number, count: number): void {
    this.waiting.set(hostId, (this.waiting.get(hostId) ?? 0) + count);
  }

  add(runId: number, counter: RunCounter, count: number): void {
    const known = this.runs.get(runId);
    const delta = known ?? (Object.fromEntries(RUN_COUNTERS.map((name) => [name, 0])) as RunDelta);
    delta[counter] += count;
    if (known === undefined) this.runs.set(runId, delta);
  }

  /** What this write has added to a counter. */
  of(runId: number, counter: RunCounter): number {
    return this.runs.get(runId)?.[counter] ?? 0;
  }

  /** Rows on the frontier and visits that this write has added to the run, as they will stand in its row. */
  rowsAdded(runId: number): number {
    const delta = this.runs.get(runId);
    return delta === undefined ? 0 : delta.open + delta.visited;
  }

  store(db: SqliteDatabase): void {
    for (const [hostId, count] of this.waiting) {
      if (count !== 0) db.runOf(countStatements.addWaiting, { hostId, count });
    }
    this.patterns.store(db);
    for (const [runId, delta] of this.runs) db.runOf(countStatements.addToRun, { runId, ...delta });
  }
}
