import { type HostTrust, type LastmodObservation, NO_TRUST } from '../host-trust.ts';
import { engineSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

const RETAINED_CHANGES = 10;
const RETAINED_ANNOUNCED = 20;
const RETAINED_IGNORED = 20;
const CHECKS_COUNT_MS = 30 * 86_400_000;

export const trustStatements = {
  read: statement<{ id: number }, { lastmod_trust: string | null }>((p) =>
    engineSql.selectFrom('hosts').select('lastmod_trust').where('id', '=', p.id),
  ),
  save: statement<{ id: number; trust: string }>((p) =>
    engineSql.updateTable('hosts').set({ lastmod_trust: p.trust }).where('id', '=', p.id),
  ),
};

/** The column is written by this file only. */
export function trustOf(text: string | null): HostTrust {
  return text === null ? NO_TRUST : { ...NO_TRUST, ...(JSON.parse(text) as Partial<HostTrust>) };
}

export type ShownByVisit = { readonly observation: LastmodObservation; readonly runId: number; readonly now: number };

/** Inside a write: adds what visits of a host have shown. */
export function addTrust(db: SqliteDatabase, hostId: number, shown: readonly ShownByVisit[]): void {
  const before = trustOf(db.firstOf(trustStatements.read, { id: hostId })?.lastmod_trust ?? null);
  const trust = shown.reduce(withObservation, before);
  db.runOf(trustStatements.save, { id: hostId, trust: JSON.stringify(trust) });
}

/** Inside a write: so many more URLs of the host have a time in a sitemap. */
export function addListedCount(db: SqliteDatabase, hostId: number, count: number): void {
  const trust = trustOf(db.firstOf(trustStatements.read, { id: hostId })?.lastmod_trust ?? null);
  db.runOf(trustStatements.save, { id: hostId, trust: JSON.stringify({ ...trust, listed: trust.listed + count }) });
}

function withObservation(trust: HostTrust, { observation, runId, now }: ShownByVisit): HostTrust {
  const { announced, silent, compared, notModified, ignored, check } = observation;
  return {
    ...trust,
    ...(announced !== undefined && {
      announced: `${trust.announced}${announced.changed ? '1' : '0'}`.slice(-RETAINED_ANNOUNCED),
    }),
    ...(announced?.changed === true && { announcedAt: [...trust.announcedAt, now].slice(-RETAINED_CHANGES) }),
    ...(silent === true && { silentAt: now }),
    ...(compared !== undefined && {
      compared: trust.compared + 1,
      agreed: trust.agreed + (compared.agrees ? 1 : 0),
      oldestAt: Math.min(trust.oldestAt ?? compared.listedAt, compared.listedAt),
      newestAt: Math.max(trust.newestAt ?? compared.listedAt, compared.listedAt),
    }),
    ...(notModified === true && { notModifiedAt: now, ignored: 0 }),
    ...(ignored === true && { ignored: Math.min(trust.ignored + 1, RETAINED_IGNORED) }),
    ...(check !== undefined && { checked: checkedIn(trust.checked, runId, now) }),
    ...(check === 'wrong' && { wrongAt: now }),
  };
}

function checkedIn(before: HostTrust['checked'], runId: number, now: number): HostTrust['checked'] {
  if (before === undefined || before.since <= now - CHECKS_COUNT_MS) return { runId, since: now, runs: 1 };
  return before.runId === runId ? before : { ...before, runId, runs: before.runs + 1 };
}
