import { fetchFirst, type Operation, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';

/** What a host has shown of its own words about change: dates of its sitemap, answers of 304. */
export type HostTrust = {
  /** Times of the last changes that the sitemap had announced, oldest first, at most 10. */
  readonly announcedAt: readonly number[];
  /** Last change of a listed page that the sitemap had not announced. */
  readonly silentAt: number | undefined;
  /** Announced visits, oldest first, at most 20: `1` = the page had changed. */
  readonly announced: string;
  /** URLs with a time in the sitemap. */
  readonly listed: number;
  /** Visits that found the page's own date, and how many of them agree with the listed time. */
  readonly compared: number;
  readonly agreed: number;
  /** Of the listed times that were compared. */
  readonly oldestAt: number | undefined;
  readonly newestAt: number | undefined;
  /** Whole answers to requests with validators although nothing had changed, since the last 304; at most 20. */
  readonly ignored: number;
  /** Last answer of 304, and last one that turned out wrong. */
  readonly notModifiedAt: number | undefined;
  readonly wrongAt: number | undefined;
  /** Runs in which answers of 304 were checked, within 30 days from `since` on, and the last of them. */
  readonly checked: { readonly runId: number; readonly since: number; readonly runs: number } | undefined;
};

/** What one visit adds to it. */
export type LastmodObservation = {
  /** The sitemap announced a change since the visit before: was there one? */
  readonly announced?: { readonly changed: boolean };
  /** The page changed without a word of the sitemap. */
  readonly silent?: true;
  /** The listed time beside the page's own date. */
  readonly compared?: { readonly listedAt: number; readonly agrees: boolean };
  readonly notModified?: true;
  /** The page was sent whole, as it was, although its validators were sent along. */
  readonly ignored?: true;
  /** An answer of 304 is checked in this run · it was wrong. */
  readonly check?: 'begun' | 'wrong';
};

export const NO_TRUST: HostTrust = {
  announcedAt: [],
  silentAt: undefined,
  announced: '',
  listed: 0,
  compared: 0,
  agreed: 0,
  oldestAt: undefined,
  newestAt: undefined,
  ignored: 0,
  notModifiedAt: undefined,
  wrongAt: undefined,
  checked: undefined,
};

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
export function* addTrust(hostId: number, shown: readonly ShownByVisit[]): Operation<void> {
  const before = trustOf((yield* fetchFirst(trustStatements.read, { id: hostId }))?.lastmod_trust ?? null);
  const trust = shown.reduce(withObservation, before);
  yield* submit(trustStatements.save, { id: hostId, trust: JSON.stringify(trust) });
}

/** Inside a write: so many more URLs of the host have a time in a sitemap. */
export function* addListedCount(hostId: number, count: number): Operation<void> {
  const trust = trustOf((yield* fetchFirst(trustStatements.read, { id: hostId }))?.lastmod_trust ?? null);
  yield* submit(trustStatements.save, {
    id: hostId,
    trust: JSON.stringify({ ...trust, listed: trust.listed + count }),
  });
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
