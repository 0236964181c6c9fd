import { sql } from 'kysely';
import {
  FRONTIER_FLAGS,
  URL_KINDS,
  URL_ORIGINS,
  URL_STATES,
  type UrlKind,
  type UrlOrigin,
} from '../../core/crawl-words.ts';
import { keyOfUrl } from '../../core/url.ts';
import {
  all,
  defineStore,
  execute,
  fetchAll,
  fetchFirst,
  mapTogether,
  type Operation,
  submit,
} from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { addFoundUrls, addUrl, lookUpUrls, type Placement } from './add-urls.ts';
import { wasRemovedLately } from './apply-removals.ts';
import { CrawlCounts } from './crawl-counts.ts';
import type { NewUrl } from './frontier.ts';
import { addListedCount } from './host-trust.ts';
import { putUnfollowedLink } from './outlinks.ts';
import { runStatements } from './run-states.ts';

/**
 * Part of the port `EngineStore`: what sitemaps and feeds name. Promises:
 * 1. an entry becomes a URL record of depth 0 with the time that the list gives it; one that is known keeps its state;
 * 2. a new entry waits in the run, a known one only when its time is new and later than its last visit, or its document
 *    left lately and the run is a full one; once a run;
 * 3. entries enter only while their run is running and holds fewer rows than its page limit;
 * 4. a run visits each sitemap and feed once, and at most 1,000 of them;
 * 5. the seeds of a run enter once, however many begin it.
 */
export interface SitemapStore {
  addSitemapEntries(input: AddSitemapEntries): Promise<SitemapEntryCounts>;
  /** Puts sitemaps and feeds on the frontier of a run, once a run; resolves with how many are new there. */
  addSitemaps(input: AddSitemaps): Promise<number>;
  /** A sitemap or feed of the run has yet to be read. O(lists of the crawler). */
  isReadingSitemaps(crawlerId: number, runId: number): Promise<boolean>;
}

type OfRun = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly runId: number;
  readonly now: number;
};

export type AddSitemapEntries = OfRun & {
  /** URL record of the list. */
  readonly listId: number;
  readonly kind: 'sitemap' | 'feed';
  readonly entries: readonly SitemapEntry[];
  readonly pageLimit: number;
  /** Known entries with a newer time are visited. */
  readonly heedsTimes: boolean;
};

/** A URL in normal form; `at` is its time in the list. */
export type SitemapEntry = { readonly url: string; readonly at: number | undefined };

type SitemapEntryCounts = { readonly added: number; readonly changed: number; readonly beyondLimit: number };

type AddSitemaps = OfRun & {
  readonly foundOn: number | null;
  readonly lists: readonly NewSitemap[];
  /** Of a run that begins: enter in the same write, and with them the lists, unless it has had something to do already. */
  readonly seeds?: readonly NewUrl[];
};

/** A sitemap or feed in normal form; `depth` counts the indexes above it. */
export type NewSitemap = {
  readonly url: string;
  readonly kind: 'sitemap' | 'feed';
  readonly origin: UrlOrigin;
  readonly depth: number;
};

/** Sitemaps and feeds of one run (reliability: limits on what is fetched). */
const MAX_SITEMAPS = 1_000;
/** Kinds from here on are lists. */
const FIRST_SITEMAP_KIND = sql.lit(URL_KINDS.indexOf('sitemap'));
const SITEMAP_PRIORITY = 1;
const ENTRY_PRIORITY = { sitemap: 2, feed: 1 } as const;
const NEWS_PRIORITY = 1;

type KnownRow = {
  id: number;
  host_id: number;
  kind: number;
  state: number;
  depth: number;
  visited_at: number | null;
  next_at: number | null;
  sitemap_lastmod: number | null;
  feed_at: number | null;
};

export const sitemapStatements = {
  find: statement<{ crawlerId: number; key: bigint }, KnownRow>((p) =>
    engineSql
      .selectFrom('urls')
      .select(['id', 'host_id', 'kind', 'state', 'depth', 'visited_at', 'next_at', 'sitemap_lastmod', 'feed_at'])
      .where('crawler_id', '=', p.crawlerId)
      .where('key', '=', p.key),
  ),
  setSitemapTime: statement<{ id: number; at: number }>((p) =>
    engineSql.updateTable('urls').set({ sitemap_lastmod: p.at }).where('id', '=', p.id),
  ),
  setFeedTime: statement<{ id: number; at: number }>((p) =>
    engineSql.updateTable('urls').set({ feed_at: p.at }).where('id', '=', p.id),
  ),
  makeList: statement<{ id: number; kind: number; foundOn: number | null }>((p) =>
    engineSql.updateTable('urls').set({ kind: p.kind, found_on: p.foundOn }).where('id', '=', p.id),
  ),
  namedBy: statement<
    { crawlerId: number; foundOn: number },
    { url: string; kind: number; origin: number; depth: number }
  >((p) =>
    engineSql
      .selectFrom('urls')
      .select(['url', 'kind', 'origin', 'depth'])
      .where('crawler_id', '=', p.crawlerId)
      .where('kind', '>=', FIRST_SITEMAP_KIND)
      .where('found_on', '=', p.foundOn)
      .limit(sql.lit(MAX_SITEMAPS)),
  ),
  countWaiting: statement<{ crawlerId: number; runId: number }, { count: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .innerJoin('frontier', 'frontier.url_id', 'urls.id')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('urls.crawler_id', '=', p.crawlerId)
      .where('urls.kind', '>=', FIRST_SITEMAP_KIND)
      .where('frontier.run_id', '=', p.runId),
  ),
  countOfRun: statement<{ crawlerId: number; runId: number; startedAt: number }, { count: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .leftJoin('frontier', 'frontier.url_id', 'urls.id')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('urls.crawler_id', '=', p.crawlerId)
      .where('urls.kind', '>=', FIRST_SITEMAP_KIND)
      .where((row) => row.or([row('urls.visited_at', '>=', p.startedAt), row('frontier.run_id', '=', p.runId)])),
  ),
};

