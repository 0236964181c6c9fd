/**
 * What the operator opened of private networks. A literal address is opened as he wrote it; a name only when he marked
 * it as private, because whoever answers for the name decides where it leads.
 */
export type AllowList = {
  /** Exact `address:port` (`10.1.2.3:8443`, `[::1]:80`), the port always written. */
  readonly addresses: ReadonlySet<string>;
  readonly names: readonly PrivateName[];
};

export type PrivateName = {
  /** `host` or `*.host`, lower case. */
  readonly name: string;
  readonly ports: readonly number[];
  /** Networks that it is pinned to (`10.1.2.0/24`). */
  readonly networks: readonly string[];
};

export const NOTHING_PRIVATE: AllowList = { addresses: new Set(), names: [] };

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
 * - every address of the answer was judged global unicast, or is a literal whose exact `address:port` is on the allow
 *   list, or lies in a network that the allow list pins its name to;
 * - one refused record refuses the whole host; forms that carry an IPv4 address are judged by that address too;
 * - a name is resolved once per 60 s at most, and its records are judged at every call;
 * - neither a name nor an open private network ever opens metadata addresses or the ports of this installation;
 * - a refusal does not say which address it met.
 */
export interface EgressGate {
  /**
   * @throws AppError `fetch.blocked-address` with reason `scheme`, `blocked-port`, `blocked-address`, or `private-name` for a
   *   name that the operator could mark as private
   * @throws AppError `fetch.unavailable` with reason `dns-temporary` or `dns-not-found`
   */
  admit(url: string, allow: AllowList, signal: AbortSignal): Promise<EgressTarget>;
}

/** A URL's entry of `addresses` in an allow list; undefined when it has no host. */
export function allowEntry(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.hostname === '') return undefined;
  const port = parsed.port || (parsed.protocol === 'https:' ? '443' : '80');
  return `${parsed.hostname.replace(/\.$/, '')}:${port}`;
}

/** The private addresses that a name has now; of none, and of a name that cannot be resolved, an empty list. */
export type FindPrivateAddresses = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;
