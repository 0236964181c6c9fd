import { hash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { Clock } from '../../core/clock.ts';
import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import { AppError } from '../../core/errors.ts';
import { normalizeUrl, originOf } from '../../core/url.ts';
import type { ExtractInput, Extraction } from '../../extract/extraction.ts';
import { isFileName } from '../../extract/formats.ts';
import type {
  FetchedResource,
  Fetcher,
  FileSpool,
  RedirectVerdict,
  SpoolFile,
  Validators,
} from '../../fetch/fetcher.ts';
import type { Log } from '../../observability/logger.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { ContentUrl } from '../../storage/engine/duplicates.ts';
import { NO_TRUST } from '../../storage/engine/host-trust.ts';
import type { HostFacts } from '../../storage/engine/hosts.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import { isTemporary } from '../rules/canonical.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { compareDuplicates } from '../rules/duplicates.ts';
import { mayValidate } from '../rules/lastmod-trust.ts';
import type { RemovalLoad } from '../rules/removal-policy.ts';
import { CRASH_BUDGET, isFailureReason } from '../rules/retry-policy.ts';
import { mayBeDuplicate } from './decide-duplicate.ts';
import { decideCrashed } from './decide-failure.ts';
import { goesToParser, waitsForRoom, wasLost } from './decide-file.ts';
import {
  type BodyEnd,
  type Decision,
  type FetchedFacts,
  renamed,
  renamedForm,
  signedHash,
  type Target,
  type VisitFacts,
} from './decision.ts';
import { namedTarget, redirectTarget, stateOf } from './find-target.ts';
import { type HostTemplates, sharesOf } from './host-templates.ts';
import { CHECK_304, type JudgeDeps, judgeVisit } from './judge-visit.ts';
import { asUnread, type RenderingDeps, renderingOf } from './page-rendering.ts';
import type { RobotsCopies } from './robots-copies.ts';
import { sourceHeaders } from './source-headers.ts';

/** Bytes → fields: HTML in this process, files in the parser pool. Never rejects but by the signal. */
export type Extract = (input: ExtractInput, signal: AbortSignal) => Promise<Extraction>;

export type VisitDeps = JudgeDeps & {
  readonly store: Pick<
    EngineStore,
    'findUrl' | 'sameContent' | 'declaringUrls' | 'isReadingSitemaps' | 'addSitemapEntries' | 'countRemovals'
  > &
    RenderingDeps['store'] & { findHost(hostId: number): Promise<HostFacts | undefined> };
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly extract: Extract;
  /** Where files wait for a visit of their own; undefined: they are read by the visit that fetches them. */
  readonly spool: FileSpool | undefined;
  readonly robots: RobotsCopies;
  readonly templates: Pick<HostTemplates, 'sampledPagesFor'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
} & Omit<RenderingDeps, 'store'>;

export type Visited = {
  readonly decision: Decision;
  readonly extraction: Extraction | undefined;
  /** What was read. */
  readonly read?: ExtractInput;
  /** Where the page leads, when it stands for another one. */
  readonly target?: Target | undefined;
  /** To be called when the visit is recorded. */
  readonly recorded?: () => Promise<void>;
  /** Something that no visit should meet: the URL is left to the next run, the error belongs into the log. */
  readonly error?: unknown;
};

/** A visit of one stage; undefined when the signal ended it: the row is as it was. */
export type VisitRow = (
  deps: VisitDeps,
  visit: {
    readonly crawlerId: number;
    readonly activation: number;
    readonly row: DueRow;
    readonly rules: CrawlRules;
  },
  signal: AbortSignal,
) => Promise<Visited | undefined>;

/**
 * One try at a URL that scope and robots allow: fetch, extract, decide. Records nothing. Undefined when the signal
 * ended it: the row is as it was.
 */
export async function visitUrl(
  deps: VisitDeps,
  visit: { readonly crawlerId: number; readonly row: DueRow; readonly rules: CrawlRules },
  signal: AbortSignal,
): Promise<Visited | undefined> {
  const { rules, crawlerId } = visit;
  const row = asUnread(visit.row, rules, deps.renderer);
  const host = await deps.store.findHost(row.hostId);
  const facts = factsOf(deps, { row, rules, host });
  if (row.crashes >= CRASH_BUDGET) return alone(decideCrashed(facts));
  const form = renamedForm(facts);
  if (form !== undefined) {
    const target = { url: form, by: 'canonical', state: await stateOf(deps, crawlerId, form) } as const;
    return { ...alone(renamed(facts, target)), target };
  }
  try {
    if (mayBeFile(row) && (await deps.spool?.isFull())) return alone(waitsForRoom(facts));
    return await fetchAndJudge(deps, { crawlerId, facts }, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    const failure = failureOf(error);
    if (failure !== undefined) return alone(await judgeVisit(deps, crawlerId, { ...facts, failure }));
    return { ...alone(decideCrashed(facts)), error };
  }
}

async function fetchAndJudge(
  deps: VisitDeps,
  { crawlerId, facts }: { readonly crawlerId: number; readonly facts: VisitFacts },
  signal: AbortSignal,
): Promise<Visited> {
  const { row, rules } = facts;
  const resource = await fetchPage(deps, { row, rules, facts }, signal);
  await using body = openBody(resource);
  const fetched = fetchedFacts(resource);
  const known = { ...facts, fetched };
  const finalUrl = normalizeUrl(resource.url, rules.urlRules) ?? resource.url;
  if (finalUrl !== row.url && resource.redirects.length > 0) {
    const isToday = isTemporary(resource.redirects.map(({ status }) => status));
    const target = await redirectTarget(deps, { crawlerId }, { url: finalUrl, isTemporary: isToday });
    return { ...alone(await judgeVisit(deps, crawlerId, { ...known, target })), target };
  }
  const sameBody = hasSameBody(row, rules, fetched);
  if (sameBody || resource.body === undefined) {
    const rendering = await renderingOf(deps, { row, rules, fetched, now: facts.now, extraction: undefined });
    return alone(await judgeVisit(deps, crawlerId, { ...known, sameBody, rendering }));
  }
  if (body.file !== undefined && deps.spool !== undefined && !wasLost(row)) {
    if (await deps.spool.isFull()) return alone(waitsForRoom(facts));
    return alone(goesToParser(facts, body.file.keep(), fetched));
  }
  const input = extractInput(deps, { row, rules, resource, body: await body.read() });
  return await judgeRead(deps, { crawlerId, known, input }, signal);
}

function alone(decision: Decision): Visited {
  return { decision, extraction: undefined };
}

type ReadVisit = {
  readonly crawlerId: number;
  readonly known: VisitFacts & { readonly fetched: FetchedFacts };
  readonly input: ExtractInput;
};

/** A page or file whose bytes are there: what it says, and what becomes of it. */
export async function judgeRead(
  deps: VisitDeps,
  { crawlerId, known, input }: ReadVisit,
  signal: AbortSignal,
): Promise<Visited> {
  const { row, rules, fetched, now } = known;
  const sampleSize = fetched.isFile ? undefined : await deps.templates.sampledPagesFor(row);
  const extraction = await deps.extract({ ...input, ...sharesOf(sampleSize) }, signal);
  const { target, fault } = await namedTarget(deps, { crawlerId, row, rules }, extraction);
  const duplicate = await duplicateOf(deps, crawlerId, { row, rules, extraction });
  const rendering = await renderingOf(deps, { row, rules, fetched, now, extraction });
  const decision = await judgeVisit(deps, crawlerId, { ...known, extraction, target, fault, duplicate, rendering });
  const observed = rendering?.kind === 'http' ? { rendering: rendering.observed } : {};
  return { decision: { ...decision, ...observed }, extraction, read: input, target };
}

type VisitContext = { readonly row: DueRow; readonly rules: CrawlRules };

const NO_REMOVALS: RemovalLoad = { removed: 0, documents: 0 };

/** Before anything was fetched. */
export function factsOf(
  deps: Pick<VisitDeps, 'clock' | 'random'>,
  { row, rules, host }: VisitContext & { readonly host: HostFacts | undefined },
): VisitFacts {
  return {
    row,
    rules,
    now: deps.clock.now(),
    jitter: deps.random() * 2 - 1,
    removals: NO_REMOVALS,
    host: {
      health: host?.health ?? '',
      seedStands: true,
      trust: host?.trust ?? NO_TRUST,
      notFound: host?.content.notFound,
      believedUntil: host?.content.believedUntil ?? 0,
    },
    isElsewhere: false,
    held: undefined,
    document: undefined,
    fetched: undefined,
    failure: undefined,
    extraction: undefined,
    target: undefined,
    sameBody: false,
  };
}

function fetchPage(
  deps: VisitDeps,
  { row, rules, facts }: VisitContext & { readonly facts: VisitFacts },
  signal: AbortSignal,
): Promise<FetchedResource> {
  return deps.fetcher.fetch(
    {
      url: row.url,
      purpose: 'page',
      headers: rules.headers,
      validators: validatorsOf(facts),
      limits: rules.limits,
      access: rules.access,
      mayFollow: (_from, to) => mayFollow(deps, { row, rules }, to, signal),
    },
    signal,
  );
}

/** Only of a page that was read under the present rules, and not when the caller says that it has changed. */
function validatorsOf({ row, rules, host, now }: VisitFacts): Validators | undefined {
  const { record, flags, detail } = row;
  const isForced = (flags & FRONTIER_FLAGS.force) !== 0 || detail === CHECK_304 || !mayValidate(host.trust, now);
  if (isForced || !isReadAlready(row, rules)) return undefined;
  return { etag: record.etag, lastModified: record.lastModified };
}

/** Scope and robots of each hop. */
export async function mayFollow(
  deps: VisitDeps,
  { row, rules }: VisitContext,
  to: string,
  signal: AbortSignal,
): Promise<RedirectVerdict> {
  const url = normalizeUrl(to, rules.urlRules);
  if (url === undefined) return { follow: false, reason: 'scheme' };
  const verdict = rules.scope({ url, depth: row.depth, queued: row.runKind === 'urls', knownUrls: 0 });
  if (!verdict.in) return { follow: false, reason: verdict.reason };
  const robots = await deps.robots.of(originOf(url) ?? '', signal);
  if (robots.kind === 'unreachable') return { follow: false, reason: 'robots-unreachable' };
  return robots.judge(url).allowed ? { follow: true } : { follow: false, reason: 'robots' };
}

type OpenBody = AsyncDisposable & {
  readonly read: () => Promise<Uint8Array>;
  /** Of a spooled file: leaves it where it is, under the name. */
  readonly file: { readonly keep: () => string } | undefined;
};

/** Spooled files are deleted in the end, unless they are kept. */
export function openBody({ body }: FetchedResource): OpenBody {
  if (body === undefined || body instanceof Uint8Array) {
    const read = async () => body ?? new Uint8Array();
    return { read, file: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const file: SpoolFile = body;
  let isKept = false;
  const keep = () => {
    isKept = true;
    return file.name;
  };
  return {
    read: () => readFile(file.path),
    file: { keep },
    [Symbol.asyncDispose]: async () => {
      if (!isKept) await rm(file.path, { force: true });
    },
  };
}

/** Known before it is fetched. */
function mayBeFile({ url, record }: DueRow): boolean {
  return record.kind === 'file' || isFileName(new URL(url).pathname);
}

function fetchedFacts({ status, headers, wireBytes, millis, redirects, body }: FetchedResource): FetchedFacts {
  return {
    status,
    headers,
    wireBytes,
    millis,
    detail: redirects.length === 0 ? undefined : JSON.stringify({ redirects }),
    isFile: body !== undefined && !(body instanceof Uint8Array),
    bodyHash: hashOf(body),
    end: body instanceof Uint8Array ? endOf(headers, body) : undefined,
  };
}

/** The tag may stand anywhere: what comes behind it differs from visit to visit. In encodings of two bytes it is never found. */
function endOf(headers: FetchedResource['headers'], body: Uint8Array): BodyEnd {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    isReported: headers.has('content-length') || headers.has('transfer-encoding'),
    hasTag: bytes.lastIndexOf('</html') >= 0 || bytes.lastIndexOf('</HTML') >= 0,
  };
}

function hashOf(body: FetchedResource['body']): string | undefined {
  if (body === undefined) return undefined;
  return body instanceof Uint8Array ? hash64(body) : signedHash(body.sha256);
}

export function hash64(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'buffer').readBigInt64BE(0).toString();
}

/** Its document is what the present settings make of the page; under a rule of `noIndex` there would be none. */
function isReadAlready({ url, record }: DueRow, { extractVersion, noIndex }: CrawlRules): boolean {
  if (record.state !== 'live' || record.extractVersion !== extractVersion) return false;
  const parsed = noIndex.length === 0 ? undefined : new URL(url);
  return parsed === undefined || !noIndex.some((rule) => rule.matches(parsed));
}

/** Forced visits read all the same: the document may have been deleted since. */
function hasSameBody(row: DueRow, rules: CrawlRules, { bodyHash, status }: FetchedFacts): boolean {
  const { record, flags } = row;
  const isForced = (flags & FRONTIER_FLAGS.force) !== 0;
  return (
    !isForced && isReadAlready(row, rules) && status === 200 && bodyHash !== undefined && bodyHash === record.bodyHash
  );
}

function extractInput(
  { clock }: VisitDeps,
  { row, rules, resource, body }: VisitContext & { readonly resource: FetchedResource; readonly body: Uint8Array },
): ExtractInput {
  return {
    url: row.url,
    body,
    headers: sourceHeaders(resource, rules.extract),
    settings: rules.extract,
    now: clock.now(),
  };
}

/** The best of the other live pages with this content. */
export async function duplicateOf(
  { store }: VisitDeps,
  crawlerId: number,
  { row, rules, extraction }: VisitContext & { readonly extraction: Extraction },
): Promise<ContentUrl | undefined> {
  if (!mayBeDuplicate({ rules }, extraction)) return undefined;
  const same = await store.sameContent(crawlerId, signedHash(extraction.contentHash));
  return same.filter(({ id }) => id !== row.urlId).sort(compareDuplicates)[0];
}

export function failureOf(error: unknown): VisitFacts['failure'] {
  const details = error instanceof AppError ? error.options.details : undefined;
  const reason = details?.['reason'];
  if (!isFailureReason(reason)) return undefined;
  const { hops, refusal } = details ?? {};
  return { reason, detail: hops === undefined ? undefined : JSON.stringify({ redirects: hops, refusal }) };
}
