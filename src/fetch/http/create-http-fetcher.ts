import type { Dispatcher } from 'undici';
import type { Clock } from '../../core/clock.ts';
import { unlessAborted } from '../../core/concurrency.ts';
import type { EgressGate } from '../egress-gate.ts';
import {
  credentialHeaders,
  type FetchAccess,
  type FetchedResource,
  type Fetcher,
  type FetchRequest,
  type Hop,
} from '../fetcher.ts';
import { badRedirect, toFetchError, unavailable } from './failure.ts';
import { type Connections, createPools, type Pools, type SentRequest } from './pools.ts';
import { type Deadline, isUnreadType, type ReadBody, readBody, startDeadline } from './read-body.ts';

export type HttpFetcherOptions = {
  readonly gate: EgressGate;
  readonly clock: Clock;
  readonly identity: AgentIdentity;
  /** Where file bodies go; made when the first one arrives. */
  readonly spoolFolder: string;
};

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Of a body that is not wanted: read to keep the connection, beyond it the connection is closed. */
const DUMP_BYTES = 16 * 1024;
const DUMP_MS = 1_000;

/** Fetches over HTTP/1.1 with undici. Dispose it to close all connections. */
export function createHttpFetcher(options: HttpFetcherOptions): Fetcher {
  const pools = createPools(options);
  return {
    async fetch(request, signal) {
      const startedAt = performance.now();
      using deadline = startDeadline(signal, request.limits);
      const { hops, answer } = await followRedirects({ ...options, pools, request, deadline });
      return {
        url: answer.url,
        status: answer.status,
        headers: answer.headers,
        redirects: hops,
        body: answer.read?.body,
        firstByteMs: answer.firstByteMs,
        millis: performance.now() - startedAt,
        wireBytes: answer.read?.wireBytes ?? 0,
        bodyBytes: answer.read?.bodyBytes ?? 0,
      } satisfies FetchedResource;
    },
    [Symbol.asyncDispose]: () => pools[Symbol.asyncDispose](),
  };
}

type FetchState = HttpFetcherOptions & {
  readonly pools: Pools;
  readonly request: FetchRequest;
  readonly deadline: Deadline;
};

type Answer = {
  readonly url: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly firstByteMs: number;
  /** Target of a redirect, absolute and without fragment. */
  readonly location: string | undefined;
  readonly hasNewCookies: boolean;
  readonly read: ReadBody | undefined;
};

async function followRedirects(state: FetchState): Promise<{ hops: readonly Hop[]; answer: Answer }> {
  const { request, deadline } = state;
  const hops: Hop[] = [];
  const seen = new Set<string>();
  let step: Step = { url: withoutFragment(request.url), form: request.form };
  for (;;) {
    seen.add(keyOf(step));
    const answer = await visitHop(state, step, hops.length === 0);
    const to = answer.location;
    if (to === undefined) return { hops, answer };
    if (hops.length === request.limits.redirects) throw badRedirect({ reason: 'too-many-redirects', hops });
    hops.push({ from: step.url, to, status: answer.status });
    const next: Step = { url: to, form: formAfter(answer.status, step, to) };
    // With other cookies the same URL may answer otherwise; the number of hops still ends a loop.
    if (answer.hasNewCookies) seen.clear();
    if (seen.has(keyOf(next))) throw badRedirect({ reason: 'redirect-loop', hops });
    const verdict = await unlessAborted(request.mayFollow(step.url, to), deadline.signal);
    if (!verdict.follow) throw badRedirect({ reason: 'redirected-out', hops, refusal: verdict.reason });
    step = next;
  }
}

type Step = { readonly url: string; readonly form: FetchRequest['form'] };

function keyOf({ url, form }: Step): string {
  return form === undefined ? url : `form ${url}`;
}

/** What was typed into a form goes to no other origin. */
function formAfter(status: number, { url, form }: Step, to: string): FetchRequest['form'] {
  const isRepeated = status === 307 || status === 308;
  return isRepeated && new URL(url).origin === new URL(to).origin ? form : undefined;
}

