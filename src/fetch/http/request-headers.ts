import { credentialHeaders } from '../credential-headers.ts';
import type { FetchRequest } from '../fetcher.ts';

/** What is sent with every request of an installation. */
export type AgentIdentity = {
  readonly userAgent: string;
  /** Address of the operator, sent as `From`. */
  readonly from: string | undefined;
};

/** Never taken from `FetchRequest.headers`, which go to every hop: they carry secrets, or are the client's own. */
const NOT_FOR_EVERY_HOP = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'referer',
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
]);

const DEFAULT_HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/pdf,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, br, deflate, zstd',
};

export type HopOf = {
  readonly url: string;
  readonly isFirst: boolean;
  readonly isForm: boolean;
};

/** Headers of one hop. Credentials are those of the hop's own origin; validators belong to the first hop only. */
export function hopHeaders(hop: HopOf, request: FetchRequest, identity: AgentIdentity): Record<string, string> {
  const { etag, lastModified } = (hop.isFirst ? request.validators : undefined) ?? {};
  return {
    ...DEFAULT_HEADERS,
    'user-agent': identity.userAgent,
    ...(identity.from === undefined ? {} : { from: identity.from }),
    ...shared(request.headers),
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    ...(hop.isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    ...credentialHeaders(hop.url, request.access.credentials),
  };
}

function shared(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries.filter(([name]) => !NOT_FOR_EVERY_HOP.has(name)));
}
