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
  foldAddress,
  type PinnedAddress,
} from '../egress-gate.ts';
import { classOfAddress } from './address-class.ts';
import { isPortAllowed } from './ports.ts';
import { cacheResolve, type Resolve } from './resolve-cache.ts';

export type EgressGateOptions = {
  readonly clock: Clock;
  /** `systemResolve` outside of tests. */
  readonly resolve: Resolve;
  /** Opens private ranges (`CRAWL_ALLOW_PRIVATE_NETWORKS`). */
  readonly allowPrivateNetworks: boolean;
  /** Ports of this installation (api, health, Redis …): stay closed on private and own addresses. */
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
      const named = isNamed(url, allow);
      const own = ownAddresses();
      const isOpen = ({ address }: PinnedAddress) => judge(options, { address, port, named, literal, own });
      if (records.length === 0 || records.length > MAX_RECORDS || !records.every(isOpen))
        throw refusal('blocked-address');
      return { hostname, port, addresses: records } satisfies EgressTarget;
    },
  };
}

type Judged = {
  readonly address: string;
  readonly port: number;
  /** The exact `host:port` is on the allow list. */
  readonly named: boolean;
  readonly literal: string;
  readonly own: ReadonlySet<string>;
};

/**
 * A named host may be private; metadata only when the operator wrote the address itself, so that a name on the list
 * cannot be pointed there.
 */
function judge(options: EgressGateOptions, { address, port, named, literal, own }: Judged): boolean {
  const found = classOfAddress(address);
  const isOwn = own.has(foldAddress(address));
  if (named) return found !== 'metadata' || address === literal;
  if (found === 'global' && !isOwn) return true;
  const opened = options.allowPrivateNetworks && (found === 'private' || (found === 'global' && isOwn));
  return opened && !options.ownPorts.has(port);
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

function isNamed(url: string, allow: AllowList): boolean {
  const entry = allowEntry(url);
  return entry !== undefined && allow.has(entry);
}

const NO_SUCH_NAME: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA']);

async function recordsOf(resolve: Resolve, hostname: string, signal: AbortSignal): Promise<readonly PinnedAddress[]> {
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

function refusal(reason: 'scheme' | 'blocked-port' | 'blocked-address'): AppError {
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
