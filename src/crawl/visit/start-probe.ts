import type { Clock } from '../../core/clock.ts';
import type { Reason } from '../../core/crawl-words.ts';
import { firstValue } from '../../core/document.ts';
import { AppError } from '../../core/errors.ts';
import { normalizeUrl, originOf } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import { similarityHashOf } from '../../extract/fingerprints.ts';
import type { FetchedResource, Fetcher, RedirectVerdict } from '../../fetch/fetcher.ts';
import type { HostContentStore, LivePage, NotFoundPage } from '../../storage/engine/host-content.ts';
import type { Host } from '../../storage/engine/hosts.ts';
import { areRelated, isSameText, withoutUrl } from '../rules/content-guard.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { failureOfStatus } from './decide-failure.ts';
import { signedHash } from './decision.ts';
import type { RobotsCopies } from './robots-copies.ts';
import { sourceHeaders } from './source-headers.ts';
import { type Extract, failureOf } from './visit-url.ts';

const MINUTE = 60_000;
/** A host is looked at once an hour at most, and its answer to a random path once a day (crawling 17). */
const PROBE_LIVES_MS = 60 * MINUTE;
const NOT_FOUND_LIVES_MS = 24 * 60 * MINUTE;
/** Live pages that are looked at, and without which there is nothing to compare. */
const PAGES = 3;
/** How long a host is left alone when none of them is as it is stored. */
const PROBE_HOLD_MS = 10 * MINUTE;

export type ProbeDeps = {
  readonly store: Pick<HostContentStore, 'livePages' | 'noteProbe' | 'noteNotFound'>;
  /** Waits for a slot of the host before each fetch. */
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly extract: Extract;
  readonly clock: Clock;
  readonly random: () => number;
};

export type Probe = {
  readonly host: Host;
  /** What the run has visited already says nothing of the time before it. */
  readonly runStartedAt: number;
  readonly rules: CrawlRules;
  readonly robots: RobotsCopies;
};

/**
 * A look at some live pages of a host before a run visits it, and at its answer to a path that cannot exist. Resolves
 * with the time until which the host is held: none of the pages has to do with what is stored.
 */
export async function probeHost(deps: ProbeDeps, probe: Probe, signal: AbortSignal): Promise<number | undefined> {
  const { store, clock } = deps;
  const { content, id } = probe.host;
  const now = clock.now();
  if (now < content.believedUntil) return undefined;
  const isKnown = content.probe !== undefined && content.probe.failedSince === undefined;
  if (isKnown && now - (content.probe?.at ?? 0) < PROBE_LIVES_MS) return undefined;
  const verdict = await lookAtPages(deps, probe, signal);
  if (signal.aborted || verdict === 'unknown') return undefined;
  const cause = verdict === 'related' ? undefined : verdict.cause;
  const failedSince = cause === undefined ? undefined : (content.probe?.failedSince ?? now);
  const untilAt = clock.now() + PROBE_HOLD_MS;
  const hold = failedSince === undefined ? undefined : ({ untilAt, reason: 'start-probe' } as const);
  if (!(await store.noteProbe(id, { at: now, failedSince, cause }, hold))) return undefined;
  if (hold !== undefined) return untilAt;
  if (now - (content.notFound?.at ?? 0) >= NOT_FOUND_LIVES_MS) await lookAtNothing(deps, probe, signal);
  return undefined;
}

/** What a page, or all that were looked at, answers: what is stored, nothing that says so, or something else. */
type Verdict = 'related' | 'unknown' | Unrelated;
type Unrelated = { readonly cause: Reason; readonly similarity?: string };

async function lookAtPages(deps: ProbeDeps, probe: Probe, signal: AbortSignal): Promise<Verdict> {
  const { host, rules, robots } = probe;
  const pages = await deps.store.livePages({
    hostId: host.id,
    from: randomKey(deps.random),
    visitedBefore: probe.runStartedAt,
    limit: PAGES + rules.seeds.length,
  });
  // Where everything leads to the home page, it is as it was.
  const others = pages.filter(({ url }) => !rules.seeds.includes(url));
  if (others.length < PAGES) return 'unknown';
  const unrelated: Unrelated[] = [];
  for (const page of others.slice(0, PAGES)) {
    if (page.facts.extractVersion !== rules.extractVersion || !(await mayVisit(robots, page.url, signal))) continue;
    const verdict = await comparePage(deps, probe, page, signal);
    if (verdict === 'related') return 'related';
    if (verdict !== 'unknown') unrelated.push(verdict);
  }
  return unrelated.length === 0 ? 'unknown' : { cause: commonCause(unrelated) };
}

/** What most of them answer; texts without a fault of their own are one page for all, or only not what is stored. */
function commonCause(pages: readonly Unrelated[]): Reason {
  const causes = pages.map(({ cause }) => cause);
  const countOf = (wanted: Reason) => causes.filter((cause) => cause === wanted).length;
  const cause = causes.reduce((most, next) => (countOf(next) > countOf(most) ? next : most));
  if (cause !== 'start-probe') return cause;
  const [first, ...others] = pages.filter(({ similarity }) => similarity !== undefined);
  const isOnePage = others.length > 0 && others.every((page) => isSameText(page.similarity, first?.similarity));
  return isOnePage ? 'identical-pages' : 'start-probe';
}

