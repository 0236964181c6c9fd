import ipaddr from 'ipaddr.js';

/** Networks that an operator may open (RFC 1918, 6598, 4193, loopback, local NAT64): `address-class.ts` reads them. */
export const PRIVATE_IPV4 = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] as const;
export const PRIVATE_IPV6 = ['::1/128', 'fc00::/7', '64:ff9b:1::/48'] as const;
export const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'] as const;

/** One spelling per address, IPv4 in IPv6 unwrapped, so that a socket's peer can be compared with what was judged. */
export function foldAddress(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toNormalizedString() : text;
}

/** True for a network such as `10.1.2.0/24` that is a part of a private one, and for a single address. */
export function isPinnableNetwork(text: string): boolean {
  if (!ipaddr.isValidCIDR(text)) return false;
  const [address, bits] = ipaddr.parseCIDR(text);
  if (bits === (address.kind() === 'ipv4' ? 32 : 128)) return true;
  return [...PRIVATE_IPV4, ...PRIVATE_IPV6].some((range) => {
    const [, rangeBits] = ipaddr.parseCIDR(range);
    return bits >= rangeBits && isInNetwork(address.toString(), range);
  });
}

export function isInNetwork(address: string, network: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const folded = ipaddr.process(address);
  const [base, bits] = ipaddr.parseCIDR(network);
  return folded.kind() === base.kind() && folded.match(base, bits);
}

/** Neighbours that a name may move to without being asked for again: a usual subnet. */
const SUBNET_BITS = { ipv4: 24, ipv6: 64 } as const;

/** The network that a name is pinned to when it resolves to this address: its subnet, of loopback the address alone. */
export function networkOf(address: string): string {
  const folded = ipaddr.process(address);
  const kind = folded.kind();
  const text = folded.toString();
  const isSubnet = [...PRIVATE_IPV4, ...PRIVATE_IPV6].some((range) => isInNetwork(text, range));
  const isAlone = !isSubnet || LOOPBACK_NETWORKS.some((range) => isInNetwork(text, range));
  if (isAlone) return `${text}/${kind === 'ipv4' ? 32 : 128}`;
  const { [kind]: bits } = SUBNET_BITS;
  const network = `${text}/${bits}`;
  const base =
    kind === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(network) : ipaddr.IPv6.networkAddressFromCIDR(network);
  return `${base.toString()}/${bits}`;
}
