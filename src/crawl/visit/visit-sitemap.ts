import { type FileHandle, open, rm } from 'node:fs/promises';
import { FRONTIER_FLAGS, type Outcome, type Reason } from '../../core/crawl-words.ts';
import { normalizeUrl, originOf } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import { readUrlList } from '../../extract/lists/read-url-list.ts';
import { URL_LIST_LIMITS, type UrlListEnd, type UrlListEntry } from '../../extract/lists/url-list.ts';
import type { FetchedResource, RedirectVerdict } from '../../fetch/fetcher.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import { type HostTrust, NO_TRUST } from '../../storage/engine/host-trust.ts';
import type { NewSitemap, SitemapEntry } from '../../storage/engine/sitemaps.ts';
import { type CrawlRules, MAX_SITEMAP_DEPTH, refuseSitemap, USUAL_SITEMAPS } from '../rules/crawl-rules.ts';
import { announcesTruly } from '../rules/lastmod-trust.ts';
import { CRASH_BUDGET } from '../rules/retry-policy.ts';
import { failed, failureOfStatus } from './decide-failure.ts';
import {
  type Decision,
  decision,
  type FetchedFacts,
  logOf,
  signedHash,
  type VisitFacts,
  validatorsOf,
} from './decision.ts';
import { factsOf, failureOf, hash64, type VisitDeps, type Visited, type VisitRow } from './visit-url.ts';

/** Entries of one transaction, and children that an index may bring (crawling 9). */
const CHUNK = 1_000;
const MAX_CHILDREN = 1_000;
const READ_BYTES = 64 * 1024;

type SitemapVisitDeps = Omit<VisitDeps, 'extract' | 'removals'>;

type SitemapVisit = Parameters<VisitRow>[1];

export function isSitemap({ record }: DueRow): boolean {
  return record.kind === 'sitemap' || record.kind === 'feed';
}

/** Of what was fetched as a page and is a list of pages. */
export function listKindOf({ trace: { media } }: Pick<Extraction, 'trace'>): 'sitemap' | 'feed' | undefined {
  return media === 'sitemap' || media === 'feed' ? media : undefined;
}

/**
 * One try at a sitemap or feed: its entries enter in chunks, each durable, and the record of the visit comes last, so
 * that a crash repeats and doubles nothing. Undefined when the signal ended it.
 */
export async function visitSitemap(
  deps: SitemapVisitDeps,
  visit: SitemapVisit,
  signal: AbortSignal,
): Promise<Visited | undefined> {
  const host = await deps.store.findHost(visit.row.hostId);
  const trust = host?.trust ?? NO_TRUST;
  const facts = factsOf(deps, { ...visit, host });
  const isGuess = await isGuessed(deps, visit);
  const decided = (more: Partial<VisitFacts>, read: SitemapRead | undefined): Visited => ({
    decision: decideSitemap({ ...facts, ...more }, { read, isGuess }),
    extraction: undefined,
  });
  if (visit.row.crashes >= CRASH_BUDGET)
    return decided({ failure: { reason: 'crashed', detail: undefined } }, undefined);
  try {
    const isReadAgain = await mayNameMissed(deps, visit);
    const resource = await fetchSitemap(deps, { ...visit, isReadAgain }, signal);
    await using body = await openSitemapBytes(resource);
    const fetched = fetchedFacts(resource);
    const isSame = hasSameBody(visit, fetched);
    if (body.bytes === undefined || (isSame && !isReadAgain)) return decided({ fetched }, undefined);
    const read = await readEntries(deps, { ...visit, trust, bytes: body.bytes }, signal);
    if (isSame) return decided({ fetched }, undefined);
    const shown = decided({ fetched }, read);
    if (shown.decision.record?.reason === 'list-shrunk') {
      const { url, record } = visit.row;
      deps.log.warn({ url, before: record.contentChars, entries: read.entries }, 'a sitemap or feed has shrunk');
    }
    return shown;
  } catch (error) {
    if (signal.aborted) return undefined;
    // Somebody else has cleaned the spool.
    const isAway = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const failure = isAway ? ({ reason: 'truncated', detail: undefined } as const) : failureOf(error);
    if (failure !== undefined) return decided({ failure }, undefined);
    return { ...decided({ failure: { reason: 'crashed', detail: undefined } }, undefined), error };
  }
}

/** Nobody named it: it is looked for at a usual place, where nothing was read so far. */
async function isGuessed({ robots }: SitemapVisitDeps, { row, rules }: SitemapVisit): Promise<boolean> {
  const origin = originOf(row.url) ?? '';
  const isUsual = rules.settings.sitemaps === 'auto' && USUAL_SITEMAPS.some((path) => row.url === origin + path);
  if (!isUsual || row.record.changedAt !== undefined) return false;
  const policy = await robots.known(origin);
  return policy?.kind !== 'rules' || policy.sitemaps.length === 0;
}

