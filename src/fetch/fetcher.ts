import { type AllowList, NOTHING_PRIVATE } from './egress-gate.ts';

const FETCH_PURPOSES = ['page', 'file', 'robots', 'sitemap', 'feed', 'login', 'probe'] as const;
export type FetchPurpose = (typeof FETCH_PURPOSES)[number];

/** Sizes count decoded bytes; times count from the start of the connection of a hop, `totalMs` from the first hop. */
export type FetchLimits = {
  readonly pageBytes: number;
  readonly fileBytes: number;
  readonly redirects: number;
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly pageMs: number;
  readonly fileMs: number;
};

/** Limits of a stock installation (reliability: limits on what is fetched). */
export const DEFAULT_FETCH_LIMITS: FetchLimits = {
  pageBytes: 10 * 1024 * 1024,
  fileBytes: 50 * 1024 * 1024,
  redirects: 10,
  connectMs: 10_000,
  firstByteMs: 15_000,
  pageMs: 30_000,
  fileMs: 120_000,
};

/** Cookies that sites have set for one crawler. Host-only, bounded, in memory. */
export type CookieJar = {
  /** Name → value for a request of the URL. */
  cookiesFor(url: string): ReadonlyMap<string, string>;
  /** Takes `Set-Cookie` values of an answer; true when they changed what is kept. */
  keep(url: string, setCookies: readonly string[]): boolean;
};

export type Credentials = {
  /** True for an origin that gets them; cookies of other origins are not kept either. */
  readonly goTo: (origin: string) => boolean;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent unless the jar has one of the same name. */
  readonly cookies: Readonly<Record<string, string>>;
  readonly jar: CookieJar;
};

export type FetchAccess = {
  readonly allow: AllowList;
  readonly credentials: Credentials | undefined;
  /** URL of a forward proxy, with its user info. The gate judges the target all the same. */
  readonly proxy: string | undefined;
  readonly tls: { readonly verify: boolean; readonly ca: readonly string[] };
};

/** Access without credentials or private hosts, with verified TLS. */
export const OPEN_ACCESS: FetchAccess = {
  allow: NOTHING_PRIVATE,
  credentials: undefined,
  proxy: undefined,
  tls: { verify: true, ca: [] },
};

/** `reason` of a refusal is a reason code of the caller (`excluded`, `robots` …). */
export type RedirectVerdict = { readonly follow: true } | { readonly follow: false; readonly reason: string };

export type Hop = { readonly from: string; readonly to: string; readonly status: number };

export type Validators = { readonly etag?: string | undefined; readonly lastModified?: string | undefined };

export type FetchRequest = {
  readonly url: string;
  readonly purpose: FetchPurpose;
  /** Go to every hop; never credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly validators: Validators | undefined;
  /** Names and values posted as a form. A redirect turns to GET, but for 307 and 308 at the same origin. */
  readonly form?: readonly (readonly [string, string])[] | undefined;
  readonly limits: FetchLimits;
  readonly access: FetchAccess;
  /** Scope and robots of each hop, asked before the hop is fetched. */
  readonly mayFollow: (from: string, to: string) => Promise<RedirectVerdict>;
};

/** A file body on disk, mode 600. The caller deletes it. */
export type SpoolFile = {
  readonly path: string;
  /** Of the file in its folder: no other fetch has it, also not one of the same bytes. */
  readonly name: string;
  readonly bytes: number;
  /** Of the decoded body, hexadecimal. */
  readonly sha256: string;
};

export type FetchedResource = {
  /** Final URL after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names; repeated ones are joined by `, `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly redirects: readonly Hop[];
  /** Decoded. Undefined: status other than 2xx, or a media type that nobody reads (images, audio, video, fonts). */
  readonly body: Uint8Array | SpoolFile | undefined;
  readonly firstByteMs: number;
  readonly millis: number;
  readonly wireBytes: number;
  readonly bodyBytes: number;
};

/**
 * Port: the bytes behind a URL. Promises:
 * - an HTTP answer of any status is a result; an error means that there was no usable answer;
 * - every connection of every hop goes to an address that the egress gate admitted;
 * - reading stops at the byte limit after decoding: an error, but for `robots`, where the beginning is the body;
 * - the signal is honoured within 100 ms;
 * - headers, cookies and passwords go to the origins of their `credentials` only, at whatever hop;
 * - requests whose access differs in allow list, credentials, proxy or TLS share no connection;
 * - a body shorter than it claims is an error, never a result.
 */
export interface Fetcher extends AsyncDisposable {
  /**
   * @throws AppError `fetch.unavailable` with reason `dns-temporary`, `dns-not-found`, `refused`, `reset`,
   * `truncated`, `protocol`, `timeout`, `tls`, `bad-encoding` or `shutdown` (the signal)
   * @throws AppError `fetch.blocked-address` with reason `scheme`, `blocked-port` or `blocked-address`
   * @throws AppError `fetch.too-large` with reason `too-large` or `bomb`
   * @throws AppError `fetch.too-many-redirects` with reason `too-many-redirects`, `redirect-loop` or
   * `redirected-out`; `details.hops` has the way so far, `details.refusal` the verdict's reason
   */
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchedResource>;
}

/** Headers of a crawler's credentials for one request; none for an origin that does not get them. */
export function credentialHeaders(url: string, credentials: Credentials | undefined): Readonly<Record<string, string>> {
  if (credentials === undefined || !credentials.goTo(new URL(url).origin)) return {};
  const cookies = new Map([...Object.entries(credentials.cookies), ...credentials.jar.cookiesFor(url)]);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return cookie === '' ? credentials.headers : { ...credentials.headers, cookie };
}

/**
 * Port: bodies of files that wait for their parser, on the disk of this machine. Promises:
 * - a body is there under its name until it is dropped, or its time is over;
 * - what is not there, or no longer, is `undefined` to `read` and nothing to `drop`;
 * - it is full from its bound on, whoever filled it; the answer may be a second old.
 */
export interface FileSpool {
  isFull(): Promise<boolean>;
  /** @param name as in `SpoolFile` */
  read(name: string): Promise<Uint8Array | undefined>;
  drop(name: string): Promise<void>;
}
