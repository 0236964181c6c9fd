import { sql } from 'kysely';
import { REASONS, type Reason, STAGES, type Stage, URL_ORIGINS, type UrlOrigin } from '../../../core/crawl-words.ts';
import type { FrontierStore } from '../../frontier-store.ts';
import type { LoggedVisit, RunStore } from '../../run-store.ts';
import type { BusyHost, RunVisits, UrlBrowser, UrlNeighbourhood, WaitingHost, WaitingRow } from '../../url-browser.ts';
import { defineStore, fetchAll, fetchFirst, type Operation } from '../operation.ts';
import { rawQuery, statement } from '../statement.ts';
import { followClockJumps } from '../system/installation.ts';
import { addUrls, discardVoid, queueConfirmations, queueUrls } from './frontier.ts';
import {
  type ContentColumns,
  contentOf,
  countHeldHosts,
  crawlersWithRows,
  earliestRow,
  ensureHost,
  findHost,
  freeRobots,
  heldUntil,
  hostStatements,
  hostsWithWork,
  leaseRobots,
  savePaces,
  saveRobots,
} from './hosts.ts';
import { abandonedLanes, beatLane, freeLane, leasedLanes, listLanes, takeLane, withdrawLane } from './lanes.ts';
import { countUnfollowedLinks, findUnfollowedLink, hasPackedId } from './outlinks.ts';
import { correctOpen, cutRun, discardRun, pauseRuns, resumeRuns, stopRun } from './run-control.ts';
import { planRun } from './run-plan.ts';
import {
  countRuns,
  createRun,
  dropQueueRuns,
  endRun,
  failRun,
  findRun,
  finishRun,
  listRuns,
  livingRuns,
  livingRunsOf,
  scheduledRuns,
  startRun,
  stopRuns,
} from './runs.ts';
import { makeDue, returnLeases, takeDue } from './take-due.ts';
import { countUrlsBy, nameGroups, stepUrls } from './url-browser.ts';
import { countUrls, countUrlsUpTo, findUrl } from './url-records.ts';
import { dropVisits, listVisits, logDiscarded, loggedVisitOf, type VisitRow } from './visit-log.ts';
import { recordVisits } from './visits.ts';

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

type RunVisitValues = {
  crawlerId: number;
  runId: number;
  since: number;
  until: number;
  beforeAt: number;
  beforeId: number;
  limit: number;
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
      WHERE visits.crawler_id = ${p.crawlerId} AND visits.at BETWEEN ${p.since} AND min(${p.until}, ${p.beforeAt})
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

export const urlBrowser = defineStore<UrlBrowser>()(
  {
    *stepUrls(filter, after, limit) {
      return yield* stepUrls({ filter, after, limit });
    },
    *countUrlsBy(by, filter, after) {
      return yield* countUrlsBy({ by, filter, after });
    },
    nameGroups,
    *findHostIds(crawlerId, host) {
      return (yield* fetchAll(lookUpStatements.hostsOf, { crawlerId })).flatMap(({ id, origin }) =>
        isHost(origin, host) ? id : [],
      );
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
    *findDiscarded(crawlerId, url) {
      const row = yield* fetchFirst(lookUpStatements.discarded, { crawlerId, url });
      return row && { at: row.at, reason: REASONS[row.reason] as Reason };
    },
    placeOf,
    pathTo,
    countInlinks,
    *listWaitingHosts(input) {
      return (yield* fetchAll(lookUpStatements.waitingHosts, input)).map(waitingHost);
    },
    *listBusyHosts(crawlerId, now, limit) {
      return (yield* fetchAll(lookUpStatements.busyHosts, { crawlerId, now, limit })).map(busyHost);
    },
    listRunVisits,
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

function* listRunVisits(input: RunVisits): Operation<readonly LoggedVisit[]> {
  const { before, ...rest } = input;
  const beforeAt = before?.at ?? Number.MAX_SAFE_INTEGER;
  const beforeId = before?.id ?? Number.MAX_SAFE_INTEGER;
  return (yield* fetchAll(lookUpStatements.runVisits, { ...rest, beforeAt, beforeId })).map(loggedVisitOf);
}

/** The crawling part of an engine's store: reads on this thread, writes on the write thread. */
export const frontierStore = defineStore<FrontierStore>()(
  {},
  {
    addUrls,
    queueUrls,
    logDiscarded,
    takeLane,
    beatLane,
    freeLane,
    takeDue,
    returnLeases,
    makeDue: (hostId, input) => makeDue({ hostId, ...input }),
    followClockJumps,
    recordVisits,
    discardVoid,
    queueConfirmations: (input, limit) => queueConfirmations({ ...input, limit }),
  },
);

/** Runs, hosts and what has been seen. */
export const runStore = defineStore<RunStore>()(
  {
    findRun,
    listRuns,
    scheduledRuns,
    livingRuns,
    livingRunsOf,
    hostsWithWork,
    findHost,
    countHeldHosts,
    countRuns,
    heldUntil,
    leasedLanes,
    abandonedLanes,
    listLanes,
    crawlersWithRows,
    findUrl,
    countUrls,
    countUrlsUpTo,
    listVisits,
  },
  {
    createRun,
    ensureHost,
    startRun,
    planRun,
    endRun,
    finishRun,
    failRun,
    cutRun,
    pauseRuns,
    resumeRuns,
    stopRun,
    stopRuns,
    discardRun,
    correctOpen,
    dropQueueRuns,
    leaseRobots: (hostId, lease) => leaseRobots({ hostId, ...lease }),
    freeRobots,
    savePaces,
    saveRobots,
    withdrawLane,
    dropVisits,
  },
);