/** While documents have left lately, each full run looks whether a list names their pages, also one without a change. */
async function mayNameMissed({ store }: SitemapVisitDeps, { crawlerId, row }: SitemapVisit): Promise<boolean> {
  return row.runKind === 'full' && ((await store.countRemovals(crawlerId)).get('removed') ?? 0) > 0;
}

function fetchSitemap(
  deps: SitemapVisitDeps,
  visit: SitemapVisit & { readonly isReadAgain: boolean },
  signal: AbortSignal,
): Promise<FetchedResource> {
  const { row, rules } = visit;
  const { etag, lastModified } = row.record;
  return deps.fetcher.fetch(
    {
      url: row.url,
      purpose: row.record.kind === 'feed' ? 'feed' : 'sitemap',
      headers: rules.headers,
      validators: isKnown(visit) && !visit.isReadAgain ? { etag, lastModified } : undefined,
      limits: { ...rules.limits, fileBytes: URL_LIST_LIMITS.bytes },
      access: rules.access,
      mayFollow: (_from, to) => mayFollow(deps, visit, to, signal),
    },
    signal,
  );
}

/** Read under the present settings: other rules let other entries in. */
function isKnown({ row, rules }: SitemapVisit): boolean {
  const isForced = (row.flags & FRONTIER_FLAGS.force) !== 0;
  return !isForced && row.record.state === 'live' && row.record.extractVersion === rules.configVersion;
}

function hasSameBody(visit: SitemapVisit, { status, bodyHash }: FetchedFacts): boolean {
  return status === 200 && isKnown(visit) && bodyHash === visit.row.record.bodyHash;
}

async function mayFollow(
  { robots }: SitemapVisitDeps,
  { row, rules }: SitemapVisit,
  to: string,
  signal: AbortSignal,
): Promise<RedirectVerdict> {
  const url = normalizeUrl(to, rules.urlRules);
  if (url === undefined) return { follow: false, reason: 'scheme' };
  const refusal = refuseSitemap(rules, { url, kind: row.record.kind === 'feed' ? 'feed' : 'sitemap' });
  if (refusal !== undefined) return { follow: false, reason: refusal.reason };
  const policy = await robots.of(originOf(url) ?? '', signal);
  if (policy.kind === 'unreachable') return { follow: false, reason: 'robots-unreachable' };
  return policy.judge(url).allowed ? { follow: true } : { follow: false, reason: 'robots' };
}

type OpenBytes = AsyncDisposable & { readonly bytes: AsyncIterable<Uint8Array> | undefined };

