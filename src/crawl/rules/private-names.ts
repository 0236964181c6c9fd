import { isIP } from 'node:net';
import type { AllowList } from '../../fetch/egress-gate.ts';
import { LOOPBACK_NETWORKS } from '../../fetch/private-networks.ts';
import { type Domain, parseDomain, portOf } from './scope.ts';

export type NamedHosts = {
  readonly seeds: readonly string[];
  readonly domains: readonly string[];
  /** `host` or `*.host` → the networks that it is pinned to. */
  readonly privateNames: Readonly<Record<string, readonly string[]>>;
};

/** Always this machine, whatever a name server says (RFC 6761 section 6.3). */
const LOCALHOST = 'localhost';

/**
 * What a crawler may reach of private networks: literal addresses as seeds and domains write them, and marked names
 * on the ports of their seeds and domains. A name without a mark opens nothing.
 */
export function allowListOf(hosts: NamedHosts): AllowList {
  const named = domainsNamed(hosts);
  const addresses = named.filter(({ hostname }) => isLiteral(hostname));
  const marks = { ...hosts.privateNames, [LOCALHOST]: LOOPBACK_NETWORKS };
  return {
    addresses: new Set(addresses.flatMap(({ hostname, ports }) => ports.map((port) => `${hostname}:${port}`))),
    names: Object.entries(marks).flatMap(([mark, networks]) => {
      const name = hostnameOf(mark);
      const ports = named.filter((domain) => isAbout(name, domain)).flatMap((domain) => domain.ports);
      return ports.length === 0 ? [] : [{ name, ports: [...new Set(ports)], networks }];
    }),
  };
}

/** Is the name, or one below it, a host of a seed or domain? */
export function isOfCrawler(name: string, hosts: Pick<NamedHosts, 'seeds' | 'domains'>): boolean {
  return domainsNamed(hosts).some((domain) => isAbout(hostnameOf(name), domain));
}

/** Names of seeds and domains that may be resolved; without those that stand for many. */
export function namesToResolve(hosts: Pick<NamedHosts, 'seeds' | 'domains'>): readonly string[] {
  const names = domainsNamed(hosts).filter(({ hostname, isWildcard }) => !isWildcard && !isLiteral(hostname));
  return [...new Set(names.map(({ hostname }) => hostname))].filter((name) => name !== LOCALHOST);
}

/** The mark that a host stands under; undefined without one. */
export function markOf(hostname: string, privateNames: NamedHosts['privateNames']): string | undefined {
  return Object.keys(privateNames).find((mark) => {
    const name = hostnameOf(mark);
    return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : name === hostname;
  });
}

function domainsNamed({ seeds, domains }: Pick<NamedHosts, 'seeds' | 'domains'>): readonly Domain[] {
  const ofSeeds = seeds.flatMap((seed) => {
    const url = URL.parse(seed);
    return url === null ? [] : [{ hostname: url.hostname, isWildcard: false, ports: [portOf(url)] }];
  });
  return [...ofSeeds, ...domains.flatMap((domain) => parseDomain(domain) ?? [])];
}

/** A domain that the mark covers, or one that stands for more than the mark. */
function isAbout(name: string, { hostname, isWildcard }: Domain): boolean {
  const isBelow = (host: string, root: string) => host.endsWith(`.${root}`);
  const root = name.startsWith('*.') ? name.slice(2) : name;
  if (root === hostname) return name.startsWith('*.') === isWildcard;
  return (isWildcard && isBelow(root, hostname)) || (name.startsWith('*.') && isBelow(hostname, root));
}

/** As URLs write it. */
function hostnameOf(name: string): string {
  const prefix = name.startsWith('*.') ? '*.' : '';
  return prefix + (URL.parse(`http://${name.slice(prefix.length)}/`)?.hostname ?? '');
}

function isLiteral(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
