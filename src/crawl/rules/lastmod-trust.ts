import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import { isWholeDay } from '../../extract/lists/url-list.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { HostTrust } from '../../storage/engine/host-trust.ts';
import type { CrawlSettings } from './settings.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long what a host has shown counts, good or bad (crawling 15.1, 15.3). */
const TRUST_MS = 90 * DAY;
const ANNOUNCED_CHANGES = 10;
const COMPARED_PAGES = 50;
const AGREEING_RATIO = 0.95;
/** Of the pages that are left out, as many are visited all the same. */
const SAMPLE_RATIO = 0.02;
const SAMPLE_PAGES = 20;
/** Announcements from which they are judged, and the share that must come true to be worth a visit. */
const JUDGED_ANNOUNCEMENTS = 20;
const TRUE_RATIO = 0.1;
/** Whole answers to requests with validators from which a host is known to ignore them. */
const IGNORED_VALIDATORS = 20;
/** Answers of 304 that are checked: 5 % in 30 days, spread over ten runs so that none pays for all (crawling 15.1). */
const CHECKED_RATIO = 0.005;
const CHECKING_RUNS = 10;
const CHECK_EVERY_MS = 30 * DAY;

type Lastmod = CrawlSettings['lastmod'];

/** May a page be left out because its sitemap names no change since its last visit? (crawling 15.3) */
export function trustsLastmod(trust: HostTrust, setting: Lastmod, now: number): boolean {
  if (setting !== 'learn') return setting === 'trust';
  if (trust.silentAt !== undefined && trust.silentAt > now - TRUST_MS) return false;
  const announced = trust.announcedAt.filter((at) => at > now - TRUST_MS).length;
  return announced >= ANNOUNCED_CHANGES || hasTrueDates(trust);
}

/** Before ten changes were announced: dates that differ and agree with those of the pages themselves. */
function hasTrueDates({ compared, agreed, oldestAt, newestAt }: HostTrust): boolean {
  return compared >= COMPARED_PAGES && agreed >= compared * AGREEING_RATIO && oldestAt !== newestAt;
}

/**
 * Times that count as evidence: not within an hour of now (a site that writes the present time), and then whether the
 * page's own date lies within a day of it.
 */
export function compareDates(
  listedAt: number,
  ownAt: number,
  now: number,
): { readonly listedAt: number; readonly agrees: boolean } | undefined {
  if (listedAt > now - HOUR) return undefined;
  const earliestAt = isWholeDay(listedAt) ? listedAt - 1.5 * DAY : listedAt;
  return { listedAt, agrees: ownAt >= earliestAt - DAY && ownAt <= listedAt + DAY };
}

/** Announced changes of a sitemap are worth visits until 18 of 20 were none. */
export function announcesTruly({ announced }: HostTrust): boolean {
  const truly = announced.split('1').length - 1;
  return announced.length < JUDGED_ANNOUNCEMENTS || truly > announced.length * TRUE_RATIO;
}

/** The page is not asked for in this run: its sitemap, which is trusted, names no change since the last visit. */
export function isLeftOut(
  row: DueRow,
  rules: { readonly settings: Pick<CrawlSettings, 'lastmod'>; readonly extractVersion: number },
  input: { readonly trust: HostTrust; readonly now: number },
): boolean {
  const { record, sitemapLastmod, visitedAt, flags, runKind } = row;
  const { trust, now } = input;
  const isAsked = (flags & (FRONTIER_FLAGS.force | FRONTIER_FLAGS.confirm | FRONTIER_FLAGS.ask)) !== 0;
  if (isAsked || runKind === 'urls' || row.origin === 'seed' || row.detail !== undefined) return false;
  if (record.state !== 'live' || record.extractVersion !== rules.extractVersion) return false;
  if (sitemapLastmod === undefined || visitedAt === undefined || sitemapLastmod > visitedAt) return false;
  // A full run asks everywhere when asking costs nothing.
  if (runKind === 'full' && hasValidators(row) && heedsValidators(trust, now)) return false;
  if (!trustsLastmod(trust, rules.settings.lastmod, now)) return false;
  return fraction(row.urlId, row.runId) >= Math.max(SAMPLE_RATIO, SAMPLE_PAGES / trust.listed);
}

function hasValidators({ record }: DueRow): boolean {
  return record.etag !== undefined || record.lastModified !== undefined;
}

/** Until it has sent so many pages whole that were as before. */
function heedsValidators(trust: HostTrust, now: number): boolean {
  return mayValidate(trust, now) && trust.ignored < IGNORED_VALIDATORS;
}

/** Is one more page that was sent whole worth writing down? */
export function observesIgnored({ ignored }: HostTrust): boolean {
  return ignored < IGNORED_VALIDATORS;
}

/** A host whose 304 was wrong loses the right to be asked with validators for 90 days. */
export function mayValidate({ wrongAt }: HostTrust, now: number): boolean {
  return wrongAt === undefined || wrongAt <= now - TRUST_MS;
}

/** Is this answer of 304 one of those that are checked? */
export function isChecked({ checked }: HostTrust, row: Pick<DueRow, 'urlId' | 'runId'>, now: number): boolean {
  const isOver = checked === undefined || checked.since <= now - CHECK_EVERY_MS;
  const isDue = isOver || checked.runId === row.runId || checked.runs < CHECKING_RUNS;
  return isDue && fraction(row.urlId, row.runId) < CHECKED_RATIO;
}

/** From 0 to 1, spread evenly, the same for the same numbers: each run takes another sample. */
function fraction(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