/** Sitemaps lie in the spool; the name goes at once, the bytes when they are read. */
export async function openSitemapBytes({ body }: FetchedResource): Promise<OpenBytes> {
  if (body === undefined) return { bytes: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  if (body instanceof Uint8Array) return { bytes: oneChunk(body), [Symbol.asyncDispose]: () => Promise.resolve() };
  const file = await open(body.path);
  await rm(body.path, { force: true });
  return { bytes: chunksOf(file), [Symbol.asyncDispose]: () => file.close() };
}

/** Readers may end early and leave it to the owner to close the file. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(READ_BYTES) });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* oneChunk(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

function fetchedFacts({ status, headers, wireBytes, millis, redirects, body }: FetchedResource): FetchedFacts {
  const detail = redirects.length === 0 ? undefined : JSON.stringify({ redirects });
  const isSpooled = body !== undefined && !(body instanceof Uint8Array);
  const bodyHash = isSpooled ? signedHash(body.sha256) : body === undefined ? undefined : hash64(body);
  return { status, headers, wireBytes, millis, detail, isFile: false, bodyHash };
}

async function readEntries(
  deps: SitemapVisitDeps,
  list: SitemapVisit & { readonly trust: HostTrust; readonly bytes: AsyncIterable<Uint8Array> },
  signal: AbortSignal,
): Promise<SitemapRead> {
  const chunk = new Map<string, SitemapEntry>();
  const children = new Map<string, NewSitemap>();
  const sums = { outside: 0, added: 0, changed: 0, beyondLimit: 0 };
  const put = async () => {
    if (chunk.size === 0) return;
    signal.throwIfAborted();
    const counts = await addChunk(deps, list, [...chunk.values()]);
    sums.added += counts.added;
    sums.changed += counts.changed;
    sums.beyondLimit += counts.beyondLimit;
    chunk.clear();
  };
  const batches = readUrlList(list.bytes, list.row.url);
  let step = await batches.next();
  for (; step.done !== true; step = await batches.next()) {
    for (const entry of step.value) {
      if (entry.isSitemap) addChild(children, list, entry);
      else if (!addEntry(chunk, list.rules, entry)) sums.outside++;
      if (chunk.size >= CHUNK) await put();
    }
  }
  await put();
  const end: UrlListEnd = step.value;
  return { ...sums, ...end, children: [...children.values()] };
}

function addChunk(
  { store, clock }: SitemapVisitDeps,
  list: SitemapVisit & { readonly trust: HostTrust },
  entries: readonly SitemapEntry[],
) {
  const { crawlerId, activation, row, rules, trust } = list;
  const kind = row.record.kind === 'feed' ? 'feed' : 'sitemap';
  return store.addSitemapEntries({
    crawlerId,
    activation,
    kind,
    entries,
    runId: row.runId,
    listId: row.urlId,
    now: clock.now(),
    pageLimit: rules.settings.limits.pages,
    heedsTimes: kind === 'feed' || (rules.settings.lastmod !== 'ignore' && announcesTruly(trust)),
  });
}

/** False for what the crawler may not visit. */
function addEntry(chunk: Map<string, SitemapEntry>, rules: CrawlRules, { url: text, at }: UrlListEntry): boolean {
  const url = normalizeUrl(text, rules.urlRules);
  if (url === undefined || !rules.scope({ url, depth: 0, queued: false, knownUrls: 0 }).in) return false;
  chunk.set(url, { url, at });
  return true;
}

function addChild(children: Map<string, NewSitemap>, { row, rules }: SitemapVisit, entry: UrlListEntry): void {
  const url = normalizeUrl(entry.url, rules.urlRules);
  const isTooDeep = row.depth >= MAX_SITEMAP_DEPTH || children.size >= MAX_CHILDREN;
  if (url === undefined || isTooDeep || refuseSitemap(rules, { url, kind: 'sitemap' }) !== undefined) return;
  children.set(url, { url, kind: 'sitemap', origin: 'sitemap', depth: row.depth + 1 });
}

const DAY = 86_400_000;
/** Fewer entries than this share of those before are a warning (crawling 9). */
const SHRUNK_RATIO = 0.5;

/** What reading a sitemap or feed brought. */
type SitemapRead = UrlListEnd & {
  /** Entries that the crawler may not visit, that were new, that were visited again, that found no room. */
  readonly outside: number;
  readonly added: number;
  readonly changed: number;
  readonly beyondLimit: number;
  readonly children: readonly NewSitemap[];
};

/**
 * What becomes of a sitemap or feed. Whatever it answers, no page leaves because of it. `read` is undefined when there
 * was nothing new to read. That a guess is not there is no failure.
 */
function decideSitemap(
  facts: VisitFacts,
  { read, isGuess }: { readonly read: SitemapRead | undefined; readonly isGuess: boolean },
): Decision {
  const absent = (reason: Reason) => absentAs(facts, isGuess ? 'absent' : 'failed', reason);
  const { failure, fetched } = facts;
  if (failure !== undefined) return ofList(failed(facts, failure.reason, failure.detail));
  const status = fetched?.status ?? 0;
  if (status === 304) return same(facts, 'not-modified', 'not-modified');
  if (status === 404 || status === 410) return absent(status === 410 ? 'gone' : 'not-found');
  const reason = failureOfStatus(status);
  if (reason !== undefined) return ofList(failed(facts, reason, undefined));
  if (fetched?.bodyHash === undefined) return absent('unsupported-type');
  if (read === undefined) return same(facts, 'unchanged', 'same-content');
  return read.format === 'unknown' ? absent('unsupported-type') : changed(facts, read);
}

/** Lists say nothing about the pages of their host. */
function ofList(decided: Decision): Decision {
  return decided.answer === 'missing' ? { ...decided, answer: undefined } : decided;
}

function same(facts: VisitFacts, outcome: Outcome, reason: Reason): Decision {
  const { row } = facts;
  return decision({
    log: logOf(facts, outcome, reason, undefined),
    record: { ...row.record, ...validatorsOf(facts), state: 'live', reason, nextAt: undefined },
    lists: 'again',
  });
}

/** Not there, or no list: asked for again a day later, because most guesses stay wrong. */
function absentAs(facts: VisitFacts, outcome: 'absent' | 'failed', reason: Reason): Decision {
  const { row, now } = facts;
  return decision({
    log: logOf(facts, outcome, reason, undefined),
    record: { ...row.record, state: 'gone', reason, httpStatus: facts.fetched?.status, nextAt: now + DAY },
  });
}

function changed(facts: VisitFacts, read: SitemapRead): Decision {
  const { row, rules, now, fetched } = facts;
  const before = row.record.contentChars ?? 0;
  const reason: Reason = read.entries < before * SHRUNK_RATIO ? 'list-shrunk' : 'content-changed';
  const { children, format, entries, cut, ...counts } = read;
  const detail = JSON.stringify({
    format,
    entries,
    lists: children.length,
    cut,
    before: before || undefined,
    ...counts,
  });
  return decision({
    log: logOf(facts, 'changed', reason, detail),
    record: {
      ...row.record,
      ...validatorsOf(facts),
      state: 'live',
      reason,
      nextAt: undefined,
      changedAt: now,
      extractVersion: rules.configVersion,
      bodyHash: fetched?.bodyHash,
      contentChars: entries,
    },
    lists: children,
  });
}