/** Sitemaps and feeds: reads on this thread, writes on the write thread. */
export const sitemapStore = defineStore<SitemapStore>()(
  {
    *isReadingSitemaps(crawlerId, runId) {
      return (yield* countWaitingSitemaps(crawlerId, runId)) > 0;
    },
  },
  {
    addSitemapEntries,
    addSitemaps,
  },
);

/** Sitemaps and feeds of a run that have yet to be read. O(lists of the crawler). */
export function* countWaitingSitemaps(crawlerId: number, runId: number): Operation<number> {
  return (yield* fetchFirst(sitemapStatements.countWaiting, { crawlerId, runId }))?.count ?? 0;
}

type RunNow = {
  readonly open: number;
  readonly visited: number;
  readonly startedAt: number;
  readonly isFull: boolean;
};

function* runningRun(runId: number): Operation<RunNow | undefined> {
  const run = yield* fetchFirst(runStatements.read, { id: runId });
  if (run?.state !== 'running' && run?.state !== 'paused') return undefined;
  const { open, visited, kind } = run;
  return { open, visited, startedAt: run.started_at ?? run.created_at, isFull: kind === 'full' };
}

/** Something of the run has been on the frontier. */
function* hasBegun(runId: number): Operation<boolean> {
  const run = yield* fetchFirst(runStatements.read, { id: runId });
  return run === undefined || run.plan_done === 1 || run.open > 0 || run.visited > 0;
}

/** Write operation: one chunk of a sitemap or feed. */
function* addSitemapEntries(input: AddSitemapEntries): Operation<SitemapEntryCounts> {
  const sum = { added: 0, changed: 0, beyondLimit: 0 };
  const run = yield* runningRun(input.runId);
  if (run === undefined) return sum;
  const counts = new CrawlCounts();
  const newlyListed = new Map<number, number>();
  // Rows of sitemaps are no pages.
  const pageLimit = input.pageLimit + (yield* countWaitingSitemaps(input.crawlerId, input.runId));
  for (const entry of input.entries) {
    const held = run.open + run.visited + counts.rowsAdded(input.runId);
    const became = yield* addEntry({ input, run, counts, newlyListed, hasRoom: held < pageLimit }, entry);
    if (became !== undefined) sum[became]++;
  }
  for (const [hostId, count] of newlyListed) yield* addListedCount(hostId, count);
  yield* counts.store();
  return sum;
}

type Chunk = {
  readonly input: AddSitemapEntries;
  readonly run: RunNow;
  readonly counts: CrawlCounts;
  /** Host id → URLs that had no time in a sitemap before. */
  readonly newlyListed: Map<number, number>;
  readonly hasRoom: boolean;
};

function* addEntry(chunk: Chunk, entry: SitemapEntry): Operation<keyof SitemapEntryCounts | undefined> {
  const { input, run, counts, hasRoom } = chunk;
  const { crawlerId, activation, runId, now, listId, kind } = input;
  const placement: Placement = { crawlerId, activation, runId, now, foundOn: listId };
  const key = keyOfUrl(entry.url);
  const known = yield* fetchFirst(sitemapStatements.find, { crawlerId, key });
  const url = { url: entry.url, origin: kind, depth: 0, flags: FRONTIER_FLAGS.follow } as const;
  if (known === undefined) {
    if (!hasRoom) {
      yield* putUnfollowedLink(placement, { url: entry.url, reason: 'page-limit', depth: 0 });
      return 'beyondLimit';
    }
    yield* addUrl(placement, { ...url, priority: ENTRY_PRIORITY[kind], enqueue: 'if-new' }, counts);
    const added = yield* fetchFirst(sitemapStatements.find, { crawlerId, key });
    if (added !== undefined) yield* noteTime(chunk, added, entry.at);
    return 'added';
  }
  if (known.kind >= URL_KINDS.indexOf('sitemap')) return undefined;
  const isUnvisited = (known.visited_at ?? 0) < run.startedAt;
  const isNews =
    isUnvisited && ((input.heedsTimes && isNewer(known, chunk, entry.at)) || (yield* isMissed(chunk, known, entry)));
  yield* noteTime(chunk, known, entry.at);
  if (isNews) yield* addUrl(placement, { ...url, priority: NEWS_PRIORITY, enqueue: 'always' }, counts);
  else if (known.depth > 0) yield* addUrl(placement, { ...url, priority: NEWS_PRIORITY, enqueue: 'if-new' }, counts);
  return isNews ? 'changed' : undefined;
}

