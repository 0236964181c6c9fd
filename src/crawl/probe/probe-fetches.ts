import type { Reason } from '../../core/crawl-words.ts';
import type { FetchedResource, FetchPurpose } from '../../fetch/fetcher.ts';
import { type DryRunVisitDeps, underSlot } from '../dry-run/dry-run-page.ts';
import type { HostHolds } from '../host-holds.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { hostPace } from '../rules/politeness.ts';
import { failureOf } from '../visit/visit-url.ts';

/** What a probe has just found out. */
export type ProbeStep = {
  readonly step: 'robots' | 'address' | 'sitemap' | 'page';
  readonly url: string;
  /** One sentence for people. */
  readonly sentence: string;
};

export type ProbeFetchDeps = Pick<DryRunVisitDeps, 'fetcher' | 'hostSlots' | 'clock' | 'hostDelayMs' | 'log'> & {
  readonly hostHolds: Pick<HostHolds, 'ofHost'>;
};

/** What a fetch brought, whatever its status, or why there was no answer. */
export type ProbeAnswer = { readonly resource: FetchedResource } | { readonly reason: Reason };

export type ProbeFetches = {
  /** One fetch under a slot of its host. */
  readonly fetch: (url: string, purpose: FetchPurpose) => Promise<ProbeAnswer>;
  /** On the wire, so far. */
  readonly bytes: () => number;
  readonly signal: AbortSignal;
};

/** What a probe reads in all, and how long it waits for one answer. */
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const ANSWER_MS = 10_000;
const MAX_REDIRECTS = 5;

/**
 * Fetches of a probe, through the egress gate and at the pace of the hosts, until its deadline. Redirects are followed
 * to any host: where the site is, is what the probe finds out.
 */
export function openProbeFetches(
  deps: ProbeFetchDeps,
  rules: CrawlRules,
  { caller, deadline }: { readonly caller: AbortSignal; readonly deadline: AbortSignal },
): ProbeFetches {
  const signal = AbortSignal.any([caller, deadline]);
  const limits = {
    ...rules.limits,
    redirects: MAX_REDIRECTS,
    pageBytes: MAX_PAGE_BYTES,
    fileBytes: MAX_PAGE_BYTES,
    connectMs: ANSWER_MS,
    firstByteMs: ANSWER_MS,
    pageMs: ANSWER_MS,
    fileMs: ANSWER_MS,
  };
  let bytes = 0;
  const attempt: ProbeFetches['fetch'] = async (url, purpose) => {
    const { origin } = new URL(url);
    const hold = deps.hostHolds.ofHost(origin, deps.clock.now());
    if (hold !== undefined) return { reason: hold.reason };
    if (bytes >= MAX_BYTES) return { reason: 'run-limit' };
    const pace = hostPace(rules, { origin, crawlDelaySeconds: undefined, observedPace: undefined }, deps.hostDelayMs);
    const request = {
      url,
      purpose,
      headers: rules.headers,
      validators: undefined,
      limits,
      access: rules.access,
      mayFollow: async () => ({ follow: true }) as const,
    };
    try {
      const resource = await underSlot(deps, { origin, pace, signal }, () => deps.fetcher.fetch(request, signal));
      bytes += resource.wireBytes;
      return { resource };
    } catch (error) {
      caller.throwIfAborted();
      if (deadline.aborted) return { reason: 'timeout' };
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      return { reason: failure.reason };
    }
  };
  return { fetch: attempt, bytes: () => bytes, signal };
}
