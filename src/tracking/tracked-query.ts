import type { Clock } from '../core/clock.ts';
import { AppError, invalidRequest, type Problem } from '../core/errors.ts';
import type { QueryIdOwner } from '../core/query-id.ts';
import type { EventValues } from './event-values.ts';
import { visitorAddress } from './visitor-address.ts';

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
export function trackedQuery(deps: TrackingDeps, event: SentEvent, values: EventValues): TrackedQuery {
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
export function requireFlat(sent: Readonly<Record<string, unknown>>): void {
  const wraps = ([name, value]: [string, unknown]) =>
    name.toLowerCase() === 'values' && typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!Object.entries(sent).some(wraps)) return;
  const message = 'The members stand in the body itself, not in an object named values: { "qid": "...", "sw": "..." }';
  throw invalidRequest([{ path: 'values', message }]);
}

/** @throws AppError `request.invalid` naming every member that is absent. */
export function requireValues(values: EventValues, names: readonly string[]): void {
  const missing = names.filter((name) => !values.has(name));
  if (missing.length > 0) throw invalidRequest(missing.map(missingMember));
}

function missingMember(name: string): Problem {
  return { path: name, message: `The member ${name} is required` };
}
