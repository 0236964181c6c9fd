import { sql } from 'kysely';
import {
  FRONTIER_FLAGS,
  type RunState,
  STAGES,
  URL_KINDS,
  URL_ORIGINS,
  URL_STATES,
  type UrlKind,
  type UrlOrigin,
} from '../../core/crawl-words.ts';
import { keyOfUrl, originOf } from '../../core/url.ts';
import { least } from '../sql/dialect.ts';
import { defineStore, execute, fetchAll, fetchFirst, mapSeries, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { CrawlCounts } from './crawl-counts.ts';
import { hostIdOf } from './hosts.ts';
import {
  type CloseRule,
  closedFor,
  FRESH,
  isSample,
  type PatternState,
  patternStatements,
  REFUSED,
} from './patterns.ts';
import { discardEnded } from './run-control.ts';
import { openUrlsRun } from './run-states.ts';
import { urlStatements } from './url-records.ts';

/**
 * Part of the port `EngineStore`: URLs of crawlers, and the rows of those that wait for a visit. Promises:
 * 1. a URL is known once per crawler, whatever finds it; `addUrls` answers with its id, in order;
 * 2. a URL that waits takes the higher priority, the earlier time and the flags of a second request, and stays one row;
 * 3. a forced request for a leased URL makes it visited once more after the visit under way;
 * 4. rows of an older activation, or of a run that has ended, are void: they are never taken, a newer request replaces
 *    them, `discardVoid` drops them;
 * 5. `hosts.waiting` and `runs.open` equal the rows they count after every call of any part of the port;
 * 6. URLs that an inactive crawler is sent are logged as discarded and leave no other trace.
 */
export interface FrontierStore {
  addUrls(input: AddUrls): Promise<readonly number[]>;
  /** Puts URLs on the frontier of the crawler's open `urls` run, which is made when there is none; forced, priority 0. */
  queueUrls(input: QueueUrls): Promise<readonly number[]>;
  /** Drops waiting rows of older activations and of runs that have ended, at most `limit`; resolves with how many. */
  discardVoid(input: DiscardVoid): Promise<number>;
  /** Puts suspected URLs whose recheck is due on the open `urls` run; resolves with how many. */
  queueConfirmations(input: Omit<QueueUrls, 'urls'>, limit: number): Promise<number>;
}

type AddUrls = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly runId: number;
  readonly now: number;
  readonly urls: readonly NewUrl[];
};

/**
 * A URL in normal form; `kind` only says what a new one is. `if-new`: known ones are left as they are; `always`: known ones are
 * visited again.
 */
export type NewUrl = {
  readonly url: string;
  readonly kind?: UrlKind;
  readonly origin: UrlOrigin;
  readonly depth: number;
  /** 0 first, 3 last. */
  readonly priority: number;
  readonly flags: number;
  readonly enqueue: 'if-new' | 'always';
  /** A rule refuses it at sight: it is known as `skipped`/`trap` and does not wait. */
  readonly isTrap?: boolean;
};

type QueueUrls = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly configVersion: number;
  /** Normal forms. */
  readonly urls: readonly string[];
  readonly now: number;
};

type DiscardVoid = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly limit: number;
  readonly now: number;
};

export const frontierStore = defineStore<FrontierStore>()(
  {},
  {
    addUrls,
    queueUrls,
    discardVoid,
    queueConfirmations: (input, limit) => queueConfirmations({ ...input, limit }),
  },
);

type FoundRow = { activation: number; lane_id: number | null; host_id: number; run_id: number; state: string };

