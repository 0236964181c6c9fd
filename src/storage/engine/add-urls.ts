import { sql } from 'kysely';
import { FRONTIER_FLAGS, type RunState, STAGES, URL_KINDS, URL_ORIGINS, URL_STATES } from '../../core/crawl-words.ts';
import { keyOfUrl } from '../../core/url.ts';
import { least } from '../sql/dialect.ts';
import {
  all,
  executeEach,
  fetchFirst,
  fetchFirstOfEach,
  mapSeries,
  mapTogether,
  type Operation,
  submit,
  submitEach,
} from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import type { CrawlCounts } from './crawl-counts.ts';
import type { NewUrl } from './frontier.ts';
import { closedFor, FRESH, type PatternState, patternStatements, REFUSED } from './patterns.ts';
import { type FoundUrl, urlStatements } from './url-records.ts';

/** Where new rows of a write belong. */
export type Placement = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly runId: number;
  readonly foundOn: number | null;
  readonly now: number;
};

/** URLs by their text, with what was known of each. */
export type UrlLookUps = ReadonlyMap<string, LookedUp>;
type LookedUp = { readonly key: bigint; readonly known: FoundUrl | undefined };

export type PlacedUrl = { readonly placement: Placement; readonly url: NewUrl };

/** `id`: undefined for a link that is refused as a trap, of which a record is all that is kept. */
export type AddedUrl = { readonly id: number | undefined; readonly isNew: boolean };

type FoundRow = { activation: number; lane_id: number | null; host_id: number; run_id: number; state: string };

type FrontierRow = {
  urlId: number;
  crawlerId: number;
  activation: number;
  runId: number;
  hostId: number;
  stage: number;
  priority: number;
  dueAt: number;
  flags: number;
};

