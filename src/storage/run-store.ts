import type { Outcome, Reason, RunKind, RunState, Stage, UrlOrigin, UrlState } from '../core/crawl-words.ts';
import type { UrlFacts } from './frontier-store.ts';
import type { Hold, HostContent, HostTrust } from './host-store.ts';

/**
 * Part of the port `EngineStore`: runs of crawlers, their hosts and what they have seen. Promises:
 * 1. at most one `full` or `incremental` run of a crawler is under way, and at most one more waits for its end: a second
 *    request joins it, and `full` takes the place of a waiting `incremental`; `whenBusy: 'skip'` makes none, and
 *    `'skip-covered'` none while a `full` one or one of its kind lives;
 * 2. a run changes its state only along planned → running ⇄ paused, running → finishing → finished, or to stopped or
 *    failed from any state before finished; a change from another state does nothing and answers false or nothing;
 * 3. `planRun` puts each URL that the run visits on the frontier once, in steps, whatever dies between them;
 * 4. a run ends (`endRun`) only when its plan is done and no row of it waits or is leased;
 * 5. the log keeps the newest 8 visits of a URL;
 * 6. while a run of a crawler is paused, no row of the crawler is taken, and what is queued waits with it;
 * 7. no row of a run that was stopped or cut is taken any more; URLs that were queued move on to the open `urls` run;
 * 8. robots copies and own holds of a crawler are shared by all processes as soon as they are written;
 * 9. of all who have seen the same robots copy, or none, under the same hold of the host, one gets the right to replace
 *    it; a copy and the hold that it brings are stored together.
 */
export interface RunStore {
  createRun(input: CreateRun): Promise<number | undefined>;
  startRun(runId: number, at: number): Promise<boolean>;
  /** Plans up to `limit` URL records more; `done` when there are none left. */
  planRun(runId: number, limit: number, now: number): Promise<{ readonly planned: number; readonly done: boolean }>;
  /** True when the run turned to `finishing`; a run of queued URLs waits until it has been empty for 10 s. */
  endRun(runId: number, now: number): Promise<boolean>;
  finishRun(runId: number, summary: string, at: number): Promise<boolean>;
  failRun(runId: number, reason: string, at: number): Promise<boolean>;
  /**
   * The run has reached a limit: it takes nothing new and turns to `finishing`, whatever it holds. Its summary so far
   * names the limit and what was left undone, `held` why for hosts that are held for all crawlers; its rows leave
   * through `discardRun`.
   */
  cutRun(runId: number, limit: RunLimit, at: number, held?: ReadonlyMap<string, Reason>): Promise<boolean>;
  /** Pauses the running runs of a crawler; resolves with them. `summary` (JSON) says why, until they go on. */
  pauseRuns(crawlerId: number, at: number, summary?: string): Promise<readonly number[]>;
  resumeRuns(crawlerId: number, at: number): Promise<readonly number[]>;
  /**
   * Stops the `full` and `incremental` runs of a crawler, also those that wait, and resolves with them; its queued URLs
   * go on, also when they were paused.
   */
  stopRun(crawlerId: number, at: number): Promise<readonly number[]>;
  /** Stops living runs of older activations of a crawler; their waiting rows leave through `discardVoid`. */
  stopRuns(crawlerId: number, activation: number, at: number): Promise<readonly number[]>;
  /**
   * Drops waiting rows of a run that was stopped or cut, at most `limit`; resolves with how many. Those of a run that
   * was cut are logged as deferred.
   */
  discardRun(runId: number, limit: number, at: number): Promise<number>;
  /** Sets `open` to the number of the run's rows; resolves with the difference found. */
  correctOpen(runId: number): Promise<number>;

