import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import type { Fetcher } from '../../fetch/fetcher.ts';
import type { Log } from '../../observability/logger.ts';
import type { Host } from '../../storage/engine/hosts.ts';
import type { SiteLogin } from '../crawl-access.ts';
import type { HostSlots } from '../host-slots.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import type { HostPace } from '../rules/politeness.ts';
import type { RobotsCopies } from '../visit/robots-copies.ts';
import { type ProbeDeps, probeHost } from '../visit/start-probe.ts';
import type { Extract } from '../visit/visit-url.ts';
import type { RecentRuns } from './recent-runs.ts';
import type { PreparedHost } from './slice-dispatcher.ts';
import { gatherReleases, openVisitSlot, takeSlot } from './visit-slot.ts';

export type ProbeSliceDeps = {
  readonly store: ProbeDeps['store'];
  readonly runs: Pick<RecentRuns, 'find'>;
  readonly hostSlots: HostSlots;
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly extract: Extract;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
};

export type ProbedHost = {
  readonly crawlerId: number;
  readonly host: Host;
  readonly pace: HostPace;
  readonly rules: CrawlRules;
  readonly robots: RobotsCopies;
  readonly login: SiteLogin | undefined;
};

/**
 * Before a full or incremental run visits a host: does it answer as it is stored? Else it is left alone for a while;
 * queued URLs do not wait for it.
 */
export async function probedHost(deps: ProbeSliceDeps, input: ProbedHost, signal: AbortSignal): Promise<PreparedHost> {
  const prepared = { pace: input.pace };
  const runs = await deps.runs.find();
  const run = runs.find(({ kind, state }) => kind !== 'urls' && state === 'running');
  if (run === undefined) return prepared;
  const runStartedAt = run.startedAt ?? run.createdAt;
  if (!(await isIn(input.login, signal))) return prepared;
  const probe = { ...input, runStartedAt };
  const heldUntil = await probeHost({ ...deps, fetcher: pacedFetcher(deps, input) }, probe, signal);
  return heldUntil === undefined ? prepared : 'held';
}

/** Who is not let in sees other pages; the visits say so. */
async function isIn(login: SiteLogin | undefined, signal: AbortSignal): Promise<boolean> {
  if (login === undefined) return true;
  try {
    return (await login.enter(signal)).state === 'in';
  } catch (error) {
    if (signal.aborted || error instanceof AppError) return false;
    throw error;
  }
}

/** Each fetch takes a slot of its host like any other. */
function pacedFetcher(deps: ProbeSliceDeps, { host: { origin }, pace }: ProbedHost): Pick<Fetcher, 'fetch'> {
  const slots = gatherReleases(deps.hostSlots, deps.log);
  return {
    fetch: async (request, signal) => {
      const grant = await takeSlot(slots, { origin, pace }, signal);
      signal.throwIfAborted();
      const slot = openVisitSlot({ ...deps, slots }, grant ?? '');
      try {
        return await slot.fetcher.fetch(request, signal);
      } finally {
        slot.release('strain');
        await slots.flush();
      }
    },
  };
}
