import { FRONTIER_FLAGS, URL_ORIGINS, URL_STATES, type UrlKind, type UrlOrigin } from '../../core/crawl-words.ts';
import { keyOfUrl } from '../../core/url.ts';
import { defineStore, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { addFoundUrls, insertRow, lookUpUrls, type Placement } from './add-urls.ts';
import { CrawlCounts } from './crawl-counts.ts';
import { type CloseRule, closedFor, isSample, patternStatements } from './patterns.ts';
import { discardEnded } from './run-control.ts';
import { openUrlsRun } from './run-states.ts';

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

export const frontierStatements = {
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

/** URLs that are looked up and added at once. */
const CHUNK = 500;

/** Write operation. */
function* addUrls({ urls, ...input }: AddUrls): Operation<readonly number[]> {
  const counts = new CrawlCounts();
  const placement = { ...input, foundOn: null };
  const ids: number[] = [];
  for (let from = 0; from < urls.length; from += CHUNK) {
    const chunk = urls.slice(from, from + CHUNK);
    const found = yield* lookUpUrls(input.crawlerId, chunk);
    const added = yield* addFoundUrls({ urls: chunk.map((url) => ({ placement, url })), found, counts });
    for (const { id } of added) ids.push(id ?? 0);
  }
  yield* counts.store();
  return ids;
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