async function comparePage(
  deps: ProbeDeps,
  probe: Probe,
  { url, title, facts }: LivePage,
  signal: AbortSignal,
): Promise<Verdict> {
  const looked = await look(deps, probe, url, signal);
  if (looked === undefined) return 'unknown';
  const { extraction, failure } = looked;
  // Missing pages are judged by their visits.
  if (looked.isMissing) return 'unknown';
  if (extraction === undefined) return { cause: failure ?? 'start-probe' };
  if (extraction.robotWall !== undefined) return { cause: 'robot-wall' };
  // What a browser would see is not known here.
  if (extraction.renderWanted !== undefined) return 'unknown';
  const isSameTitle = title !== '' && firstValue(extraction.fields, 'Title') === title;
  const text = firstValue(extraction.fields, 'Content');
  const similarity = signedHash(extraction.similarityHash);
  const isRelated = text !== '' && areRelated(facts.similarity, similarity);
  if (isRelated || (isSameTitle && text !== '')) return 'related';
  if (extraction.kind === 'FileContent') return { cause: 'type-changed' };
  if (text === '') return { cause: 'empty' };
  return extraction.asksPassword && !facts.asksPassword
    ? { cause: 'login-wall' }
    : { cause: 'start-probe', similarity };
}

/** What the host answers to a path that cannot exist: its page for missing ones, if it has one. */
async function lookAtNothing(deps: ProbeDeps, probe: Probe, signal: AbortSignal): Promise<void> {
  const { host, rules } = probe;
  const url = `${host.origin}/${randomName(deps.random)}`;
  if (!(await mayVisit(probe.robots, url, signal))) return;
  const looked = await look(deps, probe, url, signal);
  if (looked === undefined) return;
  const { extraction, resource } = looked;
  const finalUrl = resource === undefined ? undefined : normalizeUrl(resource.url, rules.urlRules);
  const isThin =
    extraction === undefined || extraction.renderWanted !== undefined || extraction.robotWall !== undefined;
  const text = isThin ? '' : withoutUrl(firstValue(extraction.fields, 'Content'), url);
  const page: NotFoundPage = {
    at: deps.clock.now(),
    target: finalUrl === url ? undefined : finalUrl,
    similarity: text.trim() === '' ? undefined : signedHash(similarityHashOf(text)),
  };
  await deps.store.noteNotFound(host.id, page);
}

type Looked = {
  readonly resource: FetchedResource | undefined;
  readonly extraction: Extraction | undefined;
  readonly isMissing: boolean;
  /** Why there is no extraction, where that is known. */
  readonly failure: Reason | undefined;
};

const NO_ANSWER: Looked = { resource: undefined, extraction: undefined, isMissing: false, failure: undefined };

/** Undefined: nothing may start any more. Without an extraction: no usable answer. */
async function look(deps: ProbeDeps, probe: Probe, url: string, signal: AbortSignal): Promise<Looked | undefined> {
  const { rules } = probe;
  try {
    const resource = await deps.fetcher.fetch(
      {
        url,
        purpose: 'probe',
        headers: rules.headers,
        validators: undefined,
        limits: rules.limits,
        access: rules.access,
        mayFollow: (_from, to) => mayFollow(probe, to, signal),
      },
      signal,
    );
    const { status, body } = resource;
    const failure = failureOfStatus(status) ?? (body instanceof Uint8Array ? undefined : 'type-changed');
    if (failure !== undefined || !(body instanceof Uint8Array)) {
      return { ...NO_ANSWER, isMissing: status === 404 || status === 410, failure };
    }
    const input = {
      url,
      body,
      headers: sourceHeaders(resource, rules.extract),
      settings: rules.extract,
    };
    const extraction = await deps.extract({ ...input, now: deps.clock.now() }, signal);
    return { ...NO_ANSWER, resource, extraction };
  } catch (error) {
    if (signal.aborted) return undefined;
    // Nothing was asked: the visits are refused and say why.
    if (error instanceof AppError && error.code === 'fetch.blocked-address') return { ...NO_ANSWER, isMissing: true };
    if (error instanceof AppError && error.code.startsWith('fetch.')) {
      return { ...NO_ANSWER, failure: failureOf(error)?.reason };
    }
    throw error;
  }
}

async function mayVisit(robots: RobotsCopies, url: string, signal: AbortSignal): Promise<boolean> {
  const policy = await robots.of(originOf(url) ?? '', signal);
  return policy.kind === 'rules' && policy.judge(url).allowed;
}

async function mayFollow({ rules, robots }: Probe, to: string, signal: AbortSignal): Promise<RedirectVerdict> {
  const url = normalizeUrl(to, rules.urlRules);
  const verdict = url === undefined ? undefined : rules.scope({ url, depth: 0, queued: true, knownUrls: 0 });
  if (url === undefined || verdict?.in !== true) return { follow: false, reason: 'redirected-out' };
  return (await mayVisit(robots, url, signal)) ? { follow: true } : { follow: false, reason: 'robots' };
}

function randomKey(random: () => number): string {
  return BigInt.asIntN(64, BigInt(Math.floor(random() * 2 ** 53)) << 11n).toString();
}

function randomName(random: () => number): string {
  return Array.from({ length: 3 }, () => Math.floor(random() * 2 ** 32).toString(36)).join('');
}