async function visitHop(state: FetchState, { url, form }: Step, isFirst: boolean): Promise<Answer> {
  const { request, gate, deadline, pools } = state;
  await gate.admit(url, request.access.allow, deadline.signal);
  const { origin, pathname, search } = new URL(url);
  const sent: SentRequest = {
    method: form === undefined ? 'GET' : 'POST',
    path: pathname + search,
    headers: hopHeaders({ url, isFirst, isForm: form !== undefined }, request, state.identity),
    body: form === undefined ? null : formText(form),
    signal: deadline.signal,
  };
  return pools.use(origin, request, async (connections) => {
    const startedAt = performance.now();
    const response = await send(connections, sent);
    const firstByteMs = performance.now() - startedAt;
    const found = foldHeaders(response.headers);
    const hasNewCookies = keepCookies(request.access, url, response.headers['set-cookie']);
    const location = REDIRECTS.has(response.statusCode) ? resolveLocation(found.get('location'), url) : undefined;
    const read = await readAnswer(state, response, found);
    return { url, status: response.statusCode, headers: found, firstByteMs, location, hasNewCookies, read };
  });
}

function formText(form: NonNullable<FetchRequest['form']>): string {
  const values = new URLSearchParams();
  for (const [name, value] of form) values.append(name, value);
  return values.toString();
}

function keepCookies({ credentials }: FetchAccess, url: string, setCookie: string | string[] | undefined): boolean {
  if (setCookie === undefined || credentials?.goTo(new URL(url).origin) !== true) return false;
  return credentials.jar.keep(url, [setCookie].flat());
}

async function send(connections: Connections, sent: SentRequest): Promise<Dispatcher.ResponseData> {
  try {
    return await connections.send(sent);
  } catch (error) {
    throw toFetchError(error, 'headers');
  }
}

async function readAnswer(
  { request, deadline, spoolFolder }: FetchState,
  response: Dispatcher.ResponseData,
  headers: ReadonlyMap<string, string>,
): Promise<ReadBody | undefined> {
  // Destroying a body that nobody listens to would be an uncaught error.
  response.body.on('error', () => {});
  const mediaType = mediaTypeOf(headers);
  const isWanted = response.statusCode >= 200 && response.statusCode < 300 && !isUnreadType(mediaType);
  if (!isWanted) {
    await dump(response);
    return undefined;
  }
  try {
    return await readBody({
      wire: response.body,
      contentEncoding: headers.get('content-encoding') ?? '',
      contentLength: Number(headers.get('content-length') ?? 0) || undefined,
      mediaType,
      purpose: request.purpose,
      limits: request.limits,
      spoolFolder,
      deadline,
    });
  } catch (error) {
    throw toFetchError(error, 'body');
  } finally {
    if (!response.body.destroyed) response.body.destroy();
  }
}

/** What becomes of an unwanted body changes nothing: its status was the answer. */
async function dump(response: Dispatcher.ResponseData): Promise<void> {
  await response.body
    .dump({ limit: DUMP_BYTES, signal: AbortSignal.timeout(DUMP_MS) })
    .catch(() => response.body.destroy());
}

function foldHeaders(headers: Dispatcher.ResponseData['headers']): ReadonlyMap<string, string> {
  const folded = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) folded.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value);
  }
  return folded;
}

function mediaTypeOf(headers: ReadonlyMap<string, string>): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Undefined without a target: the redirect is then the answer. */
function resolveLocation(location: string | undefined, base: string): string | undefined {
  if (location === undefined || location.trim() === '') return undefined;
  const target = URL.parse(location, base);
  if (target === null) throw unavailable('protocol');
  return withoutFragment(target.href);
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

/** What is sent with every request of an installation. */
type AgentIdentity = {
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
function hopHeaders(hop: HopOf, request: FetchRequest, identity: AgentIdentity): Record<string, string> {
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
