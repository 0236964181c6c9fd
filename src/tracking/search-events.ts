import { isIP } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { AppError, invalidRequest, type Problem } from '../core/errors.ts';
import { foldBlanks, MAX_QUERY_CHARS, normalQuery } from '../core/normal-query.ts';
import { isCountedQueryId, type QueryIdOwner } from '../core/query-id.ts';
import {
  DEVICES,
  type Device,
  type QueryCount,
  type QueryEvent,
  type TrackingStore,
} from '../storage/system/tracking.ts';

const QUERY_COLUMNS = ['sw', 'qid', 'rc', 'fquery', 'dt', 'sid', 'qsid', 'ip'];

/**
 * Records a committed search; durable when it resolves. Contract: 6.2, 6.3.
 * @throws AppError `request.invalid` without `sw` or `qid`, or with `values`; `query-id.unknown`
 */
export async function logQuery(
  deps: TrackingDeps & { readonly systemStore: Pick<TrackingStore, 'addQueryEvent'> },
  event: SentEvent,
): Promise<{ readonly id: string }> {
  requireFlat(event.sent);
  const values = readEventValues(event.sent);
  requireValues(values, ['sw', 'qid']);
  const logged = {
    ...trackedQuery(deps, event, values),
    text: values.get('sw') ?? '',
    resultCount: countOf(values.get('rc')),
    fixedQuery: values.get('fquery'),
    device: deviceOf(values.get('dt')),
    querySessionId: values.get('qsid'),
    extra: otherValues(values, QUERY_COLUMNS),
  };
  await deps.systemStore.addQueryEvent(logged, countOfQuery(logged));
  return { id: logged.id };
}

/** Undefined for what was typed ahead or is internal, and for texts that no search takes. */
function countOfQuery({ queryId, text, resultCount, fixedQuery }: QueryEvent): QueryCount | undefined {
  const query = normalQuery(text);
  if (!isCountedQueryId(queryId) || [...query].length > MAX_QUERY_CHARS) return undefined;
  // A correction is made only when the text itself finds nothing (contract 2.9).
  const isCorrected = fixedQuery !== undefined && normalQuery(fixedQuery) !== query;
  return { query, spelling: foldBlanks(text), ownResultCount: isCorrected ? 0 : resultCount };
}

function deviceOf(text: string | undefined): Device {
  const named = text?.toLowerCase();
  return DEVICES.find((device) => device === named) ?? 'unknown';
}

const CLICK_COLUMNS = ['qid', 'clurl', 'cli', 'ls', 'cloi', 'title', 'sw', 'sid', 'ip'];
const KNOWN_KINDS = ['searchresult', 'banner'];

/**
 * Records a click; durable when it resolves. Clicks on one search are separate events. Contract: 6.2, 6.4.
 * @throws AppError `request.invalid` without `qid`, without `clurl` (banner clicks: `cloi`), or with `values`;
 * `query-id.unknown`
 */
export async function logClick(
  deps: TrackingDeps & { readonly systemStore: Pick<TrackingStore, 'addClickEvent'> },
  event: SentEvent,
): Promise<{ readonly id: string }> {
  requireFlat(event.sent);
  const values = readEventValues(event.sent);
  const kind = kindOf(values.get('ls'));
  requireValues(values, ['qid', kind === 'banner' ? 'cloi' : 'clurl']);
  const query = trackedQuery(deps, event, values);
  await deps.systemStore.addClickEvent({
    ...query,
    kind,
    url: values.get('clurl'),
    rank: countOf(values.get('cli')) || undefined,
    bannerId: values.get('cloi'),
    title: values.get('title'),
    text: values.get('sw'),
    extra: otherValues(values, CLICK_COLUMNS),
  });
  return { id: query.id };
}

/** The two known kinds in any case; other text as it was sent. */
function kindOf(text = 'searchresult'): string {
  const folded = text.toLowerCase();
  return KNOWN_KINDS.includes(folded) ? folded : text;
}

