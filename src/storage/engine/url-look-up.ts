import { sql } from 'kysely';
import { REASONS, type Reason, STAGES, type Stage, URL_ORIGINS, type UrlOrigin } from '../../core/crawl-words.ts';
import { least } from '../sql/dialect.ts';
import { defineStore, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { rawQuery, statement } from '../sql/statement.ts';
import type { HostState } from './host-content.ts';
import { type ContentColumns, contentOf, earliestRow, findHost, type Host, hostStatements } from './hosts.ts';
import { countUnfollowedLinks, findUnfollowedLink, hasPackedId, type UnfollowedLink } from './outlinks.ts';
import type { RunVisitValues, VisitRow } from './visit-log.ts';

/**
 * Part of the port `EngineStore`: what says why a URL is, or is not, visited. Reads only. Promises:
 * 1. `pathTo` leads from a record over the pages that named it first to where the crawler began, at most 20;
 * 2. a host is found by its origin without being made.
 */
export interface UrlLookUp {
  /** Hosts of a crawler by origin, or by host with or without port. */
  findHostIds(crawlerId: number, host: string): Promise<readonly number[]>;
  findHostOf(crawlerId: number, origin: string): Promise<Host | undefined>;
  findPatternId(hostId: number, pattern: string): Promise<number | undefined>;
  findUnfollowedLink(crawlerId: number, url: string): Promise<FoundUnfollowedLink | undefined>;
  /** Different links that were left for that reason and are not known since; an estimate from some 1,000 on. */
  countUnfollowedLinks(crawlerId: number, reason: UnfollowedLink['reason']): Promise<number>;
  placeOf(urlId: number): Promise<UrlNeighbourhood | undefined>;
  /** The record itself first. */
  pathTo(urlId: number): Promise<readonly { readonly url: string; readonly origin: UrlOrigin }[]>;
  /** Pages whose last visit linked to the URL, among the first `limit` pages with links. */
  countInlinks(urlId: number, limit: number): Promise<{ readonly inlinks: number; readonly lookedAt: number }>;
  /** Hosts that pages wait for, at most 1,000, those with most rows first. */
  listWaitingHosts(input: {
    crawlerId: number;
    activation: number;
    startedSince: number;
  }): Promise<readonly WaitingHost[]>;
  /** Hosts that rows wait for or that are held, those with most rows first. */
  listBusyHosts(crawlerId: number, now: number, limit: number): Promise<readonly BusyHost[]>;
}

/** `foundOn` is the id of the page that has the link. */
export type FoundUnfollowedLink = Omit<UnfollowedLink, 'url'> & { readonly foundOn: number; readonly at: number };

export type UrlNeighbourhood = {
  readonly hostId: number;
  readonly patternId: number | undefined;
  /** Its row of the frontier. */
  readonly waiting: WaitingRow | undefined;
};

type WaitingRow = {
  readonly runId: number;
  readonly activation: number;
  readonly stage: Stage;
  readonly priority: number;
  readonly dueAt: number;
  readonly attempts: number;
  readonly crashes: number;
  readonly isLeased: boolean;
};

export type WaitingHost = Pick<HostState, 'id' | 'origin' | 'heldUntil' | 'holdReason' | 'robotsStatus' | 'content'> & {
  readonly waiting: number;
  /** Of the earliest row that waits to be fetched; undefined: files wait for a parser. */
  readonly dueAt: number | undefined;
  /** A row of the host is leased; a visit of it was recorded since the time asked for. */
  readonly isLeased: boolean;
  readonly isVisited: boolean;
};

type BusyHost = {
  readonly origin: string;
  readonly waiting: number;
  readonly heldUntil: number;
  readonly holdReason: Reason | undefined;
  /** JSON: what was learned about its pace. */
  readonly pace: string | undefined;
};

const LONGEST_PATH = 20;
const MOST_WAITING = 1_000;
const LOWEST_PRIORITY = 3;
/** Rows with links that are read at once. */
const LINK_STEP = 500;
/** Newest rows of the log among which a discarded URL is looked for: 2 ms. */
const DISCARDED_ROWS = 5_000;

type NeighbourhoodRow = {
  host_id: number;
  pattern_id: number | null;
  run_id: number | null;
  activation: number | null;
  stage: number | null;
  priority: number | null;
  due_at: number | null;
  attempts: number | null;
  crashes: number | null;
  lane_id: number | null;
};

export const lookUpStatements = {
  place: statement<{ id: number }, NeighbourhoodRow>((p) =>
    rawQuery(sql<NeighbourhoodRow>`SELECT urls.host_id, urls.pattern_id, frontier.run_id, frontier.activation, frontier.stage,
      frontier.priority, frontier.due_at, frontier.attempts, frontier.crashes, frontier.lane_id
      FROM urls LEFT JOIN frontier ON frontier.url_id = urls.id WHERE urls.id = ${p.id}`),
  ),
  step: statement<{ id: number }, { url: string; origin: number; found_on: number | null }>((p) =>
    rawQuery(sql<{ url: string; origin: number; found_on: number | null }>`SELECT url, origin, found_on FROM urls
      WHERE id = ${p.id}`),
  ),
  links: statement<{ after: number; limit: number }, { url_id: number; targets: Uint8Array }>((p) =>
    rawQuery(sql<{ url_id: number; targets: Uint8Array }>`SELECT url_id, targets FROM outlinks
      WHERE url_id > ${p.after} ORDER BY url_id LIMIT ${p.limit}`),
  ),
  hostsOf: statement<{ crawlerId: number }, { id: number; origin: string }>((p) =>
    rawQuery(sql<{ id: number; origin: string }>`SELECT id, origin FROM hosts WHERE crawler_id = ${p.crawlerId}`),
  ),
  discarded: statement<{ crawlerId: number; url: string }, { at: number; reason: number }>((p) =>
    rawQuery(sql<{ at: number; reason: number }>`SELECT at, reason FROM (SELECT at, reason, url FROM visits
      WHERE crawler_id = ${p.crawlerId} ORDER BY at DESC LIMIT ${sql.lit(DISCARDED_ROWS)}) AS newest
      WHERE newest.url = ${p.url} LIMIT 1`),
  ),
  patternId: statement<{ hostId: number; pattern: string }, { id: number }>((p) =>
    rawQuery(sql<{ id: number }>`SELECT id FROM url_patterns WHERE host_id = ${p.hostId} AND pattern = ${p.pattern}`),
  ),
  busyHosts: statement<{ crawlerId: number; now: number; limit: number }, BusyRow>((p) =>
    rawQuery(sql<BusyRow>`SELECT origin, waiting, held_until, hold_reason, pace FROM hosts
      WHERE crawler_id = ${p.crawlerId} AND (waiting > 0 OR held_until > ${p.now})
      ORDER BY waiting DESC, id LIMIT ${p.limit}`),
  ),
  waitingHosts: statement<{ crawlerId: number; activation: number; startedSince: number }, WaitingHostRow>((p) =>
    rawQuery(sql<WaitingHostRow>`SELECT id, origin, waiting, held_until, hold_reason, robots_status,
      not_found, probe, believed_until,
      ${earliestRow({ ...rowsOf(p), stage: sql.lit(STAGES.indexOf('page')) })} AS page_due,
      ${earliestRow({ ...rowsOf(p), stage: sql.lit(STAGES.indexOf('render')) })} AS render_due,
      id IN (SELECT frontier.host_id FROM lanes JOIN frontier ON frontier.lane_id = lanes.id
        WHERE lanes.crawler_id = ${p.crawlerId}) AS leased,
      id IN (SELECT urls.host_id FROM visits JOIN urls ON urls.id = visits.url_id
        WHERE visits.crawler_id = ${p.crawlerId} AND visits.at > ${p.startedSince}) AS visited
      FROM hosts WHERE crawler_id = ${p.crawlerId} AND waiting > 0 ORDER BY waiting DESC, id
      LIMIT ${sql.lit(MOST_WAITING)}`),
  ),
  runVisits: statement<RunVisitValues, VisitRow>((p) =>
    rawQuery(sql<VisitRow>`SELECT visits.id, coalesce(visits.url, urls.url) AS url, visits.run_id, visits.at,
      visits.outcome, visits.reason, visits.http_status, visits.bytes, visits.millis, visits.detail
      FROM visits LEFT JOIN urls ON urls.id = visits.url_id
      WHERE visits.crawler_id = ${p.crawlerId} AND visits.at BETWEEN ${p.since} AND ${least(p.until, p.beforeAt)}
      AND (visits.at < ${p.beforeAt} OR visits.id < ${p.beforeId}) AND visits.run_id = ${p.runId}
      ORDER BY visits.at DESC, visits.id DESC LIMIT ${p.limit}`),
  ),
};

type WaitingHostRow = ContentColumns & {
  id: number;
  origin: string;
  waiting: number;
  held_until: number;
  hold_reason: string | null;
  robots_status: number | null;
  page_due: number | null;
  render_due: number | null;
  leased: number;
  visited: number;
};

function rowsOf({ crawlerId, activation }: { readonly crawlerId: number; readonly activation: number }) {
  return { crawlerId, activation, maxPriority: sql.lit(LOWEST_PRIORITY) };
}

type BusyRow = {
  origin: string;
  waiting: number;
  held_until: number;
  hold_reason: string | null;
  pace: string | null;
};

export const urlLookUp = defineStore<UrlLookUp>()(
  {
    *findHostIds(crawlerId, host) {
      const hosts = yield* fetchAll(lookUpStatements.hostsOf, { crawlerId });
      return hosts.flatMap(({ id, origin }) => (isHost(origin, host) ? id : []));
    },
    *findHostOf(crawlerId, origin) {
      const found = yield* fetchFirst(hostStatements.find, { crawlerId, origin });
      return found === undefined ? undefined : yield* findHost(found.id);
    },
    *findPatternId(hostId, pattern) {
      return (yield* fetchFirst(lookUpStatements.patternId, { hostId, pattern }))?.id;
    },
    findUnfollowedLink,
    countUnfollowedLinks,
    placeOf,
    pathTo,
    countInlinks,
    *listWaitingHosts(input) {
      return (yield* fetchAll(lookUpStatements.waitingHosts, input)).map(waitingHost);
    },
    *listBusyHosts(crawlerId, now, limit) {
      return (yield* fetchAll(lookUpStatements.busyHosts, { crawlerId, now, limit })).map(busyHost);
    },
  },
  {},
);

function isHost(origin: string, text: string): boolean {
  const { host, hostname } = new URL(origin);
  return [origin, host, hostname].includes(text);
}

function* placeOf(id: number): Operation<UrlNeighbourhood | undefined> {
  const row = yield* fetchFirst(lookUpStatements.place, { id });
  if (row === undefined) return undefined;
  return { hostId: row.host_id, patternId: row.pattern_id ?? undefined, waiting: waitingOf(row) };
}

function waitingOf(row: NeighbourhoodRow): WaitingRow | undefined {
  if (row.run_id === null) return undefined;
  return {
    runId: row.run_id,
    activation: row.activation ?? 0,
    stage: STAGES[row.stage ?? 0] as Stage,
    priority: row.priority ?? 0,
    dueAt: row.due_at ?? 0,
    attempts: row.attempts ?? 0,
    crashes: row.crashes ?? 0,
    isLeased: row.lane_id !== null,
  };
}

function* pathTo(urlId: number) {
  const path: { url: string; origin: UrlOrigin }[] = [];
  let id: number | null = urlId;
  while (id !== null && path.length < LONGEST_PATH) {
    const row: { url: string; origin: number; found_on: number | null } | undefined = yield* fetchFirst(
      lookUpStatements.step,
      { id },
    );
    if (row === undefined || path.some(({ url }) => url === row.url)) break;
    path.push({ url: row.url, origin: URL_ORIGINS[row.origin] as UrlOrigin });
    id = row.found_on;
  }
  return path;
}

/** Links are kept by the page that has them: those that have this one are found by looking at pages. */
function* countInlinks(urlId: number, limit: number) {
  let inlinks = 0;
  let lookedAt = 0;
  for (let after = 0; lookedAt < limit; ) {
    const rows = yield* fetchAll(lookUpStatements.links, { after, limit: LINK_STEP });
    lookedAt += rows.length;
    for (const { url_id, targets } of rows) if (url_id !== urlId && hasPackedId(targets, urlId)) inlinks++;
    if (rows.length < LINK_STEP) break;
    after = rows.at(-1)?.url_id ?? after;
  }
  return { inlinks, lookedAt };
}

function waitingHost(row: WaitingHostRow): WaitingHost {
  const due = [row.page_due, row.render_due].filter((at) => at !== null);
  return {
    id: row.id,
    origin: row.origin,
    heldUntil: row.held_until,
    holdReason: REASONS.find((reason) => reason === row.hold_reason),
    robotsStatus: row.robots_status ?? undefined,
    content: contentOf(row),
    waiting: row.waiting,
    dueAt: due.length === 0 ? undefined : Math.min(...due),
    isLeased: row.leased === 1,
    isVisited: row.visited === 1,
  };
}

function busyHost({ origin, waiting, held_until, hold_reason, pace }: BusyRow): BusyHost {
  const holdReason = REASONS.find((reason) => reason === hold_reason);
  return { origin, waiting, heldUntil: held_until, holdReason, pace: pace ?? undefined };
}