export const frontierStatements = {
  find: statement<{ urlId: number }, FoundRow>((p) =>
    engineSql
      .selectFrom('frontier')
      .innerJoin('runs', 'runs.id', 'frontier.run_id')
      .select(['frontier.activation', 'frontier.lane_id', 'frontier.host_id', 'frontier.run_id', 'runs.state'])
      .where('frontier.url_id', '=', p.urlId),
  ),
  drop: statement<{ urlId: number }>((p) => engineSql.deleteFrom('frontier').where('url_id', '=', p.urlId)),
  insert: statement<{
    urlId: number;
    crawlerId: number;
    activation: number;
    runId: number;
    hostId: number;
    stage: number;
    priority: number;
    dueAt: number;
    flags: number;
  }>((p) =>
    engineSql.insertInto('frontier').values({
      url_id: p.urlId,
      crawler_id: p.crawlerId,
      activation: p.activation,
      run_id: p.runId,
      host_id: p.hostId,
      stage: p.stage,
      priority: p.priority,
      due_at: p.dueAt,
      flags: p.flags,
    }),
  ),
  merge: statement<{ urlId: number; priority: number; dueAt: number; flags: number }>((p) =>
    engineSql
      .updateTable('frontier')
      .set({
        // A forced visit begins anew; what a visit under way found is its own.
        stage: sql<number>`CASE WHEN lane_id IS NULL AND (${p.flags} & ${FRONTIER_FLAGS.force}) <> 0 THEN 0 ELSE stage END`,
        detail: sql<
          string | null
        >`CASE WHEN lane_id IS NULL AND (${p.flags} & ${FRONTIER_FLAGS.force}) <> 0 THEN NULL ELSE detail END`,
        priority: least(sql.ref('priority'), p.priority),
        due_at: least(sql.ref('due_at'), p.dueAt),
        flags: sql<number>`flags | ${p.flags}`,
      })
      .where('url_id', '=', p.urlId),
  ),
  discardVoid: statement<{ crawlerId: number; activation: number; limit: number }, { host_id: number; run_id: number }>(
    (p) =>
      engineSql
        .deleteFrom('frontier')
        .where('url_id', 'in', (row) =>
          row
            .selectFrom('frontier')
            .select('url_id')
            .where('crawler_id', '=', p.crawlerId)
            .where('activation', '<', p.activation)
            .where('lane_id', 'is', null)
            .limit(p.limit),
        )
        .returning(['host_id', 'run_id']),
  ),
  dueConfirmations: statement<{ crawlerId: number; now: number; limit: number }, { url: string }>((p) =>
    engineSql
      .selectFrom('urls')
      .leftJoin('frontier', 'frontier.url_id', 'urls.id')
      .select('urls.url')
      .where('urls.crawler_id', '=', p.crawlerId)
      .where('urls.state', '=', URL_STATES.indexOf('suspected'))
      .where('urls.next_at', '<=', p.now)
      .where('frontier.url_id', 'is', null)
      .limit(p.limit),
  ),
};

/** Where new rows of a write belong. */
export type Placement = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly runId: number;
  readonly foundOn: number | null;
  readonly now: number;
};

/** Write operation. */
function* addUrls({ urls, ...input }: AddUrls): Operation<readonly number[]> {
  const counts = new CrawlCounts();
  const ids = yield* mapSeries(urls, (url) => addUrl({ ...input, foundOn: null }, url, counts));
  yield* counts.store();
  return ids.map((id) => id ?? 0);
}

/** Write operation: forced, ahead of scheduled work, links not followed. */
function* queueUrls(input: QueueUrls): Operation<readonly number[]> {
  return yield* queue(input, { origin: 'queued', priority: 0, flags: FRONTIER_FLAGS.force });
}

/** Write operation. */
function* queueConfirmations({
  limit,
  ...input
}: Omit<QueueUrls, 'urls'> & { readonly limit: number }): Operation<number> {
  const { crawlerId, now } = input;
  const due = yield* fetchAll(frontierStatements.dueConfirmations, { crawlerId, now, limit });
  if (due.length === 0) return 0;
  const urls = due.map(({ url }) => url);
  return (yield* queue({ ...input, urls }, { origin: 'link', priority: 1, flags: FRONTIER_FLAGS.confirm })).length;
}

function* queue(
  input: QueueUrls,
  how: { readonly origin: UrlOrigin; readonly priority: number; readonly flags: number },
): Operation<readonly number[]> {
  const runId = yield* openUrlsRun(input);
  const urls = input.urls.map((url): NewUrl => ({ url, depth: 0, enqueue: 'always', ...how }));
  return yield* addUrls({ ...input, runId, urls });
}

const LAST_PRIORITY = 3;

/**
 * Inside a write: the URL's id; its frontier row is made or merged as the request says. Undefined for a link that is
 * refused as a trap: its record is all that is kept.
 */
