import type { Clock } from '../../core/clock.ts';
import type { Reason, UrlState } from '../../core/crawl-words.ts';
import type { StoredDocument } from '../../core/document.ts';
import type { Crawler } from '../../core/records.ts';
import { originOf, urlPattern } from '../../core/url.ts';
import type { Host } from '../../storage/engine/hosts.ts';
import type { UrlPatternRecord } from '../../storage/engine/patterns.ts';
import type { Run } from '../../storage/engine/runs.ts';
import type { FoundUnfollowedLink, UrlNeighbourhood } from '../../storage/engine/url-look-up.ts';
import type { UrlRecord } from '../../storage/engine/urls.ts';
import type { LoggedVisit } from '../../storage/engine/visit-log.ts';
import type { EngineStore, EngineStores } from '../../storage/engine-store.ts';
import type { HostHolds } from '../host-holds.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { REASON_TEXTS, type ReasonText } from '../rules/reasons.ts';
import { windowOf } from '../rules/schedule.ts';
import { isHeld, type Wait, type WorkOn, whyNotNow } from '../work-on.ts';
import {
  cutsOf,
  type ExplainedStep,
  hasNoText,
  presentReason,
  type StepName,
  type UrlExplanation,
  type UrlVerdict,
} from './outcome-steps.ts';

type Judged = ReasonText & { readonly verdict: UrlVerdict; readonly reason: Reason };

const UNKNOWN: ReasonText = {
  cause: 'No page, sitemap, feed or person has named this URL.',
  advice: 'Link to it from a page that is crawled, list it in a sitemap, or queue it.',
};
const NOT_YET_INDEXED: ReasonText = {
  cause: 'The document is stored and will be found as soon as the index has it.',
  advice: null,
};
const PUSHED: ReasonText = { cause: 'The document was pushed through the API.', advice: null };
const NEXT_RUN: ReasonText = {
  cause: 'The URL is known and has not been visited yet.',
  advice: 'Start a run, or queue the URL.',
};
const IN_LINE: ReasonText = { cause: 'The URL waits for its visit.', advice: null };
const DELETED: ReasonText = {
  cause: 'The page was read, but its document was deleted since.',
  advice: 'Queue the URL to store it again.',
};

/** The one cause: that a document is there, or the first step that stops the way to one. */
export function judgeUrl(inputs: ExplainInputs, steps: readonly ExplainedStep[]): Judged {
  const { document, record } = inputs;
  const stop = steps.find(({ result }) => result === 'stop');
  if (document !== undefined) {
    if (stop !== undefined) return { verdict: 'stored', reason: storedReason(inputs), ...NOT_YET_INDEXED };
    const reason = storedReason(inputs);
    const text = record === undefined && document.origin === 'pushed' ? PUSHED : REASON_TEXTS[reason];
    return { verdict: 'searchable', reason, ...text };
  }
  const reason = stop?.reason ?? 'none';
  const verdict = verdictOf(inputs, stop?.step);
  return { verdict, reason, ...textOf(inputs, { verdict, reason, step: stop?.step }) };
}

/** Why its host is left alone; else the log tells what the last visit did to the document. */
function storedReason(inputs: ExplainInputs): Reason {
  if (inputs.wait !== undefined && isHeld(inputs.wait)) return inputs.wait.reason;
  if (hasNoText(inputs)) return 'empty';
  if (cutsOf(inputs).length > 0) return 'cut-short';
  return inputs.visits[0]?.reason ?? presentReason(inputs) ?? 'new';
}

function verdictOf({ record, visits, waiting, left }: ExplainInputs, step: StepName | undefined): UrlVerdict {
  if (step === 'discovery' && record === undefined && left === undefined) return 'unknown';
  if (step === 'document' || (AFTER_VISIT.has(step) && wasRemoved(visits))) return 'removed';
  return step === 'frontier' || (waiting !== undefined && step === 'robots') ? 'waiting' : 'not-indexed';
}

/** Steps whose stop may have taken a document away. */
const AFTER_VISIT: ReadonlySet<StepName | undefined> = new Set([
  'scope',
  'fetch',
  'directives',
  'canonical',
  'duplicate',
  'extract',
]);

function wasRemoved(visits: ExplainInputs['visits']): boolean {
  return visits.some(({ outcome }) => outcome === 'removed');
}

function textOf(
  { waiting }: ExplainInputs,
  input: { readonly verdict: UrlVerdict; readonly reason: Reason; readonly step: StepName | undefined },
): ReasonText {
  if (input.step === 'document' && input.reason === 'removed') return DELETED;
  if (input.reason !== 'none') return REASON_TEXTS[input.reason];
  if (input.verdict === 'unknown') return UNKNOWN;
  return waiting === undefined ? NEXT_RUN : IN_LINE;
}

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
  readonly discarded: Awaited<ReturnType<EngineStore['findDiscarded']>>;
  /** The URL itself first. */
  readonly path: Awaited<ReturnType<EngineStore['pathTo']>>;
  readonly links: Awaited<ReturnType<EngineStore['countInlinks']>>;
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
  const waitInput = {
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
    wait: waiting && whyNotNow({ ...waitInput, ...waiting, isQueued: waiting.priority === 0 }),
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

const WHY: Readonly<Record<UrlState, string>> = {
  known: 'The next run visits it for the first time',
  live: 'Its interval has passed then',
  alias: 'It is looked at again, whether it still leads elsewhere',
  duplicate: 'It is looked at again, whether it still has the same content',
  suspected: 'A second look decides about its removal',
  gone: 'It is looked at again, whether it has come back',
  skipped: 'It is looked at again, whether it may be visited',
  failed: 'It is tried again',
};

/** When the URL is visited next, as far as it is known, and why then. */
export function nextVisit({ crawler, record, waiting, wait, now }: ExplainInputs): UrlExplanation['next'] {
  if (waiting !== undefined && wait !== undefined) {
    const at = Math.max(wait.until ?? 0, waiting.dueAt);
    return {
      at: at > now ? at : undefined,
      why: wait.advice === null ? wait.sentence : `${wait.sentence} ${wait.advice}`,
    };
  }
  if (record === undefined) return { at: undefined, why: 'Nothing has named it' };
  if (!crawler.active) return { at: undefined, why: 'The crawler is not active' };
  const { state, nextAt } = record.facts;
  return { at: nextAt, why: WHY[state] };
}
