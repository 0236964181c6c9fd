import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../../core/clock.ts';
import { unlessAborted } from '../../core/concurrency.ts';
import { AppError } from '../../core/errors.ts';
import {
  type AllowList,
  allowEntry,
  type EgressGate,
  type EgressTarget,
  type FindPrivateAddresses,
  type PinnedAddress,
} from '../egress-gate.ts';
import { foldAddress, isInNetwork } from '../private-networks.ts';
import { classOfAddress } from './address-class.ts';
import { cacheResolve, type Resolve } from './resolve-cache.ts';

export type EgressGateOptions = {
  readonly clock: Clock;
  /** `systemResolve` outside of tests. */
  readonly resolve: Resolve;
  /** Opens private ranges (`CRAWL_ALLOW_PRIVATE_NETWORKS`). */
  readonly allowPrivateNetworks: boolean;
  /** Ports of this installation (api, health, Redis …): closed on private and own addresses but for an open literal. */
  readonly ownPorts: ReadonlySet<number>;
  /** Addresses of this machine; asked once per 60 s. Stock: those of its network interfaces. */
  readonly ownAddresses?: () => readonly string[];
};

/** Records of one host beyond which an answer is refused: no real site has them. */
const MAX_RECORDS = 4_096;

/** The gate of an installation: one for everything that fetches for the crawler. */
export function createEgressGate(options: EgressGateOptions): EgressGate {
  const resolve = cacheResolve(options.resolve, options.clock);
  const ownAddresses = cacheOwn(options);
  return {
    async admit(url, allow, signal) {
      const { hostname, port } = partsOf(url);
      const literal = hostname.replace(/^\[(.*)\]$/, '$1');
      const family = isIP(literal);
      const records =
        family === 0
          ? await recordsOf(resolve, hostname, signal)
          : [{ address: literal, family: family === 6 ? (6 as const) : (4 as const) }];
      const isOpenLiteral = family !== 0 && allow.addresses.has(allowEntry(url) ?? '');
      const host = { port, networks: networksOf(allow, hostname, port), own: ownAddresses() };
      const verdict = isOpenLiteral ? 'open' : judgeAll(options, host, records);
      if (verdict !== 'open') throw refusal(verdict === 'private' && family === 0 ? 'private-name' : 'blocked-address');
      return { hostname, port, addresses: records } satisfies EgressTarget;
    },
  };
}

type JudgedHost = {
  readonly port: number;
  /** Those that its name is pinned to; none for a literal address. */
  readonly networks: readonly string[];
  readonly own: ReadonlySet<string>;
};

/** `private`: what the operator may open for a name, and has not. */
type Verdict = 'open' | 'private' | 'refused';

/** The worst of the records decides: any of them may be connected to. */
function judgeAll(options: EgressGateOptions, host: JudgedHost, records: readonly PinnedAddress[]): Verdict {
  if (records.length === 0 || records.length > MAX_RECORDS) return 'refused';
  const verdicts = records.map(({ address }) => judge(options, host, address));
  if (verdicts.includes('refused')) return 'refused';
  return verdicts.includes('private') ? 'private' : 'open';
}

function judge(options: EgressGateOptions, { port, networks, own }: JudgedHost, address: string): Verdict {
  if (!isInside(address, own)) return classOfAddress(address) === 'global' ? 'open' : 'refused';
  if (options.ownPorts.has(port)) return 'refused';
  const isOpen = options.allowPrivateNetworks || networks.some((network) => isInNetwork(address, network));
  return isOpen ? 'open' : 'private';
}

/** In a private network, or on this machine: what an operator may open. Metadata and reserved addresses are neither. */
function isInside(address: string, own: ReadonlySet<string>): boolean {
  const found = classOfAddress(address);
  return found === 'private' || (found === 'global' && own.has(foldAddress(address)));
}

function networksOf({ names }: AllowList, hostname: string, port: number): readonly string[] {
  const isNamed = (name: string) => (name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name);
  return names.flatMap(({ name, ports, networks }) => (ports.includes(port) && isNamed(name) ? networks : []));
}

/** For operators who ask where a name leads. Asks the resolver anew each time. */
export function createPrivateLookUp({
  resolve,
  ownAddresses = machineAddresses,
}: Pick<EgressGateOptions, 'resolve' | 'ownAddresses'>): FindPrivateAddresses {
  return async (hostname, signal) => {
    const records = await unlessAborted(resolve(hostname), signal).catch(() => []);
    const own = new Set(ownAddresses().map(foldAddress));
    return records.map(({ address }) => address).filter((address) => isInside(address, own));
  };
}

function partsOf(url: string): { readonly hostname: string; readonly port: number } {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) throw refusal('scheme');
  if (parsed.username !== '' || parsed.password !== '') throw refusal('blocked-address');
  const port = Number(parsed.port) || (parsed.protocol === 'https:' ? 443 : 80);
  if (parsed.port === '0' || !isPortAllowed(port)) throw refusal('blocked-port');
  const hostname = parsed.hostname.replace(/\.$/, '');
  if (hostname === '') throw refusal('blocked-address');
  return { hostname, port };
}

/** Names that no server has (RFC 6761 section 6.4); browsers ask the proxy for one of them. */
const NEVER_THERE = /(?:^|\.)invalid$/;
const NO_SUCH_NAME: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA']);

async function recordsOf(resolve: Resolve, hostname: string, signal: AbortSignal): Promise<readonly PinnedAddress[]> {
  if (NEVER_THERE.test(hostname)) throw unresolved({ code: 'ENOTFOUND' });
  try {
    return await unlessAborted(resolve(hostname), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw unresolved(error);
  }
}

function unresolved(cause: unknown): AppError {
  const isUnknown = NO_SUCH_NAME.has((cause as { code?: unknown }).code);
  const reason = isUnknown ? 'dns-not-found' : 'dns-temporary';
  return new AppError('fetch.unavailable', 'The host name could not be resolved', { details: { reason }, cause });
}

function refusal(reason: 'scheme' | 'blocked-port' | 'blocked-address' | 'private-name'): AppError {
  return new AppError('fetch.blocked-address', 'The address is not allowed', { details: { reason } });
}

const OWN_REUSE_MS = 60_000;

function cacheOwn({ clock, ownAddresses = machineAddresses }: EgressGateOptions): () => ReadonlySet<string> {
  let own: ReadonlySet<string> = new Set();
  let untilAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.now() >= untilAt) {
      own = new Set(ownAddresses().map(foldAddress));
      untilAt = clock.now() + OWN_REUSE_MS;
    }
    return own;
  };
}

function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
}

/** Ports from 1024 on that browsers refuse (WHATWG Fetch, "bad port"): other protocols listen there. */
const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

function isPortAllowed(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !BAD_PORTS.has(port));
}