export const frontierRowStatements = {
  find: statement<{ urlId: number }, FoundRow>((p) =>
    engineSql
      .selectFrom('frontier')
      .innerJoin('runs', 'runs.id', 'frontier.run_id')
      .select(['frontier.activation', 'frontier.lane_id', 'frontier.host_id', 'frontier.run_id', 'runs.state'])
      .where('frontier.url_id', '=', p.urlId),
  ),
  drop: statement<{ urlId: number }>((p) => engineSql.deleteFrom('frontier').where('url_id', '=', p.urlId)),
  insert: statement<FrontierRow>((p) =>
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
};

/** What is known of URLs; each is asked for once. */
export function* lookUpUrls(crawlerId: number, urls: Iterable<Pick<NewUrl, 'url'>>): Operation<UrlLookUps> {
  const keys = new Map<string, bigint>();
  for (const { url } of urls) if (!keys.has(url)) keys.set(url, keyOfUrl(url));
  const found = yield* fetchFirstOfEach(
    urlStatements.find,
    Array.from(keys.values(), (key) => ({ crawlerId, key })),
  );
  const lookUps = new Map<string, LookedUp>();
  for (const [url, key] of keys) lookUps.set(url, { key, known: found[lookUps.size] });
  return lookUps;
}

/**
 * Inside a write: URLs of one crawler that were looked up in it, in order; the frontier row of each is made or merged as
 * it says. As with `addUrl` for one after the other, in some four exchanges with a server however many they are.
 */
export function* addFoundUrls(input: {
  readonly urls: readonly PlacedUrl[];
  readonly found: UrlLookUps;
  readonly counts: CrawlCounts;
}): Operation<readonly AddedUrl[]> {
  const { urls, found, counts } = input;
  const places = new Map<string, number>();
  const fresh: FreshUrl[] = [];
  const known: (PlacedUrl & { readonly record: FoundUrl })[] = [];
  for (const placed of urls) {
    if (places.has(placed.url.url)) continue;
    places.set(placed.url.url, places.size);
    const { key, known: record } = found.get(placed.url.url) ?? { key: keyOfUrl(placed.url.url), known: undefined };
    if (record === undefined) fresh.push({ ...placed, key });
    else known.push({ ...placed, record });
  }
  const [added, merged] = yield* all([
    insertUrls(fresh, counts),
    mapTogether(known, ({ placement, url, record }) => addKnown(placement, { url, record }, counts)),
  ]);
  const ids = new Map<string, number | undefined>();
  for (const [at, { url }] of fresh.entries()) ids.set(url.url, added[at]);
  for (const [at, { url }] of known.entries()) ids.set(url.url, merged[at]);
  const isFresh = new Set(fresh.map(({ url }) => url.url));
  return yield* mapSeries(urls, function* ({ placement, url }): Operation<AddedUrl> {
    // One that is named again meets what its first name has made of it.
    if (!places.delete(url.url)) return { id: yield* addUrl(placement, url, counts), isNew: false };
    return { id: ids.get(url.url), isNew: isFresh.has(url.url) };
  });
}

/**
 * Inside a write: the URL's id; its frontier row is made or merged as the request says. Undefined for a link that is
 * refused as a trap: its record is all that is kept.
 */
export function* addUrl(placement: Placement, url: NewUrl, counts: CrawlCounts): Operation<number | undefined> {
  const key = keyOfUrl(url.url);
  const record = yield* fetchFirst(urlStatements.find, { crawlerId: placement.crawlerId, key });
  if (record !== undefined) return yield* addKnown(placement, { url, record }, counts);
  return (yield* insertUrls([{ placement, url, key }], counts))[0];
}

function* addKnown(
  placement: Placement,
  { url, record }: { readonly url: NewUrl; readonly record: FoundUrl },
  counts: CrawlCounts,
): Operation<number | undefined> {
  const { id, host_id: hostId } = record;
  if (record.depth > url.depth) yield* submit(urlStatements.lowerDepth, { id, depth: url.depth });
  const refused = yield* isRefusedAgain(record, url, placement);
  if (refused === true) return undefined;
  const isNew = yield* isNewToSite(record, url, placement.foundOn);
  const isWanted = url.enqueue === 'always' || refused === false || isNew;
  if (isWanted) yield* mergeRow(placement, { ...url, id, hostId }, counts);
  return id;
}

/** A URL that is not known. */
type FreshUrl = PlacedUrl & { readonly key: bigint };

/** Records of different URLs; undefined for those that are refused. */
function* insertUrls(urls: readonly FreshUrl[], counts: CrawlCounts): Operation<readonly (number | undefined)[]> {
  if (urls.length === 0) return [];
  const hosted = yield* counts.hosts.find(urls);
  const counted = yield* counts.patterns.count(hosted);
  const refused = yield* mapTogether(counted, ({ url, pattern, placement }) =>
    isRefused({ ...url, pattern }, placement),
  );
  const inserted = yield* executeEach(
    urlStatements.insert,
    counted.map((url, at) => ({ ...recordOf(url), ...(refused[at] === true ? REFUSED : FRESH) })),
  );
  const rows: FrontierRow[] = [];
  const ids = counted.map(({ placement, url, hostId, pattern }, at) => {
    if (url.kind !== 'sitemap' && url.kind !== 'feed') counts.add(placement.runId, 'found', 1);
    const id = inserted[at]?.lastId;
    if (refused[at] === true || id === undefined) return undefined;
    const priority = pattern.quarantine === 1 ? Math.max(url.priority, LAST_PRIORITY) : url.priority;
    rows.push(countedRow(placement, { ...url, priority, id, hostId }, counts));
    return id;
  });
  yield* submitEach(frontierRowStatements.insert, rows);
  return ids;
}

function recordOf(fresh: FreshUrl & { readonly hostId: number; readonly pattern: PatternState }) {
  const { placement, url, key, hostId, pattern } = fresh;
  const { crawlerId, foundOn, now } = placement;
  return {
    crawlerId,
    hostId,
    foundOn,
    now,
    key,
    url: url.url,
    depth: url.depth,
    patternId: pattern.id,
    origin: URL_ORIGINS.indexOf(url.origin),
    kind: URL_KINDS.indexOf(url.kind ?? 'page'),
  };
}

const LAST_PRIORITY = 3;

/** A URL that was only ever sent, and discarded, is no page of the site before it is found there. */
function* isNewToSite(
  known: { readonly id: number; readonly origin: number; readonly state: number },
  { origin }: NewUrl,
  foundOn: number | null,
): Operation<boolean> {
  const wasOnlySent = known.origin === QUEUED_ORIGIN && known.state === KNOWN_STATE;
  if (!wasOnlySent || origin === 'queued') return false;
  yield* submit(urlStatements.setOrigin, { id: known.id, origin: URL_ORIGINS.indexOf(origin), foundOn });
  return true;
}

const QUEUED_ORIGIN = URL_ORIGINS.indexOf('queued');
const KNOWN_STATE = URL_STATES.indexOf('known');

/** States of a run whose rows are not void. */
const WORKED: ReadonlySet<string> = new Set(['running', 'paused'] satisfies RunState[]);

type KnownUrl = NewUrl & { readonly id: number; readonly hostId: number };

/** A void row gives way to a new one, so that its late holder finds nothing. */
function* mergeRow(placement: Placement, url: KnownUrl, counts: CrawlCounts): Operation<void> {
  const waiting = yield* fetchFirst(frontierRowStatements.find, { urlId: url.id });
  if (waiting !== undefined && waiting.activation >= placement.activation && WORKED.has(waiting.state)) {
    const isForced = (url.flags & FRONTIER_FLAGS.force) !== 0;
    const again = waiting.lane_id !== null && isForced ? FRONTIER_FLAGS.again : 0;
    const { id: urlId, priority, flags } = url;
    yield* submit(frontierRowStatements.merge, { urlId, priority, dueAt: placement.now, flags: flags | again });
    return;
  }
  if (waiting !== undefined) {
    yield* submit(frontierRowStatements.drop, { urlId: url.id });
    if (waiting.lane_id === null) counts.addWaiting(waiting.host_id, -1);
    counts.add(waiting.run_id, 'open', -1);
  }
  yield* insertRow(placement, url, counts);
}

/** Inside a write: the row of a URL that has none. */
export function* insertRow(placement: Placement, url: KnownUrl, counts: CrawlCounts): Operation<void> {
  yield* submit(frontierRowStatements.insert, countedRow(placement, url, counts));
}

function countedRow(placement: Placement, url: KnownUrl, counts: CrawlCounts): FrontierRow {
  const { crawlerId, activation, runId, now: dueAt } = placement;
  const { id: urlId, hostId, priority, flags } = url;
  counts.addWaiting(hostId, 1);
  counts.add(runId, 'open', 1);
  return { urlId, crawlerId, activation, runId, hostId, stage: STAGES.indexOf('page'), priority, dueAt, flags };
}

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
