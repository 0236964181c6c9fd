import type { Clock } from '../core/clock.ts';
import type { Reason } from '../core/crawl-words.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import type { HostState } from '../storage/host-content-store.ts';
import type { Host } from '../storage/run-store.ts';
import { hostConcern } from './rules/host-concern.ts';

/** How long an operator who releases a host vouches for what it answers. */
const BELIEVED_MS = 24 * 3_600_000;
/** Hosts of a crawler that its status looks at. */
const MOST_HOSTS = 1_000;

type Deps = { readonly engineStores: Pick<EngineStores, 'of'>; readonly clock: Clock };
type Of = Pick<Crawler, 'id' | 'engineId'>;

/** `concern`: why an operator should look at the host; undefined when nothing is wrong. */
export type ListedHost = HostState & { readonly concern: Reason | undefined };

/** Hosts of a crawler in the order of their ids. */
export async function listHosts(
  { engineStores, clock }: Deps,
  { id: crawlerId, engineId }: Of,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly ListedHost[]> {
  const hosts = await (await engineStores.of(engineId)).listHosts({ crawlerId, ...page });
  return hosts.map((host) => ({ ...host, concern: hostConcern(host, clock.now()) }));
}

/** Hosts that look down, closed, or not like themselves. */
export async function concerningHosts(
  { store, clock }: { readonly store: Pick<EngineStore, 'listHosts'>; readonly clock: Clock },
  crawlerId: number,
): Promise<readonly { readonly origin: string; readonly concern: Reason }[]> {
  const hosts = await store.listHosts({ crawlerId, after: 0, limit: MOST_HOSTS });
  return hosts.flatMap((host) => {
    const concern = hostConcern(host, clock.now());
    return concern === undefined ? [] : [{ origin: host.origin, concern }];
  });
}

/**
 * Ends the hold of a host, and takes what it answers in the next 24 h for what it is.
 * @throws AppError `record.not-found` for a host that the crawler does not know
 */
export async function releaseHost(deps: Deps, crawler: Of, origin: string): Promise<void> {
  const { store, host } = await knownHost(deps, crawler, origin);
  await store.releaseHost(host.id, deps.clock.now() + BELIEVED_MS);
}

/**
 * Has robots.txt of a host read anew before its next visit.
 * @throws AppError `record.not-found` for a host that the crawler does not know
 */
export async function refreshRobots(deps: Deps, crawler: Of, origin: string): Promise<void> {
  const { store, host } = await knownHost(deps, crawler, origin);
  await store.forgetRobots(host.id);
}

async function knownHost(
  { engineStores }: Deps,
  { id, engineId }: Of,
  origin: string,
): Promise<{ readonly store: EngineStore; readonly host: Host }> {
  const store = await engineStores.of(engineId);
  const host = await store.findHostOf(id, URL.parse(origin)?.origin ?? origin);
  if (host === undefined) throw new AppError('record.not-found', `Crawler ${id} knows no host ${origin}`);
  return { store, host };
}
