import type { Clock } from '../../core/clock.ts';
import type { StoredDocument } from '../../core/document.ts';
import type { Crawler } from '../../core/records.ts';
import { originOf } from '../../core/url.ts';
import { urlPattern } from '../../core/url-pattern.ts';
import type { EngineStore, EngineStores } from '../../storage/engine-store.ts';
import type { UrlPatternRecord } from '../../storage/pattern-store.ts';
import type { Host, LoggedVisit, Run, UrlRecord } from '../../storage/run-store.ts';
import type { FoundUnfollowedLink, UrlBrowser, UrlNeighbourhood } from '../../storage/url-browser.ts';
import type { HostHolds } from '../host-holds.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { windowOf } from '../rules/run-limits.ts';
import { type Wait, whyNotNow } from '../why-not-now.ts';
import type { WorkOn } from '../work-on.ts';

export type ExplainUrlDeps = {
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
  readonly hostHolds: Pick<HostHolds, 'of'>;
  /** Who could work on the crawler now. */
  readonly workOn: WorkOn;
  /** The last `seq` that searches of the engine see. */
  readonly visibleSeq: (engineId: number) => number;
};

/** Everything that is known about a URL in normal form. */
export type ExplainInputs = {
  readonly url: string;
  readonly crawler: Crawler;
  readonly rules: CrawlRules;
  readonly now: number;
  readonly record: UrlRecord | undefined;
  /** Void rows of the frontier are left out. */
  readonly waiting: UrlNeighbourhood['waiting'];
  readonly run: Run | undefined;
  /** Why it is not visited now; of a waiting URL only. */
  readonly wait: Wait | undefined;
  readonly host: Host | undefined;
  readonly patternText: string;
  readonly pattern: UrlPatternRecord | undefined;
  /** A link to the URL that was not followed; undefined for a URL with a record. */
  readonly left: FoundUnfollowedLink | undefined;
  /** The URL was sent to an inactive crawler. */
  readonly discarded: Awaited<ReturnType<UrlBrowser['findDiscarded']>>;
  /** The URL itself first. */
  readonly path: Awaited<ReturnType<UrlBrowser['pathTo']>>;
  readonly links: Awaited<ReturnType<UrlBrowser['countInlinks']>>;
  /** Newest first. */
  readonly visits: readonly LoggedVisit[];
  readonly document: StoredDocument | undefined;
  readonly visibleSeq: number;
};

const VISITS = 8;
const LONGEST_PATH = 20;
/** Pages whose links are looked at: about 20 ms. */
const LINK_PAGES = 10_000;
const NO_LINKS = { inlinks: 0, lookedAt: 0 };

/** Reads only; nothing is fetched. */
export async function gatherInputs(
  deps: ExplainUrlDeps,
  input: { readonly crawler: Crawler; readonly rules: CrawlRules; readonly url: string },
): Promise<ExplainInputs> {
  const { crawler, rules, url } = input;
  const store = await deps.engineStores.of(crawler.engineId);
  const record = await store.findUrl(crawler.id, url);
  const position = record === undefined ? undefined : await store.placeOf(record.id);
  const waiting = position?.waiting?.activation === crawler.activation ? position.waiting : undefined;
  const host = await store.findHostOf(crawler.id, originOf(url) ?? '');
  const patternText = urlPattern(url);
  const now = deps.clock.now();
  const run = waiting === undefined ? undefined : await store.findRun(waiting.runId);
  const holds = deps.hostHolds.of(originOf(url) ?? '');
  const work = await deps.workOn(store, crawler.id);
  const asked = {
    now,
    crawler,
    run,
    host: host && { ...host, robotsStatus: host.robots?.status },
    holds,
    work,
    url,
    window: windowOf(rules.settings, rules.settings.timezone),
  };
  return {
    url,
    crawler,
    rules,
    now,
    record,
    waiting,
    run,
    wait: waiting && whyNotNow({ ...asked, ...waiting, isQueued: waiting.priority === 0 }),
    host,
    patternText,
    pattern: await patternOf(store, { host, patternText, patternId: position?.patternId }),
    ...(record === undefined ? await tracesOf(store, crawler.id, url) : await historyOf(store, crawler.id, record)),
    document: await store.findDocument(crawler.id, url),
    visibleSeq: deps.visibleSeq(crawler.engineId),
  };
}

/** What an unknown URL has left behind. */
async function tracesOf(store: EngineStore, crawlerId: number, url: string) {
  const left = await store.findUnfollowedLink(crawlerId, url);
  const pages = left === undefined ? [] : await store.pathTo(left.foundOn);
  const path = [{ url, origin: 'link' as const }, ...pages].slice(0, LONGEST_PATH);
  return { left, discarded: await store.findDiscarded(crawlerId, url), path, links: NO_LINKS, visits: [] };
}

async function historyOf(store: EngineStore, crawlerId: number, record: UrlRecord) {
  return {
    left: undefined,
    discarded: undefined,
    path: await store.pathTo(record.id),
    links: await store.countInlinks(record.id, LINK_PAGES),
    visits: await store.listVisits({ crawlerId, urlId: record.id, limit: VISITS }),
  };
}

/** An unknown URL belongs to the pattern that its URL template has on the host. */
async function patternOf(
  store: EngineStore,
  input: { readonly host: Host | undefined; readonly patternText: string; readonly patternId: number | undefined },
): Promise<UrlPatternRecord | undefined> {
  const { host, patternText, patternId } = input;
  const id = patternId ?? (host === undefined ? undefined : await store.findPatternId(host.id, patternText));
  return id === undefined ? undefined : store.findPattern(id);
}
