import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import { firstValue } from '../../core/document.ts';
import { listTime } from '../../extract/lists/list-time.ts';
import type { LastmodObservation } from '../../storage/host-trust.ts';
import type { RunStore } from '../../storage/run-store.ts';
import type { SitemapStore } from '../../storage/sitemap-store.ts';
import { compareDates, isChecked, mayValidate, observesIgnored } from '../rules/lastmod-trust.ts';
import { type Decision, decision, type VisitFacts } from './decision.ts';

/** Detail of a row whose answer of 304 is checked by a visit without validators. */
export const CHECK_304 = '{"check":304}';

const DAY = 86_400_000;
/** Pages whose dates are compared: enough to judge a host by. */
const MAX_COMPARED = 500;

type Store = Pick<SitemapStore, 'isReadingSitemaps'> & Pick<RunStore, 'findUrl'>;

/** The decision with what the visit shows of the host: whether its sitemap and its answers of 304 tell the truth. */
export async function withTrust(
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
