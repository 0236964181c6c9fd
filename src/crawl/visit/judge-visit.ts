import type { Clock } from '../../core/clock.ts';
import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import { firstValue } from '../../core/document.ts';
import { originOf } from '../../core/url.ts';
import { listTime } from '../../extract/lists/url-list.ts';
import type { LastmodObservation } from '../../storage/engine/host-trust.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import { compareDates, isChecked, mayValidate, observesIgnored } from '../rules/lastmod-trust.ts';
import { GUARD_WINDOW_MS, type RemovalLoad } from '../rules/removal-policy.ts';
import { decideVisit } from './decide-visit.ts';
import { type Decision, decision, hasDocument, signedHash, type Target, type VisitFacts } from './decision.ts';

export type JudgeDeps = {
  readonly store: RemovalSignalStore & Pick<EngineStore, 'isReadingSitemaps'>;
  readonly removalLoad: ReadRemovalLoad;
};

/**
 * The decision about a visit of any stage, with what the store knows of a page that may be gone or not be itself: the
 * facts need not hold it.
 */
export async function judgeVisit(deps: JudgeDeps, crawlerId: number, facts: VisitFacts): Promise<Decision> {
  const known = await withRemovalSignals(deps.store, crawlerId, facts);
  const decision = decideVisit(known);
  const { document } = decision;
  const isGuarded = document !== undefined && !('put' in document) && document.guard !== undefined;
  if (isGuarded) return decideVisit({ ...known, removals: await deps.removalLoad() });
  return withTrust(deps.store, { crawlerId, facts: known }, decision);
}

/** How long a count of documents may be old: it reads all of a crawler's. */
const FRESH_MS = 60_000;

/** What the guard's number of removals is taken from, read once a minute. */
export type ReadRemovalLoad = () => Promise<RemovalLoad>;

export function removalLoadOf(
  deps: { readonly store: EngineStore; readonly clock: Clock },
  crawlerId: number,
): ReadRemovalLoad {
  let reading: { readonly at: number; readonly load: Promise<RemovalLoad> } | undefined;
  const read = async (now: number): Promise<RemovalLoad> => ({
    removed: await deps.store.countRemoved(crawlerId, now - GUARD_WINDOW_MS),
    documents: await deps.store.countDocuments(crawlerId),
  });
  return () => {
    const at = deps.clock.now();
    if (reading === undefined || at - reading.at >= FRESH_MS) reading = { at, load: read(at) };
    return reading.load;
  };
}

type RemovalSignalStore = Pick<
  EngineStore,
  'findUrl' | 'findHeldRemoval' | 'findDocumentHead' | 'hasSameContent' | 'countTemplatesLeadingTo'
>;

/** The facts with what only the store knows of a page that may be gone or not be itself. */
async function withRemovalSignals(
  store: RemovalSignalStore,
  crawlerId: number,
  facts: VisitFacts,
): Promise<VisitFacts> {
  const { row, host, target } = facts;
  const isSuspected = row.record.state === 'suspected';
  return {
    ...facts,
    held: isSuspected ? await store.findHeldRemoval(crawlerId, row.url) : undefined,
    host: isSuspected ? { ...host, seedStands: await doesSeedStand(store, crawlerId, facts) } : host,
    document: asksForDocument(facts) ? await store.findDocumentHead(crawlerId, row.url) : undefined,
    isElsewhere: await isElsewhere(store, crawlerId, facts),
    target: target?.by === 'redirect' ? await withText(store, crawlerId, target) : target,
  };
}

/** Where the record does not tell: one without a document answers as missing, a live one with something else. */
function asksForDocument({ row, rules, fetched, extraction }: VisitFacts): boolean {
  if (fetched !== undefined && rules.settings.removal.pushed === 'protect') return true;
  if (fetched?.status === 404 || fetched?.status === 410) return !hasDocument(row);
  return extraction !== undefined && hasDocument(row) && isChanged(row, extraction);
}

function isChanged({ record }: VisitFacts['row'], { contentHash }: NonNullable<VisitFacts['extraction']>): boolean {
  return record.contentHash !== signedHash(contentHash);
}

async function isElsewhere(
  store: RemovalSignalStore,
  crawlerId: number,
  { row, extraction }: VisitFacts,
): Promise<boolean> {
  if (extraction === undefined || !hasDocument(row) || !isChanged(row, extraction)) return false;
  return store.hasSameContent({ crawlerId, urlId: row.urlId, contentHash: signedHash(extraction.contentHash) });
}

async function withText(store: RemovalSignalStore, crawlerId: number, target: Target): Promise<Target> {
  const similarity = (await store.findUrl(crawlerId, target.url))?.facts.similarity;
  return { ...target, similarity, urlTemplates: await store.countTemplatesLeadingTo(crawlerId, target.url) };
}

/** Seeds of a host that are asked for. */
const MAX_SEEDS = 20;

/** Does a seed of the host, other than the page itself, answer as it should? True when there is none. */
async function doesSeedStand(
  store: RemovalSignalStore,
  crawlerId: number,
  { row, rules }: VisitFacts,
): Promise<boolean> {
  const origin = originOf(row.url);
  const others = rules.seeds.filter((url) => url !== row.url && originOf(url) === origin);
  for (const url of others.slice(0, MAX_SEEDS)) {
    const seed = await store.findUrl(crawlerId, url);
    if (seed !== undefined && STANDING.has(seed.facts.state) && isAnswer(seed.facts.httpStatus)) return true;
  }
  return others.length === 0;
}

