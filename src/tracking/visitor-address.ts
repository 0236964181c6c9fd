import { isIP } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The address to store: the one that the event states, else the socket's. An address stated in another form than
 * IPv4 or IPv6 is dropped, and none is stored. Contract: 6.2.
 */
export function visitorAddress(
  stated: string | undefined,
  socketAddress: string,
  anonymize: boolean,
): string | undefined {
  const address = plain((stated ?? socketAddress).trim());
  const version = isIP(address);
  if (version === 0) return undefined;
  if (!anonymize) return address;
  return version === 4 ? address.replace(/\d+$/, '0') : networkOf(address);
}

/** Without the zone of a link-local address; IPv4 as such, also when it came over an IPv6 socket. */
function plain(address: string): string {
  const [bare = ''] = address.split('%', 1);
  return MAPPED.exec(bare)?.[1] ?? bare;
}

/** The first 48 bits of an IPv6 address, the other 80 zero, in canonical form. */
function networkOf(address: string): string {
  const [head = [], tail] = address.split('::', 2).map(groupsOf);
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...new Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return new URL(`http://[${groups.slice(0, 3).join(':')}::]`).hostname.slice(1, -1);
}

/** An embedded IPv4 address stands for two groups, which are never among the first three. */
function groupsOf(part: string): readonly string[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