export function* addUrl(placement: Placement, url: NewUrl, counts: CrawlCounts): Operation<number | undefined> {
  const { crawlerId } = placement;
  const key = keyOfUrl(url.url);
  const known = yield* fetchFirst(urlStatements.find, { crawlerId, key });
  if (known === undefined) return yield* insertUrl(placement, { ...url, key }, counts);
  if (known.depth > url.depth) yield* execute(urlStatements.lowerDepth, { id: known.id, depth: url.depth });
  const refused = yield* isRefusedAgain(known, url, placement);
  if (refused === true) return undefined;
  const isNew = yield* isNewToSite(known, url, placement.foundOn);
  const isWanted = url.enqueue === 'always' || refused === false || isNew;
  if (isWanted) yield* mergeRow(placement, { ...url, id: known.id, hostId: known.host_id }, counts);
  return known.id;
}

function* insertUrl(
  placement: Placement,
  url: NewUrl & { readonly key: bigint },
  counts: CrawlCounts,
): Operation<number | undefined> {
  const { crawlerId, runId, foundOn, now } = placement;
  const hostId = yield* hostIdOf(crawlerId, originOf(url.url) ?? '');
  const pattern = yield* counts.patterns.count({ crawlerId, hostId, url: url.url });
  const refused = yield* isRefused({ ...url, pattern }, placement);
  const id = (yield* execute(urlStatements.insert, {
    crawlerId,
    hostId,
    foundOn,
    now,
    key: url.key,
    url: url.url,
    depth: url.depth,
    patternId: pattern.id,
    ...(refused ? REFUSED : FRESH),
    origin: URL_ORIGINS.indexOf(url.origin),
    kind: URL_KINDS.indexOf(url.kind ?? 'page'),
  })).lastId;
  if (url.kind !== 'sitemap' && url.kind !== 'feed') counts.add(runId, 'found', 1);
  if (refused) return undefined;
  const priority = pattern.quarantine === 1 ? Math.max(url.priority, LAST_PRIORITY) : url.priority;
  yield* insertRow(placement, { ...url, priority, id, hostId }, counts);
  return id;
}

/** A URL that was only ever sent, and discarded, is no page of the site before it is found there. */
function* isNewToSite(
  known: { readonly id: number; readonly origin: number; readonly state: number },
  { origin }: NewUrl,
  foundOn: number | null,
): Operation<boolean> {
  const wasOnlySent = known.origin === QUEUED_ORIGIN && known.state === KNOWN_STATE;
  if (!wasOnlySent || origin === 'queued') return false;
  yield* execute(urlStatements.setOrigin, { id: known.id, origin: URL_ORIGINS.indexOf(origin), foundOn });
  return true;
}

const QUEUED_ORIGIN = URL_ORIGINS.indexOf('queued');
const KNOWN_STATE = URL_STATES.indexOf('known');

/** States of a run whose rows are not void. */
const WORKED: ReadonlySet<string> = new Set(['running', 'paused'] satisfies RunState[]);

type KnownUrl = NewUrl & { readonly id: number; readonly hostId: number };

/** A void row gives way to a new one, so that its late holder finds nothing. */
function* mergeRow(placement: Placement, url: KnownUrl, counts: CrawlCounts): Operation<void> {
  const waiting = yield* fetchFirst(frontierStatements.find, { urlId: url.id });
  if (waiting !== undefined && waiting.activation >= placement.activation && WORKED.has(waiting.state)) {
    const isForced = (url.flags & FRONTIER_FLAGS.force) !== 0;
    const again = waiting.lane_id !== null && isForced ? FRONTIER_FLAGS.again : 0;
    const { id: urlId, priority, flags } = url;
    yield* execute(frontierStatements.merge, { urlId, priority, dueAt: placement.now, flags: flags | again });
    return;
  }
  if (waiting !== undefined) {
    yield* execute(frontierStatements.drop, { urlId: url.id });
    if (waiting.lane_id === null) counts.addWaiting(waiting.host_id, -1);
    counts.add(waiting.run_id, 'open', -1);
  }
  yield* insertRow(placement, url, counts);
}