const STANDING: ReadonlySet<string> = new Set(['live', 'alias', 'duplicate', 'skipped']);

/** A seed that was never asked (robots) says nothing bad. */
function isAnswer(status: number | undefined): boolean {
  return status === undefined || status < 400;
}

/** Detail of a row whose answer of 304 is checked by a visit without validators. */
export const CHECK_304 = '{"check":304}';

const DAY = 86_400_000;
/** Pages whose dates are compared: enough to judge a host by. */
const MAX_COMPARED = 500;

type Store = Pick<EngineStore, 'isReadingSitemaps' | 'findUrl'>;

/** The decision with what the visit shows of the host: whether its sitemap and its answers of 304 tell the truth. */
async function withTrust(
  store: Store,
  input: { readonly crawlerId: number; readonly facts: VisitFacts },
  decided: Decision,
): Promise<Decision> {
  const { facts } = input;
  const { row, fetched, host } = facts;
  if (row.runKind === 'urls') return decided;
  if (fetched?.status === 304) return mustCheck(facts) ? checking(facts) : notModified(facts, decided);
  const changed = hasChanged(facts, decided);
  if (row.detail === CHECK_304) return changed ? { ...decided, trust: { check: 'wrong' } } : decided;
  const shown: LastmodObservation = {
    ...(facts.sameBody && ignoresValidators(facts) && { ignored: true as const }),
    ...(host.trust.compared < MAX_COMPARED && comparedDates(facts)),
    ...(changed !== undefined && (await announcedOrSilent(store, input, changed))),
  };
  return Object.keys(shown).length === 0 ? decided : { ...decided, trust: { ...decided.trust, ...shown } };
}

/** Noted once a day: the host's row is written for it. */
function notModified({ host, now }: VisitFacts, decided: Decision): Decision {
  const { notModifiedAt } = host.trust;
  const isKnown = notModifiedAt !== undefined && notModifiedAt > now - DAY;
  return isKnown ? decided : { ...decided, trust: { notModified: true } };
}

function mustCheck({ row, host, now }: VisitFacts): boolean {
  return row.record.bodyHash !== undefined && isChecked(host.trust, row, now);
}

/** The row waits behind the others of its run for the visit without validators. */
function checking({ row, now }: VisitFacts): Decision {
  return decision({
    log: undefined,
    next: { dueAt: now, priority: 3, attempts: row.attempts, to: { stage: 'page', detail: CHECK_304 } },
    trust: { notModified: true, check: 'begun' },
  });
}

/** The record is that of a page read under the present rules, so its validators were sent along. */
function ignoresValidators({ row: { record }, host: { trust }, now }: VisitFacts): boolean {
  const wereSent = (record.etag ?? record.lastModified) !== undefined && mayValidate(trust, now);
  return wereSent && observesIgnored(trust);
}

/** Undefined: the visit cannot tell, because the page was not read before, or under other rules. */
function hasChanged({ row, rules, sameBody }: VisitFacts, { record }: Decision): boolean | undefined {
  const before = row.record;
  const isComparable = before.state === 'live' && before.extractVersion === rules.extractVersion;
  if (!isComparable || before.contentHash === undefined || record?.state !== 'live') return undefined;
  return !sameBody && record.contentHash !== undefined && record.contentHash !== before.contentHash;
}

function comparedDates({
  row,
  fetched,
  extraction,
  now,
}: VisitFacts): Pick<LastmodObservation, 'compared'> | undefined {
  const { sitemapLastmod } = row;
  if (sitemapLastmod === undefined || extraction === undefined) return undefined;
  const texts = [fetched?.headers.get('last-modified') ?? '', firstValue(extraction.fields, 'Modified_date')];
  const own = texts.map((text) => listTime(text)).filter((at) => at !== undefined);
  const shown = own.map((at) => compareDates(sitemapLastmod, at, now)).filter((found) => found !== undefined);
  const compared = shown.find(({ agrees }) => agrees) ?? shown[0];
  return compared === undefined ? undefined : { compared };
}

/** Only visits that would have happened anyway say how often a sitemap is silent (crawling 15.3). */
async function announcedOrSilent(
  store: Store,
  { crawlerId, facts }: { readonly crawlerId: number; readonly facts: VisitFacts },
  changed: boolean,
): Promise<Pick<LastmodObservation, 'announced' | 'silent'> | undefined> {
  const { row, now } = facts;
  const { sitemapLastmod, visitedAt } = row;
  if (sitemapLastmod === undefined || visitedAt === undefined) return undefined;
  const wasDue = row.record.nextAt !== undefined && row.record.nextAt <= now;
  const isAnyway = row.runKind === 'full' || wasDue || (row.flags & FRONTIER_FLAGS.ask) !== 0;
  if (sitemapLastmod > visitedAt) return isAnyway || !changed ? { announced: { changed } } : undefined;
  if (!changed || !isAnyway) return undefined;
  // A sitemap that is still being read may announce the change yet.
  if (await store.isReadingSitemaps(crawlerId, row.runId)) return undefined;
  const present = (await store.findUrl(crawlerId, row.url))?.sitemapLastmod;
  return present !== undefined && present > visitedAt ? { announced: { changed } } : { silent: true };
}
