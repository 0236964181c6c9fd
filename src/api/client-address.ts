import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Tells the caller's address: the socket's, or what listed proxies say about it. For rate limits only. Contract: 1.9. */
export type ClientAddress = (message: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** `proxies` are addresses or networks in CIDR form; with none the forwarding headers are not read. */
export function createClientAddress(proxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const proxy of proxies) addProxy(trusted, proxy);
  return ({ headers, socket }) => {
    const chain = [socket.remoteAddress ?? ''];
    if (proxies.length > 0) chain.unshift(...forwardedFor(headers['x-forwarded-for']));
    // The last hop that is no proxy of ours: what stands before it was written by the caller.
    const caller = chain.findLast((address) => !isTrusted(trusted, plain(address))) ?? chain[0] ?? '';
    return plain(caller);
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

function addProxy(list: BlockList, proxy: string): void {
  const [address = '', bits] = proxy.split('/', 2);
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

function isTrusted(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
