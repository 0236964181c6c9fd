import type { Clock } from '../../core/clock.ts';
import { REASONS } from '../../core/crawl-words.ts';
import { AppError } from '../../core/errors.ts';
import type { FetchedResource, Fetcher } from '../../fetch/fetcher.ts';
import { pause } from '../../observability/background.ts';
import type { Host, RobotsCopy } from '../../storage/engine/hosts.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { isFailureReason } from '../rules/retry-policy.ts';
import {
  crawlDelayOf,
  judgeRobots,
  NO_ROBOTS_ANSWER,
  parseRobots,
  ROBOTS_BYTES,
  type Robots,
  type RobotsVerdict,
} from '../rules/robots.ts';

/** What robots.txt of an origin says to this crawler; `unreachable` hosts are left alone until then. */
export type RobotsPolicy =
  | {
      readonly kind: 'rules';
      readonly judge: (url: string) => RobotsVerdict;
      readonly crawlDelaySeconds: number | undefined;
      /** As written; relative ones lie on the same origin. */
      readonly sitemaps: readonly string[];
    }
  | { readonly kind: 'unreachable'; readonly untilAt: number };

export type RobotsCopies = {
  /**
   * One fetch per origin at a time over all processes; others wait for its copy. When the signal of who asks ends, the
   * next one asks.
   */
  of(origin: string, signal: AbortSignal): Promise<RobotsPolicy>;
  /** By a copy that is fresh; undefined: it would have to be fetched. `host`: as it was read just now. */
  known(origin: string, host?: Host): Promise<RobotsPolicy | undefined>;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** RFC 9309 section 2.4, crawling 10. */
const COPY_LIVES_MS = DAY;
/** A run begins with copies that are not older. */
const COPY_LIVES_BEFORE_RUN_MS = HOUR;
const FIRST_HOLD_MS = 5 * MINUTE;
const LONGEST_HOLD_MS = 6 * HOUR;
const LAST_GOOD_AFTER_MS = 12 * HOUR;
const LAST_GOOD_LIVES_MS = 30 * DAY;
const MAX_REDIRECTS = 5;
/** Longer than a fetch may take; then another process asks. */
const LEASE_MS = 35_000;
const RECHECK_MS = 100;
const ALLOW_ALL: RobotsPolicy = {
  kind: 'rules',
  judge: () => ({ allowed: true, rule: undefined }),
  crawlDelaySeconds: undefined,
  sitemaps: [],
};

type Deps = {
  readonly store: Pick<EngineStore, 'ensureHost' | 'saveRobots' | 'leaseRobots' | 'freeRobots' | 'livingRunsOf'>;
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly clock: Clock;
};

/** robots.txt files of one crawler's hosts, kept in the store for a day and in memory while this lives. */
export function openRobotsCopies(deps: Deps, crawlerId: number, rules: CrawlRules): RobotsCopies {
  const request = new Map<string, RobotsDecision>();
  const find = (origin: string) => {
    const found = request.get(origin);
    return found !== undefined && deps.clock.now() < found.untilAt ? found : undefined;
  };
  const remember = (origin: string, by: AbortSignal, policy: Promise<RobotsPolicy>): RobotsDecision => {
    const made = { by, untilAt: deps.clock.now() + FIRST_HOLD_MS, policy };
    request.set(origin, made);
    // What was unreachable is judged by the hold in the store, which an operator may end.
    policy.then(({ kind }) => kind === 'unreachable' && request.delete(origin)).catch(() => request.delete(origin));
    return made;
  };
  const ask = (origin: string, by: AbortSignal) =>
    remember(origin, by, policyOf(deps, { crawlerId, rules, origin }, by));
  return {
    of: async (origin, signal) => {
      if (rules.settings.robots === 'ignore') return ALLOW_ALL;
      for (;;) {
        const { by, policy } = find(origin) ?? ask(origin, signal);
        try {
          return await policy;
        } catch (error) {
          if (!by.aborted || signal.aborted) throw error;
        }
      }
    },
    known: async (origin, host) => {
      if (rules.settings.robots === 'ignore') return ALLOW_ALL;
      const found = find(origin);
      if (found !== undefined) return found.policy;
      const read = host ?? (await deps.store.ensureHost(crawlerId, origin));
      const fresh = await freshPolicy(deps, { crawlerId, rules, origin }, read);
      if (fresh !== undefined) remember(origin, NEVER, Promise.resolve(fresh));
      return fresh;
    },
  };
}

/** Of what nobody asks for any more. */
const NEVER = new AbortController().signal;

type RobotsDecision = { readonly by: AbortSignal; readonly untilAt: number; readonly policy: Promise<RobotsPolicy> };
type RobotsRequest = { readonly crawlerId: number; readonly rules: CrawlRules; readonly origin: string };

async function policyOf(deps: Deps, request: RobotsRequest, signal: AbortSignal): Promise<RobotsPolicy> {
  for (;;) {
    const host = await deps.store.ensureHost(request.crawlerId, request.origin);
    const fresh = await freshPolicy(deps, request, host);
    if (fresh !== undefined) return fresh;
    // What was found stale is what is replaced: meanwhile another process may have done so.
    const seen = { seenAt: host.robots?.at, seenHeldUntil: host.heldUntil };
    const leasedAt = deps.clock.now();
    if (await deps.store.leaseRobots(host.id, { ...seen, now: leasedAt, leaseMs: LEASE_MS })) {
      try {
        const answer = await fetchRobots(deps, request, signal);
        if (answer !== 'private-name') return await keep(deps, request, host, answer);
      } catch (error) {
        await deps.store.freeRobots(host.id, leasedAt);
        throw error;
      }
      // Nothing is kept: the visits are refused and say why, and when the name is opened its file is read at once.
      await deps.store.freeRobots(host.id, leasedAt);
      return ALLOW_ALL;
    }
    await pause(RECHECK_MS, signal);
    signal.throwIfAborted();
  }
}

async function freshPolicy(
  deps: Deps,
  { crawlerId, rules }: RobotsRequest,
  host: Host,
): Promise<RobotsPolicy | undefined> {
  const now = deps.clock.now();
  if (host.robots === undefined || !isFresh(host, host.robots, now)) return undefined;
  const began = (await deps.store.livingRunsOf(crawlerId)).map((run) =>
    run.kind === 'urls' ? 0 : (run.startedAt ?? 0),
  );
  const isOfLastRun = host.robots.at < Math.max(0, ...began) - COPY_LIVES_BEFORE_RUN_MS;
  if (isOfLastRun && !isUnreachable(host.robots.status)) return undefined;
  return judgeCopy(host.robots, rules.settings.robotsToken, { now, heldUntil: host.heldUntil });
}

/** An unreachable file is asked for again when the hold of its host has passed. */
function isFresh({ heldUntil }: Host, { status, at }: RobotsCopy, now: number): boolean {
  return now < (isUnreachable(status) ? heldUntil : at + COPY_LIVES_MS);
}

/** 5 min, 10 min, 20 min …: holds that double have lasted one hold less than the next when it begins. */
function nextHoldMs({ at }: RobotsCopy, now: number): number {
  return Math.min(FIRST_HOLD_MS + Math.max(now - at, 0), LONGEST_HOLD_MS);
}

/** The hold of an unreachable file is stored with it: nobody asks for it between the two. */
async function keep(deps: Deps, request: RobotsRequest, host: Host, { status, body }: Answer): Promise<RobotsPolicy> {
  const now = deps.clock.now();
  const before = host.robots;
  const copy: RobotsCopy = isUnreachable(status)
    ? {
        body: before?.body,
        status,
        at: before !== undefined && isUnreachable(before.status) ? before.at : now,
        goodAt: before?.goodAt,
      }
    : { body, status, at: now, goodAt: now };
  const policy = judgeCopy(copy, request.rules.settings.robotsToken, { now, heldUntil: now + nextHoldMs(copy, now) });
  const hold =
    policy.kind === 'unreachable' ? ({ untilAt: policy.untilAt, reason: 'robots-unreachable' } as const) : undefined;
  await deps.store.saveRobots(host.id, copy, hold);
  return policy;
}

type Answer = { readonly status: number; readonly body: Uint8Array | undefined };

async function fetchRobots(
  { fetcher }: Deps,
  { rules, origin }: RobotsRequest,
  signal: AbortSignal,
): Promise<Answer | 'private-name'> {
  try {
    const fetched = await fetcher.fetch(
      {
        url: `${origin}/robots.txt`,
        purpose: 'robots',
        headers: rules.headers,
        validators: undefined,
        // One byte more tells the reader that the last line may be cut.
        limits: { ...rules.limits, redirects: MAX_REDIRECTS, pageBytes: ROBOTS_BYTES + 1 },
        access: rules.access,
        mayFollow: async () => ({ follow: true }),
      },
      signal,
    );
    return { status: fetched.status, body: bodyOf(fetched) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError && error.options.details?.['reason'] === 'private-name') return 'private-name';
    return { status: statusOfFailure(error), body: undefined };
  }
}

function bodyOf({ status, body }: FetchedResource): Uint8Array | undefined {
  const isGood = status >= 200 && status < 300;
  return isGood && body instanceof Uint8Array ? body : undefined;
}

/** Too many redirects count as 404; a refused address is refused again, with its reason, when the page is visited. */
function statusOfFailure(error: unknown): number {
  if (!(error instanceof AppError)) throw error;
  const allowed = error.code === 'fetch.too-many-redirects' || error.code === 'fetch.blocked-address';
  if (allowed) return 404;
  const { reason } = error.options.details ?? {};
  return NO_ROBOTS_ANSWER - (isFailureReason(reason) ? REASONS.indexOf(reason) : 0);
}

function isUnreachable(status: number): boolean {
  return status <= NO_ROBOTS_ANSWER || status === 429 || status >= 500;
}

/** What a stored copy says; `heldUntil` ends the hold of a host whose file is unreachable. */
export function judgeCopy(
  copy: RobotsCopy,
  token: string,
  { now, heldUntil }: { readonly now: number; readonly heldUntil: number },
): RobotsPolicy {
  const { goodAt, body, at, status } = copy;
  const lastGoodCounts = goodAt !== undefined && now - goodAt < LAST_GOOD_LIVES_MS && now - at >= LAST_GOOD_AFTER_MS;
  if (isUnreachable(status) && !lastGoodCounts) return { kind: 'unreachable', untilAt: heldUntil };
  return body === undefined ? ALLOW_ALL : rulesOf(parseRobots(body), token);
}

function rulesOf(robots: Robots, token: string): RobotsPolicy {
  return {
    kind: 'rules',
    judge: (url) => judgeRobots(robots, token, url),
    crawlDelaySeconds: crawlDelayOf(robots, token),
    sitemaps: robots.sitemaps,
  };
}
