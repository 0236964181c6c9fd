import ipaddr from 'ipaddr.js';
import { PRIVATE_IPV4, PRIVATE_IPV6 } from '../private-networks.ts';

/**
 * `global`: unicast on the internet · `private`: what an operator may open · `reserved`: never fetched from ·
 * `metadata`: credentials of the machine live there, never opened by a range.
 */
export type AddressClass = 'global' | 'private' | 'reserved' | 'metadata';

/** Cloud metadata and host agents: AWS, Azure, GCP, Alibaba, Oracle, ECS task roles. */
const METADATA = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2:0:0:0:0:0:254',
  'fd00:ec2:0:0:0:0:0:23',
  'fd20:ce:0:0:0:0:0:254',
]);

/** IANA special-purpose registries (RFC 6890 and updates); what is not listed is global. */
const IPV4_RANGES = rangesOf<ipaddr.IPv4>({
  private: PRIVATE_IPV4,
  reserved: [
    '0.0.0.0/8',
    '169.254.0.0/16',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
});

/** In order of preference; the first that holds an address decides. */
const IPV6_RANGES = rangesOf<ipaddr.IPv6>({
  private: PRIVATE_IPV6,
  reserved: ['2001::/23', '2001:db8::/32', '3fff::/20'],
});
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

/** Prefixes that only carry an IPv4 address to its network: the inner address alone decides. */
const TRANSLATED = ['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96'].map((range) => ipaddr.IPv6.parseCIDR(range));
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');
const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
const TEREDO = ipaddr.IPv6.parseCIDR('2001::/32');

/** Class of a literal address as resolvers and sockets write it. Zone ids and what is no address are `reserved`. */
export function classOfAddress(text: string): AddressClass {
  if (text.includes('%') || !ipaddr.isValid(text)) return 'reserved';
  const address = ipaddr.parse(text);
  if (METADATA.has(address.toNormalizedString())) return 'metadata';
  return address instanceof ipaddr.IPv4 ? classOfIpv4(address) : classOfIpv6(address as ipaddr.IPv6);
}

function classOfIpv4(address: ipaddr.IPv4): AddressClass {
  return IPV4_RANGES.find(({ range }) => address.match(range))?.class ?? 'global';
}

function classOfIpv6(address: ipaddr.IPv6): AddressClass {
  const inner = carriedIpv4(address).map((text) => classOfAddress(text));
  if (TRANSLATED.some((range) => address.match(range))) return worst(inner);
  const outer = IPV6_RANGES.find(({ range }) => address.match(range))?.class;
  return worst([...inner, outer ?? (address.match(IPV6_GLOBAL) ? 'global' : 'reserved')]);
}

/** IPv4 addresses inside of an IPv6 one: by prefix, and by the interface id of ISATAP (RFC 5214). */
function carriedIpv4(address: ipaddr.IPv6): readonly string[] {
  const bytes = address.toByteArray();
  const at = (offset: number, flip = 0) =>
    bytes
      .slice(offset, offset + 4)
      .map((byte) => byte ^ flip)
      .join('.');
  const carried: string[] = [];
  if ([...TRANSLATED, LOCAL_NAT64].some((range) => address.match(range))) carried.push(at(12));
  // Not `::1` and its like: their first byte is 0 and the outer range decides.
  if (address.match(COMPATIBLE) && bytes[12] !== 0) carried.push(at(12));
  if (address.match(SIX_TO_FOUR)) carried.push(at(2));
  if (address.match(TEREDO)) carried.push(at(4), at(12, 0xff));
  const isIsatap = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  if (isIsatap) carried.push(at(12));
  return carried;
}

const ORDER: readonly AddressClass[] = ['global', 'private', 'reserved', 'metadata'];

function worst(classes: readonly AddressClass[]): AddressClass {
  return ORDER[Math.max(...classes.map((name) => ORDER.indexOf(name)))] ?? 'reserved';
}

type Range<T> = { readonly class: AddressClass; readonly range: [T, number] };

function rangesOf<T extends ipaddr.IPv4 | ipaddr.IPv6>(
  table: Readonly<Record<'private' | 'reserved', readonly string[]>>,
): readonly Range<T>[] {
  const read = (name: 'private' | 'reserved') =>
    table[name].map((range) => ({ class: name, range: ipaddr.parseCIDR(range) as [T, number] }));
  return [...read('private'), ...read('reserved')];
}
