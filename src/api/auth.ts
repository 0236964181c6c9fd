import type { FastifyRequest } from 'fastify';
import type { AccountSnapshot } from '../accounts/engine-snapshot.ts';
import type { NoteKeyUse } from '../accounts/key-use.ts';
import { digestOf } from '../accounts/manage-keys.ts';
import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { ApiKey } from '../core/records.ts';
import { addressKey, type ClientAddress } from './client-address.ts';
import { knownId } from './route-table.ts';

/** What an `Authorization` header states, unverified. `unusable` covers every malformed or unknown form. */
export type Credentials =
  | { readonly scheme: 'none' }
  | { readonly scheme: 'unusable' }
  | { readonly scheme: 'site-key'; readonly customerId: number; readonly engineId: number }
  | { readonly scheme: 'basic'; readonly customerId: number; readonly apiKey: string };

/** First customer id of the US region. Contract: 1.6.1. */
const FIRST_US_CUSTOMER = 10_000_000;
const HEADER = /^([A-Za-z]+) +([A-Za-z0-9+/]+)(={0,2})$/;
const UNUSABLE: Credentials = { scheme: 'unusable' };

/** Reads the header's values as sent; two headers are as unusable as two tokens. Contract: 1.6. */
export function readCredentials(values: readonly string[] | undefined): Credentials {
  const [value = ''] = values ?? [];
  if ((values?.length ?? 0) > 1) return UNUSABLE;
  if (value.trim() === '') return { scheme: 'none' };
  const match = HEADER.exec(value.trim());
  if (match === null) return UNUSABLE;
  const [, scheme = '', digits = '', padding = ''] = match;
  const text = decodeToken(digits, padding);
  if (text === undefined) return UNUSABLE;
  if (scheme.toLowerCase() === 'sitekey') return readSiteKey(text);
  return scheme.toLowerCase() === 'basic' ? readBasic(text) : UNUSABLE;
}

/** The same where the token of a SiteKey may also come as `Bearer`: many clients of MCP send no other scheme. */
export function readBearerSiteKey(values: readonly string[] | undefined): Credentials {
  return readCredentials(values?.map((value) => value.replace(/^\s*bearer(?= )/i, 'SiteKey')));
}

/** The token of an engine's SiteKey. Contract: 1.6. */
export function siteTokenOf(engine: { readonly customerId: number; readonly id: number }): string {
  return Buffer.from(`${engine.customerId}:${engine.id}:SearchKey`).toString('base64');
}

/** Whether this installation answers for the customer at all. Contract: 1.6.1. */
export function servesRegion(region: 'any' | 'eu' | 'us', customerId: number): boolean {
  return region === 'any' || (region === 'us') === customerId >= FIRST_US_CUSTOMER;
}

function decodeToken(digits: string, padding: string): string | undefined {
  const rest = digits.length % 4;
  if (rest === 1 || (padding !== '' && rest + padding.length !== 4)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(digits, 'base64'));
  } catch {
    return undefined;
  }
}

function readSiteKey(text: string): Credentials {
  const [customer, engine, literal, ...rest] = text.split(':');
  const customerId = knownId(customer);
  const engineId = knownId(engine);
  if (customerId === undefined || engineId === undefined || literal !== 'SearchKey' || rest.length > 0) return UNUSABLE;
  return { scheme: 'site-key', customerId, engineId };
}

function readBasic(text: string): Credentials {
  const colon = text.indexOf(':');
  const customerId = knownId(text.slice(0, Math.max(colon, 0)));
  const apiKey = text.slice(colon + 1);
  if (customerId === undefined || apiKey === '') return UNUSABLE;
  return { scheme: 'basic', customerId, apiKey };
}

const BEARER = /^bearer +(\S+)$/i;

const MISSING = 'This needs the operator token: Authorization: Bearer <token>';
const WRONG =
  'The token is wrong: the right one is OPERATOR_TOKEN where that is set, else in the file DATA_DIR/operator-token';

export type OperatorAccess = {
  /** Compares in constant time. */
  readonly isOperatorToken: (token: string) => boolean;
  readonly clientAddress: ClientAddress;
  readonly failedCredentials: FailedCredentials;
};

