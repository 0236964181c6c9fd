import { sql } from 'kysely';
import { greatest, least } from '../sql/dialect.ts';
import { type Operation, submit } from '../sql/operation.ts';
import { engineSql, rawQuery, statement } from '../sql/statement.ts';
import type { ChangeHistory } from './url-records.ts';

/** Visits that are remembered: one bit each below a leading 1, newest lowest. */
const RING_VISITS = 10;
const FULL_RING = 1 << RING_VISITS;
/** A page that brings new links in one of five visits is visited in every incremental run (crawling 15.4). */
const HUB_SHARE = 0.2;

export const changeHistoryStatements = {
  save: statement<{ id: number; ring: number; hub: number | null }>((p) =>
    engineSql.updateTable('urls').set({ link_ring: p.ring, hub: p.hub }).where('id', '=', p.id),
  ),
  /** A quarter of the way towards each interval: a running median (frugal streaming, Ma et al. 2014). */
  updateInterval: statement<{ id: number; intervalMs: number }>((p) =>
    rawQuery(sql`UPDATE url_patterns SET interval_ms = CASE
      WHEN interval_ms IS NULL THEN ${p.intervalMs}
      WHEN ${p.intervalMs} > interval_ms THEN ${least(p.intervalMs, sql`interval_ms * 5 / 4`)}
      ELSE ${greatest(p.intervalMs, sql`interval_ms * 4 / 5`)} END
      WHERE id = ${p.id} AND interval_ms IS DISTINCT FROM ${p.intervalMs}`),
  ),
};

/** Inside a write: whether the visit brought new links, and the pattern's interval. */
export function* recordChange(known: ChangeHistory, broughtLinks: boolean): Operation<void> {
  // At the first visit every link of a site is new, and every interval is the first one.
  if (known.visits < 2) return;
  const ring = withVisit(known.link_ring, broughtLinks);
  const hub = isHub(ring) ? 1 : null;
  if (ring !== known.link_ring || hub !== known.hub)
    yield* submit(changeHistoryStatements.save, { id: known.id, ring, hub });
  const { pattern_id, interval_ms } = known;
  if (pattern_id !== null && interval_ms !== null) {
    yield* submit(changeHistoryStatements.updateInterval, { id: pattern_id, intervalMs: interval_ms });
  }
}

function withVisit(ring: number, broughtLinks: boolean): number {
  const next = (ring << 1) | (broughtLinks ? 1 : 0);
  return next < FULL_RING * 2 ? next : (next & (FULL_RING - 1)) | FULL_RING;
}

function isHub(ring: number): boolean {
  const visits = 31 - Math.clz32(ring);
  let brought = 0;
  for (let bit = 0; bit < visits; bit++) brought += (ring >> bit) & 1;
  return visits > 0 && brought >= visits * HUB_SHARE;
}