  findRun(runId: number): Promise<Run | undefined>;
  /** Newest first. */
  listRuns(crawlerId: number, limit: number): Promise<readonly Run[]>;
  /** Newest first, without those of queued URLs. */
  scheduledRuns(crawlerId: number, limit: number): Promise<readonly Run[]>;
  /** Drops runs of queued URLs that ended and were made before that time, at most `limit`; resolves with how many. */
  dropQueueRuns(crawlerId: number, before: number, limit: number): Promise<number>;
  countRuns(crawlerId: number): Promise<readonly RunCounters[]>;
  /** Runs that are planned, running, paused or finishing, oldest first, of all crawlers. */
  livingRuns(): Promise<readonly Run[]>;
  livingRunsOf(crawlerId: number): Promise<readonly Run[]>;

  /**
   * Hosts of the crawler with waiting rows and no hold, from `after` (a host id) on; `dueAt` is their earliest row. Stage
   * `file` asks no host, so no hold keeps it.
   */
  hostsWithWork(input: HostsWithWork): Promise<readonly HostWithWork[]>;
  ensureHost(crawlerId: number, origin: string): Promise<Host>;
  findHost(hostId: number): Promise<Host | undefined>;
  /** Hosts that a crawler alone leaves alone, by reason. */
  countHeldHosts(crawlerId: number, now: number): Promise<ReadonlyMap<Reason, number>>;
  /** Until when the crawler alone leaves a host alone; 0 when it never did. */
  heldUntil(hostId: number): Promise<number>;
  /** `hold`: of a host whose file is unreachable; a shorter one never replaces a longer one. */
  saveRobots(hostId: number, copy: RobotsCopy, hold: Hold | undefined): Promise<void>;
  /** The right to ask for robots.txt: false while somebody else has it, and when somebody else has just used it. */
  leaseRobots(hostId: number, lease: RobotsLease): Promise<boolean>;
  /** Gives back the right that was had since `leasedAt`, unused. */
  freeRobots(hostId: number, leasedAt: number): Promise<void>;
  savePaces(crawlerId: number, paces: ReadonlyMap<string, ObservedPace>): Promise<void>;

  /** Lanes of all crawlers that somebody has. */
  leasedLanes(): Promise<readonly WatchedLane[]>;
  /** Takes a lane from a holder that is gone; its rows wait for the next one. False when it has beaten since it was read. */
  withdrawLane(lane: WithdrawLane): Promise<boolean>;
  /** Lanes without a holder that rows are leased to. */
  abandonedLanes(): Promise<readonly FencedLane[]>;
  listLanes(crawlerId: number): Promise<readonly Lane[]>;
  /** Crawlers with waiting rows, due or not. */
  crawlersWithRows(): Promise<readonly number[]>;

  findUrl(crawlerId: number, url: string): Promise<UrlRecord | undefined>;
  /** Pages and files by state. */
  countUrls(crawlerId: number): Promise<ReadonlyMap<UrlState, number>>;
  /** Pages and files of one state, counted up to `limit`: 10,000 in 0.3 ms. */
  countUrlsUpTo(of: { readonly crawlerId: number; readonly state: UrlState; readonly limit: number }): Promise<number>;
  /** Newest first; of one URL or of the whole crawler. */
  listVisits(of: { crawlerId: number; urlId?: number; limit: number }): Promise<readonly LoggedVisit[]>;
  /** Drops log rows of a crawler that are older, at most `limit`; resolves with how many. */
  dropVisits(crawlerId: number, before: number, limit: number): Promise<number>;
}

export type CreateRun = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly kind: 'full' | 'incremental';
  readonly startedBy: string;
  readonly configVersion: number;
  readonly at: number;
  readonly whenBusy: 'wait' | 'skip' | 'skip-covered';
};

/** Settings that end a run before everything was visited. */
export type RunLimit = 'runMinutes' | 'runBytes';

export type RunCounts = {
  readonly open: number;
  readonly found: number;
  readonly visited: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly notModified: number;
  readonly skipped: number;
  readonly failed: number;
  /** Pages read in a browser. */
  readonly rendered: number;
  readonly files: number;
  readonly bytes: number;
  readonly removed: number;
  readonly removalsHeld: number;
  /** Visits that met a page which may be gone; its document stays. */
  readonly suspected: number;
};