/** `onRequest` hook of what is the operator's alone: runs before the body is read. @throws AppError `auth.invalid` */
export function operatorCheck(deps: OperatorAccess): (request: FastifyRequest) => Promise<void> {
  return async ({ raw }) => {
    const [value = '', ...more] = raw.headersDistinct['authorization'] ?? [];
    const token = more.length === 0 ? BEARER.exec(value.trim())?.[1] : undefined;
    if (token === undefined) throw new AppError('auth.invalid', MISSING);
    const isRight = await deps.failedCredentials.check(addressKey(deps.clientAddress(raw)), async () =>
      deps.isOperatorToken(token) ? true : undefined,
    );
    if (isRight === undefined) throw new AppError('auth.invalid', WRONG);
  };
}

export type KeyAccess = {
  readonly accounts: Pick<AccountSnapshot, 'findActiveKey'>;
  readonly clock: Clock;
  readonly clientAddress: ClientAddress;
  readonly failedCredentials: FailedCredentials;
  readonly noteKeyUse: NoteKeyUse;
};

/** The API key that a request sends as Basic, outside of the public API. @throws AppError `auth.invalid` */
export function keyFinder(deps: KeyAccess): (request: FastifyRequest) => Promise<ApiKey> {
  return async ({ raw }) => {
    const sent = readCredentials(raw.headersDistinct['authorization']);
    if (sent.scheme !== 'basic') throw new AppError('auth.invalid', WRONG_KEY);
    const key = await deps.failedCredentials.check(addressKey(deps.clientAddress(raw)), () =>
      deps.accounts.findActiveKey(sent.customerId, digestOf(sent.apiKey), deps.clock.now()),
    );
    if (key === undefined) throw new AppError('auth.invalid', WRONG_KEY);
    deps.noteKeyUse(key);
    return key;
  };
}

const WRONG_KEY = 'The API key is wrong, revoked or expired: Basic takes the base64 of <customer>:<key>';

/**
 * Slows down whoever tries credentials: answers to failures of one address wait longer and longer, one behind the
 * other. Right ones are answered at once, also from that address, as long as few failures wait there. The status of
 * an answer never changes. Contract: 1.1 (401 comes before 429).
 */
export type FailedCredentials = {
  /** Looks credentials of an address up; undefined, which may take its time, when they are wrong. */
  check<T>(address: string, look: () => Promise<T | undefined>): Promise<T | undefined>;
};

/** A person mistypes a few times; a server with an old key meets the delays. */
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;
/** Without a failure for so long an address begins anew. */
const FORGET_AFTER_MS = 600_000;
/** Of one address. Above it nothing of the address is looked up before a place is free. */
const MAX_WAITING = 64;
const MAX_ADDRESSES = 10_000;

type Offender = { failures: number; lastAt: number; waiting: number; queue: Promise<void> };

export function limitFailedCredentials(deps: {
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
}): FailedCredentials {
  const offenders = new Map<string, Offender>();
  return {
    check: async (address, look) => {
      const known = offenders.get(address);
      if (known !== undefined && known.waiting >= MAX_WAITING) await known.queue;
      const found = await look();
      if (found === undefined) await delay(offenderOf(address));
      return found;
    },
  };

  function offenderOf(address: string): Offender {
    const now = deps.clock.now();
    const known = offenders.get(address);
    const isFresh = known !== undefined && now - known.lastAt < FORGET_AFTER_MS;
    const offender = known ?? { failures: 0, lastAt: now, waiting: 0, queue: Promise.resolve() };
    offender.failures = isFresh ? offender.failures + 1 : 1;
    offender.lastAt = now;
    // Behind all others: a map keeps the order in which keys came.
    offenders.delete(address);
    offenders.set(address, offender);
    if (offenders.size > MAX_ADDRESSES) offenders.delete(offenders.keys().next().value ?? '');
    return offender;
  }

  async function delay(offender: Offender): Promise<void> {
    const beyond = offender.failures - FREE_FAILURES;
    if (beyond <= 0) return;
    const ms = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (beyond - 1));
    offender.waiting++;
    offender.queue = offender.queue.then(() => deps.pause(ms));
    await offender.queue;
    offender.waiting--;
  }
}