/** The engine that a path names. Undefined ids are too large to exist. */
export type PathOwner = { readonly customerId: number | undefined; readonly engineId: number | undefined };

/** The id in its stored form (lower case, dashes) when it was issued for this customer and engine. Contract: 1.8. */
export type VerifyQueryId = (owner: QueryIdOwner, id: string) => string | undefined;

export type TrackingDeps = {
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  readonly verifyQueryId: VerifyQueryId;
  /** cfg `TRACKING_ANONYMIZE_IP`. */
  readonly anonymizeIp: boolean;
};

export type SentEvent = {
  readonly owner: PathOwner;
  /** Members of the body, or parameters of the query string, as sent. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly socketAddress: string;
};

/** What both kinds of event state about the search that they belong to. */
export type TrackedQuery = {
  readonly id: string;
  readonly engineId: number;
  readonly at: number;
  readonly queryId: string;
  readonly sessionId: string | undefined;
  readonly ip: string | undefined;
};

/**
 * Ties an event to its search.
 * @throws AppError `query-id.unknown` when `qid` was not issued for the engine of the path.
 */
function trackedQuery(deps: TrackingDeps, event: SentEvent, values: EventValues): TrackedQuery {
  const { customerId, engineId } = event.owner;
  const sent = values.get('qid');
  const known = sent !== undefined && customerId !== undefined && engineId !== undefined;
  const queryId = known ? deps.verifyQueryId({ customerId, engineId }, sent) : undefined;
  if (queryId === undefined || engineId === undefined) {
    throw new AppError('query-id.unknown', 'The member qid is not the id of a search on this engine');
  }
  return {
    id: deps.newId(),
    engineId,
    at: deps.clock.now(),
    queryId,
    sessionId: values.get('sid'),
    ip: visitorAddress(values.get('ip'), event.socketAddress, deps.anonymizeIp),
  };
}

/** @throws AppError `request.invalid` for a body that wraps its values in `values`. Contract: 6.2. */
function requireFlat(sent: Readonly<Record<string, unknown>>): void {
  const wraps = ([name, value]: [string, unknown]) =>
    name.toLowerCase() === 'values' && typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!Object.entries(sent).some(wraps)) return;
  const message = 'The members stand in the body itself, not in an object named values: { "qid": "...", "sw": "..." }';
  throw invalidRequest([{ path: 'values', message }]);
}

/** @throws AppError `request.invalid` naming every member that is absent. */
function requireValues(values: EventValues, names: readonly string[]): void {
  const missing = names.filter((name) => !values.has(name));
  if (missing.length > 0) throw invalidRequest(missing.map(missingMember));
}

function missingMember(name: string): Problem {
  return { path: name, message: `The member ${name} is required` };
}

/** Names of the two tracking endpoints, found in any case. All others are kept as sent. Contract: 6.2. */
const KNOWN = new Set(
  [
    'sw qid rc fquery clurl cli ls title cloi dt sid qsid refurl refpt ip sz ua brl hn pn page ban bnrs rt ql it enid',
    'swr a ts trts sf ety etr clcid',
  ]
    .join(' ')
    .split(' '),
);

/** Texts of the client that mean that it had no value. */
const ABSENT: ReadonlySet<string> = new Set(['', 'null', 'undefined']);

/** What an event states: each value as text, absent ones left out. Known names are in lower case. */
type EventValues = ReadonlyMap<string, string>;

/** The later of two spellings of one name wins. */
export function readEventValues(sent: Readonly<Record<string, unknown>>): EventValues {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(sent)) {
    const folded = name.toLowerCase();
    const text = eventText(value);
    if (!ABSENT.has(text)) values.set(KNOWN.has(folded) ? folded : name, text);
  }
  return values;
}

/** The values under other names than `taken`. */
export function otherValues(values: EventValues, taken: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...values].filter(([name]) => !taken.includes(name)));
}

/** The number that a text of digits states, undefined for every other text. */
export function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function eventText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(eventText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

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
