import { invalidRequest } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { FindPrivateAddresses } from '../fetch/egress-gate.ts';
import { isInNetwork, networkOf } from '../fetch/private-networks.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import { isOfCrawler, markOf, namesToResolve } from './rules/private-names.ts';
import { domainsOf, parseCrawlSettings } from './rules/settings.ts';

export type PrivateNameDeps = {
  /** Finds none where private networks are open to every crawler. */
  readonly findPrivateAddresses: FindPrivateAddresses;
};

type Of = Pick<Crawler, 'id' | 'config'>;

/** Names that are resolved when crawlers are saved, at once, and how long that may take. */
const MAX_NAMES = 50;
const LOOK_UP_MS = 2_000;
/** Addresses that a sentence names. */
const SHOWN = 3;

/**
 * What an operator should hear when crawlers are saved: a sentence for each name that leads into a private network
 * without a mark, with the command that marks it. Names that do not resolve in time are left out.
 */
export async function unmarkedNames(
  deps: PrivateNameDeps,
  crawlers: readonly Pick<Crawler, 'id' | 'config'>[],
): Promise<readonly string[]> {
  const named = crawlers.flatMap(({ id, config }) => {
    const settings = parseCrawlSettings(config);
    const { privateNames } = settings;
    const names = namesToResolve({ ...settings, domains: domainsOf(settings) });
    return names.map((name) => ({ id, name, networks: privateNames[markOf(name, privateNames) ?? ''] ?? [] }));
  });
  const signal = AbortSignal.timeout(LOOK_UP_MS);
  const sentences = named.slice(0, MAX_NAMES).map(async ({ id, name, networks }) => {
    const addresses = await deps.findPrivateAddresses(name, signal);
    const closed = addresses.filter((address) => !networks.some((network) => isInNetwork(address, network)));
    const shown = closed.slice(0, SHOWN).join(', ');
    return shown === ''
      ? []
      : [`${name} resolves to ${shown}, where names do not lead: if it is yours, ${commandFor(id, name)}`];
  });
  return (await Promise.all(sentences)).flat();
}

/**
 * The networks that a name is pinned to when it is marked now.
 * @throws AppError `request.invalid` for a name that is none of the crawler's, stands for many, or leads nowhere inside
 */
export async function networksOfName(
  deps: PrivateNameDeps,
  crawler: Of,
  name: string,
): Promise<readonly [string, ...string[]]> {
  const settings = parseCrawlSettings(crawler.config);
  const refuse = (why: string) => invalidRequest([{ path: 'name', message: `name: ${why}` }]);
  if (!isOfCrawler(name, { ...settings, domains: domainsOf(settings) })) {
    throw refuse(`${name} is no host of a seed or domain of crawler ${crawler.id}`);
  }
  if (name.startsWith('*.')) throw refuse(`${name} stands for many names: name their networks too`);
  const addresses = await deps.findPrivateAddresses(name.toLowerCase(), AbortSignal.timeout(LOOK_UP_MS));
  const [first, ...more] = new Set(addresses.map(networkOf));
  if (first === undefined)
    throw refuse(`${name} resolves to no private address that is closed: nothing is to be allowed`);
  return [first, ...more];
}

/** A host whose name visits were refused for. */
export type RefusedName = {
  readonly origin: string;
  /** One sentence without its end. */
  readonly sentence: string;
  readonly command: string;
};

/** Hosts of a crawler whose names led inside when they were visited last. Two counts by an index when there is none. */
export async function refusedNames(
  store: Pick<EngineStore, 'countUrlsBy' | 'nameGroups'>,
  crawler: Of,
): Promise<readonly RefusedName[]> {
  const hostIds = new Set<number>();
  for (const state of ['live', 'failed'] as const) {
    const input = { crawlerId: crawler.id, state, reason: 'private-name' } as const;
    const { counts } = await store.countUrlsBy('host', input, undefined);
    for (const { value } of counts) if (value !== null) hostIds.add(value);
  }
  if (hostIds.size === 0) return [];
  const origins = await store.nameGroups('host', [...hostIds].slice(0, MAX_NAMES));
  const { privateNames } = parseCrawlSettings(crawler.config);
  return [...origins.values()].map((origin) => {
    const { hostname } = new URL(origin);
    const networks = privateNames[markOf(hostname, privateNames) ?? ''];
    const sentence =
      networks === undefined
        ? `${origin} leads into a private network and is not visited`
        : `${origin} led outside of ${networks.join(', ')} at its last visit`;
    return { origin, sentence, command: commandFor(crawler.id, hostname) };
  });
}

/** What status says of it. */
export function refusalWarning({ sentence, command }: RefusedName): string {
  return `${sentence}: if it is yours, ${command}`;
}

function commandFor(crawlerId: number, name: string): string {
  return `fossick crawler allow-private ${crawlerId} ${name}`;
}