/** A page whose document left lately, although the list names it: it may be back. */
function* isMissed({ input, run }: Chunk, { state }: KnownRow, { url }: SitemapEntry): Operation<boolean> {
  return run.isFull && state === GONE && (yield* wasRemovedLately({ crawlerId: input.crawlerId, id: url }));
}

const GONE = URL_STATES.indexOf('gone');

function timeOf(known: KnownRow, { input }: Chunk): number | null {
  return input.kind === 'sitemap' ? known.sitemap_lastmod : known.feed_at;
}

function isNewer(known: KnownRow, chunk: Chunk, at: number | undefined): boolean {
  if (at === undefined || known.visited_at === null) return false;
  return at !== timeOf(known, chunk) && at > known.visited_at;
}

function* noteTime(chunk: Chunk, known: KnownRow, at: number | undefined): Operation<void> {
  const before = timeOf(known, chunk);
  if (at === undefined || at === before) return;
  const { newlyListed, input } = chunk;
  if (input.kind === 'feed') yield* execute(sitemapStatements.setFeedTime, { id: known.id, at });
  else yield* execute(sitemapStatements.setSitemapTime, { id: known.id, at });
  if (input.kind === 'sitemap' && before === null) {
    newlyListed.set(known.host_id, (newlyListed.get(known.host_id) ?? 0) + 1);
  }
}

/** Write operation. */
function* addSitemaps({ lists, seeds, ...placement }: AddSitemaps): Operation<number> {
  if (seeds !== undefined && (yield* hasBegun(placement.runId))) return 0;
  const counts = new CrawlCounts();
  for (const seed of seeds ?? []) yield* addUrl(placement, seed, counts);
  const added = yield* putSitemaps(placement, lists, counts);
  yield* counts.store();
  return added;
}

/** Inside a write: sitemaps and feeds that the visited list or page names. */
export function* putSitemaps(
  placement: Placement,
  lists: readonly NewSitemap[],
  counts: CrawlCounts,
): Operation<number> {
  const { crawlerId, runId, foundOn, now } = placement;
  if (lists.length === 0) return 0;
  const [run, known, found] = yield* all([
    runningRun(runId),
    mapTogether(lists, ({ url }) => fetchFirst(sitemapStatements.find, { crawlerId, key: keyOfUrl(url) })),
    lookUpUrls(crawlerId, lists),
  ]);
  if (run === undefined) return 0;
  const { startedAt } = run;
  const wanted = lists.filter((_list, at) => known[at] === undefined || mayVisit(known[at], startedAt, now));
  if (wanted.length === 0) return 0;
  const ofRun = yield* fetchFirst(sitemapStatements.countOfRun, { crawlerId, runId, startedAt });
  const before = counts.rowsAdded(runId);
  const room = Math.max(0, MAX_SITEMAPS - (ofRun?.count ?? 0));
  const taken = wanted.slice(0, room);
  const urls = taken.map((list) => ({
    placement,
    url: { ...list, priority: SITEMAP_PRIORITY, flags: 0, enqueue: 'always' } as const,
  }));
  const added = yield* addFoundUrls({ urls, found, counts });
  for (const [at, { id }] of added.entries()) {
    const kind = URL_KINDS.indexOf(taken[at]?.kind ?? 'sitemap');
    if (id !== undefined) yield* submit(sitemapStatements.makeList, { id, kind, foundOn });
  }
  return counts.rowsAdded(runId) - before;
}

/** Once a run; not a page with a document, and not before its time what was not there. */
function mayVisit(known: KnownRow, startedAt: number, now: number): boolean {
  const isPage = known.kind < URL_KINDS.indexOf('sitemap');
  if (isPage && known.state === URL_STATES.indexOf('live')) return false;
  const isAbsent = known.state === GONE && (known.next_at ?? 0) > now;
  return (known.visited_at ?? -1) < startedAt && !isAbsent;
}

/** Inside a write: the lists that an unchanged list or page named at its last reading. */
export function* putSitemapsAgain(placement: Placement, listId: number, counts: CrawlCounts): Operation<void> {
  const named = yield* fetchAll(sitemapStatements.namedBy, { crawlerId: placement.crawlerId, foundOn: listId });
  const lists = named.map(
    ({ url, kind, origin, depth }): NewSitemap => ({
      url,
      kind: isFeed(kind) ? 'feed' : 'sitemap',
      origin: URL_ORIGINS[origin] as UrlOrigin,
      depth,
    }),
  );
  yield* putSitemaps({ ...placement, foundOn: listId }, lists, counts);
}

function isFeed(kind: number): boolean {
  return (URL_KINDS[kind] as UrlKind) === 'feed';
}
