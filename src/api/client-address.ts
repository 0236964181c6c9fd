import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Log } from '../observability/logger.ts';

/** Where visitors do not come from, but proxies do: loopback and private networks. */
const PRIVATE = new BlockList();
for (const network of ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1', 'fc00::/7']) {
  addNetwork(PRIVATE, network);
}

/** Tells the caller's address: the socket's, or what listed proxies say about it. For rate limits only. Contract: 1.9. */
export type ClientAddress = (message: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * `proxies` are addresses or networks in CIDR form; with none the forwarding headers are not read. `forwardsUnlisted`
 * is told the private address of each request that says it was forwarded by a proxy that is not listed.
 */
export function createClientAddress(
  proxies: readonly string[],
  forwardsUnlisted: (address: string) => void = () => undefined,
): ClientAddress {
  const trusted = new BlockList();
  for (const proxy of proxies) addNetwork(trusted, proxy);
  return ({ headers, socket }) => {
    const chain = [socket.remoteAddress ?? ''];
    if (proxies.length > 0) chain.unshift(...forwardedFor(headers['x-forwarded-for']));
    // The last hop that is no proxy of ours: what stands before it was written by the caller.
    const caller = plain(chain.findLast((address) => !isListed(trusted, plain(address))) ?? chain[0] ?? '');
    const sender = plain(socket.remoteAddress ?? '');
    const isForwarded = headers['x-forwarded-for'] !== undefined;
    if (isForwarded && isListed(PRIVATE, sender) && !isListed(trusted, sender)) forwardsUnlisted(sender);
    return caller;
  };
}

export type UnlistedProxies = {
  /** To be told of a request that such a proxy has forwarded. */
  readonly seen: (address: string) => void;
  /** The last of them, undefined while there is none. */
  readonly last: () => string | undefined;
};

/** Remembers the proxies in front of the product that `TRUST_PROXY` does not list. Tells the log once. */
export function watchUnlistedProxies(log: Log): UnlistedProxies {
  let last: string | undefined;
  return {
    seen: (address) => {
      if (last === undefined)
        log.warn({ address }, 'a proxy that TRUST_PROXY does not list: visitors share one rate limit');
      last = address;
    },
    last: () => last,
  };
}

/** Key of a caller's buckets: IPv6 callers own a /64, so their addresses share one. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return `${all.slice(0, 4).join(':')}::/64`;
}

function forwardedFor(header: string | string[] | undefined): readonly string[] {
  const addresses = [header ?? []].flat().join(',').split(',');
  return addresses.map((address) => address.trim()).filter((address) => isIP(address) !== 0);
}

/** An IPv4 address as such, also when the socket is an IPv6 one. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/', 2);
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

function isListed(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