export type RunCounters = { readonly kind: RunKind; readonly state: RunState; readonly count: number };

export type Run = RunCounts & {
  readonly id: number;
  readonly crawlerId: number;
  readonly activation: number;
  readonly kind: RunKind;
  readonly state: RunState;
  readonly startedBy: string;
  readonly configVersion: number;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly planDone: boolean;
  /** JSON. */
  readonly summary: string | undefined;
  /** Time that the run was paused, up to its last resumption. */
  readonly pausedMs: number;
};

export type HostsWithWork = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly stage: Stage;
  readonly maxPriority: number;
  readonly after: number;
  readonly limit: number;
  readonly now: number;
  /** Hosts that are held for all crawlers; absent: none. */
  readonly heldOrigins?: readonly string[];
};

/** `slots`: fetches at once that it bears, 1 while nothing was learned. */
export type HostWithWork = {
  readonly hostId: number;
  readonly origin: string;
  readonly dueAt: number;
  readonly slots: number;
};

export type Host = {
  readonly id: number;
  readonly origin: string;
  /** What this crawler alone leaves the host for: an unreachable robots.txt, pages that look strange. */
  readonly heldUntil: number;
  readonly holdReason: Reason | undefined;
  /** In a row. */
  readonly failures: number;
  /** Last answers, oldest first, at most 50: the first letters of `HostAnswer`, but `x` forbidden. */
  readonly health: string;
  readonly trust: HostTrust;
  readonly content: HostContent;
  readonly robots: RobotsCopy | undefined;
  /** The pace that a crawl learned last. */
  readonly pace: ObservedPace | undefined;
};

/** What a host has shown to bear: slots at once, pause between starts, and how soon its answers begin. */
export type ObservedPace = {
  readonly slots: number;
  readonly spacingMs: number;
  /** Undefined: not measured yet. */
  readonly firstByteMs: number | undefined;
};

/** `seenAt`: when the copy was made that shall be replaced. The right ends `leaseMs` after `now`. */
export type RobotsLease = {
  readonly seenAt: number | undefined;
  /** `heldUntil` of the host when the copy was seen: one that stays unreachable keeps its time. */
  readonly seenHeldUntil: number;
  readonly now: number;
  readonly leaseMs: number;
};

/** `body` undefined: everything is allowed. `status` 0 or less: there was no answer. */
export type RobotsCopy = {
  readonly body: Uint8Array | undefined;
  readonly status: number;
  readonly at: number;
  /** Time of the last usable answer. */
  readonly goodAt: number | undefined;
};

export type LaneOf = { readonly crawlerId: number; readonly stage: Stage; readonly lane: number };
export type FencedLane = LaneOf & { readonly fence: number };
export type Lane = FencedLane & { readonly isHeld: boolean };
export type WithdrawLane = { readonly laneId: number; readonly fence: number; readonly beats: number };
export type WatchedLane = LaneOf & WithdrawLane & { readonly holder: string };

export type UrlRecord = {
  readonly id: number;
  readonly url: string;
  readonly origin: UrlOrigin;
  readonly depth: number;
  readonly foundOn: number | undefined;
  readonly targetUrl: string | undefined;
  readonly firstSeenAt: number;
  readonly visitedAt: number | undefined;
  readonly visits: number;
  /** Last change in the words of the sitemap. */
  readonly sitemapLastmod: number | undefined;
  readonly waiting: boolean;
  readonly facts: UrlFacts;
};

export type LoggedVisit = {
  readonly id: number;
  readonly url: string;
  readonly runId: number | undefined;
  readonly at: number;
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly httpStatus: number | undefined;
  readonly bytes: number | undefined;
  readonly millis: number | undefined;
  readonly detail: string | undefined;
};
