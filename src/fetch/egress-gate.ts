import ipaddr from 'ipaddr.js';

/** Exact `host:port` entries (`intranet.example:8443`, `[::1]:80`), lower case, the port always written. Operator's own. */
export type AllowList = ReadonlySet<string>;

export type PinnedAddress = { readonly address: string; readonly family: 4 | 6 };

/** Where a connection may go: the judged addresses of one host, in the resolver's order, never empty. */
export type EgressTarget = {
  readonly hostname: string;
  readonly port: number;
  readonly addresses: readonly PinnedAddress[];
};

/**
 * Port: may this URL be reached, and at which addresses. Promises:
 * - only `http` and `https` URLs without user info, on port 80, 443 or an unblocked one from 1024 on, are admitted;
 * - every address of the answer was judged global unicast, or the exact `host:port` is on the allow list;
 * - one refused record refuses the whole host; forms that carry an IPv4 address are judged by that address too;
 * - a name is resolved once per 60 s at most, and its records are judged at every call;
 * - an open private network never opens metadata addresses or the ports of this installation;
 * - a refusal does not say which address it met.
 */
export interface EgressGate {
  /**
   * @throws AppError `fetch.blocked-address` with reason `scheme`, `blocked-port` or `blocked-address`
   * @throws AppError `fetch.unavailable` with reason `dns-temporary` or `dns-not-found`
   */
  admit(url: string, allow: AllowList, signal: AbortSignal): Promise<EgressTarget>;
}

/** A URL's entry of an allow list; undefined when it has no host. */
export function allowEntry(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.hostname === '') return undefined;
  const port = parsed.port || (parsed.protocol === 'https:' ? '443' : '80');
  return `${parsed.hostname.replace(/\.$/, '')}:${port}`;
}

/** One spelling per address, IPv4 in IPv6 unwrapped, so that a socket's peer can be compared with what was judged. */
export function foldAddress(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toNormalizedString() : text;
}