function* insertRow(placement: Placement, url: KnownUrl, counts: CrawlCounts): Operation<void> {
  const { crawlerId, activation, runId, now } = placement;
  const { id: urlId, hostId, priority, flags } = url;
  const stage = STAGES.indexOf('page');
  yield* execute(frontierStatements.insert, {
    urlId,
    crawlerId,
    activation,
    runId,
    hostId,
    stage,
    priority,
    dueAt: now,
    flags,
  });
  counts.addWaiting(hostId, 1);
  counts.add(runId, 'open', 1);
}

/** Inside a write: the row of a URL that was queued again while its visit was under way. */
export function* addRowAgain(
  placement: Placement,
  row: { readonly id: number; readonly hostId: number },
  counts: CrawlCounts,
): Operation<void> {
  const again = { url: '', origin: 'queued', depth: 0, priority: 0, flags: FRONTIER_FLAGS.force } as const;
  yield* insertRow(placement, { ...again, ...row, enqueue: 'always' }, counts);
}

/** Write operation. */
export function* discardVoid(input: DiscardVoid): Operation<number> {
  const counts = new CrawlCounts();
  const rows = yield* fetchAll(frontierStatements.discardVoid, input);
  for (const { host_id, run_id } of rows) {
    counts.addWaiting(host_id, -1);
    counts.add(run_id, 'open', -1);
  }
  yield* counts.store();
  const { crawlerId, limit, now: at } = input;
  return rows.length > 0 ? rows.length : yield* discardEnded({ crawlerId, limit, at });
}

const NAMED_ORIGINS = (['seed', 'sitemap', 'feed', 'queued'] as const).map((origin) => URL_ORIGINS.indexOf(origin));
const KEPT_STATES = (['live', 'suspected'] as const).map((state) => URL_STATES.indexOf(state));

/** Inside a write. Only links are refused: what a seed, a list or the API names is wanted, targets stand for a page. */
function* isRefused(
  url: NewUrl & { readonly pattern: PatternState },
  { foundOn }: { readonly foundOn: number | null },
): Operation<boolean> {
  if (url.origin !== 'link') return false;
  if (url.isTrap === true) return true;
  return (yield* closedFor(url.pattern, foundOn)) !== undefined;
}

/** Inside a write: a link to a URL that was refused before may be named by a better page now. */
function* isRefusedAgain(
  known: { readonly state: number; readonly reason: number; readonly pattern_id: number | null },
  url: NewUrl,
  input: { readonly foundOn: number | null },
): Operation<boolean | undefined> {
  if (url.enqueue === 'always' || known.state !== REFUSED.state || known.reason !== REFUSED.reason) return undefined;
  const pattern = yield* fetchFirst(patternStatements.state, { id: known.pattern_id ?? 0 });
  return pattern === undefined || (yield* isRefused({ ...url, pattern }, input));
}

type WaitingUrl = {
  readonly url: string;
  readonly origin: number;
  readonly state: number;
  readonly run_kind: string;
  readonly run_created_at: number;
  readonly pattern_id: number | null;
  readonly pattern_closed_at: number | null;
  readonly found_on: number | null;
};

/**
 * Inside a write: the rule that keeps a waiting row from being visited. Named ahead of others means that a list, a
 * seed or the API asked for it; pages with a document are kept up.
 */
export function* closedByOf(
  url: WaitingUrl,
  row: { readonly runId: number; readonly priority: number; readonly failures: number },
): Operation<CloseRule | undefined> {
  if (url.pattern_closed_at === null || url.pattern_id === null || url.run_kind === 'urls') return undefined;
  const isNamed = NAMED_ORIGINS.includes(url.origin) || (row.priority <= 1 && row.failures === 0);
  if (isNamed || KEPT_STATES.includes(url.state)) return undefined;
  // The run that closed the pattern has seen enough of it.
  const isLater = url.run_created_at > url.pattern_closed_at;
  if (isLater && isSample(keyOfUrl(url.url), row.runId)) return undefined;
  const pattern = yield* fetchFirst(patternStatements.state, { id: url.pattern_id });
  return pattern === undefined ? undefined : yield* closedFor(pattern, url.found_on);
}
