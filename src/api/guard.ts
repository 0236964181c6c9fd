import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountSnapshot } from '../accounts/engine-snapshot.ts';
import type { NoteKeyUse } from '../accounts/key-use.ts';
import { digestOf } from '../accounts/manage-keys.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler, Engine, KeyScope } from '../core/records.ts';
import type { Actor } from '../storage/system/accounts.ts';
import { type Credentials, type FailedCredentials, readBearerSiteKey, readCredentials, servesRegion } from './auth.ts';
import { addressKey, type ClientAddress } from './client-address.ts';
import { chargeRate, limitRate, type RateDeps } from './rate-limit.ts';
import { type Feature, knownId, type Params, type RateClass } from './route-table.ts';
import type { ApiSettings } from './settings.ts';

export type GuardDeps = RateDeps & {
  readonly settings: ApiSettings;
  readonly accounts: Pick<AccountSnapshot, 'findCustomer' | 'findEngine' | 'findCrawler' | 'findActiveKey'>;
  readonly clientAddress: ClientAddress;
  readonly failedCredentials: FailedCredentials;
  readonly noteKeyUse: NoteKeyUse;
};

/**
 * The access rule of a route: `check` is its `onRequest` hook (before the body is read, so that 401, 403, 404 and
 * 429 win over 400), `of` gives the handler what `check` found. Contract: 1.1, 1.6.
 */
export type Access<T> = {
  readonly check: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  readonly of: (request: FastifyRequest) => T;
};

export type EngineAccess = {
  readonly customerId: number;
  readonly engine: Engine;
  /** The caller has an API key, which browsers never see. */
  readonly hasKey: boolean;
  /**
   * Takes what the call has cost beyond the token of its admission.
   *
   * @throws AppError `rate.exceeded`
   */
  readonly charge: (tokens: number) => Promise<void>;
};
/** `admit` takes a token of another rate. @throws AppError `rate.exceeded` */
export type SiteKeyAccess = EngineAccess & { readonly admit: (rate: RateClass) => Promise<void> };
/** `engine` is the one that the crawler fills. */
export type CrawlerAccess = { readonly customerId: number; readonly crawler: Crawler; readonly engine: Engine };
export type CustomerAccess<T = undefined> = {
  readonly customerId: number;
  /** The key that asks. */
  readonly actor: Actor;
  readonly found: T;
};
/** Ids of the path as they stand there: no query id fits customer and engine that do not belong together. */
export type PathAccess = PathIds;

/**
 * `any` = SiteKey or Basic (class S), `site-key` = public settings (K), `open` = any header or none (N), `published` =
 * as `any`, or nothing where the search page of the engine is published (P).
 */
export type EngineScheme = 'any' | 'site-key' | 'open' | 'published';

type ManagementRule = {
  readonly scheme: 'basic';
  readonly rate: RateClass;
  /** What the key must open. */
  readonly scope: KeyScope;
};
type EngineRule = { readonly scheme: EngineScheme; readonly rate: RateClass; readonly feature?: Feature };

/**
 * Access to the engine of the path.
 *
 * @throws AppError `auth.invalid`, `auth.forbidden`, `feature.disabled`, `rate.exceeded`
 */
export function engineAccess(deps: GuardDeps, rule: EngineRule): Access<EngineAccess> {
  return accessOf(async (request, reply) => {
    const path = { customerId: pathId(request, 'customerId'), engineId: pathId(request, 'engineId') };
    const verified = await (rule.scheme === 'open'
      ? findCaller(deps, request)
      : verifyEngineCaller(deps, rule.scheme, request, path));
    const engine = await ownEngine(deps, path);
    if (rule.feature !== undefined) requireFeature(engine, rule.feature);
    const call = { rate: rule.rate, caller: verified?.caller ?? addressOf(deps, request) };
    await limitRate(deps, call, reply);
    return {
      customerId: engine.customerId,
      engine,
      hasKey: verified?.hasKey ?? false,
      charge: (tokens) => chargeRate(deps, { ...call, tokens }, reply),
    };
  });
}

/**
 * Access to the engine that the key itself names, for clients that are given one address and one key (E). Many of them
 * send a key as `Bearer` only.
 *
 * @throws AppError `auth.invalid`, `auth.forbidden`, `rate.exceeded`
 */
export function siteKeyAccess(deps: GuardDeps, rule: { readonly rate: RateClass }): Access<SiteKeyAccess> {
  return accessOf(async (request, reply) => {
    const sent = readBearerSiteKey(request.raw.headersDistinct['authorization']);
    if (sent.scheme !== 'site-key') throw unauthorized();
    const { caller, hasKey } = await verifyClaim(deps, sent, request, sent.customerId);
    const engine = await ownEngine(deps, sent);
    const admit = (rate: RateClass) => limitRate(deps, { rate, caller }, reply);
    await admit(rule.rate);
    return {
      customerId: engine.customerId,
      engine,
      hasKey,
      admit,
      charge: (tokens) => chargeRate(deps, { rate: rule.rate, caller, tokens }, reply),
    };
  });
}

/**
 * Access of tracking and of paths without an engine: nothing is refused but the rate; what does not belong together is
 * told by the query id.
 */
export function pathAccess(deps: GuardDeps, rule: { readonly rate: RateClass }): Access<PathAccess> {
  return accessOf(async (request, reply) => {
    const path = { customerId: pathId(request, 'customerId'), engineId: pathId(request, 'engineId') };
    const verified = await findCaller(deps, request);
    await limitRate(deps, { rate: rule.rate, caller: verified?.caller ?? addressOf(deps, request) }, reply);
    return path;
  });
}

/**
 * Access to the crawler of the path and its engine.
 *
 * @throws AppError `auth.invalid`, `auth.forbidden`, `crawler.not-found`, `rate.exceeded`
 */
export function crawlerAccess(deps: GuardDeps, rule: ManagementRule): Access<CrawlerAccess> {
  return accessOf(async (request, reply) => {
    const { customerId, caller } = await verifyManager(deps, request, {
      scope: rule.scope,
      customerId: pathId(request, 'customerId') ?? 0,
    });
    const own = await findOwnCrawler(deps, customerId, pathId(request, 'crawlerId'));
    await limitRate(deps, { rate: rule.rate, caller }, reply);
    return { ...own, customerId };
  });
}

/**
 * Access of the search tools: the customer is the one of the credentials. An `:engineId` of the path must be the
 * customer's (403); `find` looks up the record that the path names, undefined = 404. Ids of `params` have the id
 * form but may be too large to exist (`knownId`).
 *
 * @throws AppError `auth.invalid`, `auth.forbidden`, `record.not-found`, `rate.exceeded`
 */
export function customerAccess<T = undefined>(
  deps: GuardDeps,
  rule: ManagementRule & { readonly find?: (customerId: number, params: Params) => Promise<T | undefined> },
): Access<CustomerAccess<T>> {
  return accessOf(async (request, reply) => {
    const { customerId, caller, actor } = await verifyManager(deps, request, { scope: rule.scope });
    const params = request.params as Params;
    if (params['engineId'] !== undefined) await ownEngine(deps, { customerId, engineId: pathId(request, 'engineId') });
    const found = await rule.find?.(customerId, params);
    if (rule.find !== undefined && found === undefined) {
      throw new AppError('record.not-found', 'This customer has no such record');
    }
    await limitRate(deps, { rate: rule.rate, caller }, reply);
    return { customerId, actor, found: found as T };
  });
}

function accessOf<T>(decide: (request: FastifyRequest, reply: FastifyReply) => Promise<T>): Access<T> {
  const access: Access<T> = {
    check: async (request, reply) => {
      request.granted = { by: access, rights: await decide(request, reply) };
    },
    of: ({ granted }) => {
      if (granted?.by !== access) throw new Error('access was not checked before the handler');
      return granted.rights as T;
    },
  };
  return access;
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * What an access has found. On the request itself: a value of a `WeakMap` outlives the collections of young objects,
     * and all that it refers to with it.
     */
    granted: { readonly by: object; readonly rights: unknown } | undefined;
  }
}

type PathIds = { readonly customerId: number | undefined; readonly engineId: number | undefined };
/** `caller` is the key of the caller's rate buckets. */
type Verified = {
  readonly customerId: number;
  readonly caller: string;
  readonly hasKey: boolean;
  /** Of a key that names what it opens. */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** As the audit log names who calls. */
  readonly actor: Actor;
};
type Claim = Extract<Credentials, { customerId: number }>;

async function verifyEngineCaller(
  deps: GuardDeps,
  scheme: Exclude<EngineScheme, 'open'>,
  request: FastifyRequest,
  path: PathIds,
): Promise<Verified | undefined> {
  const sent = credentialsOf(request);
  if (sent.scheme === 'none' && (await needsNoKey(deps, scheme, path))) return undefined;
  if (sent.scheme === 'none' || sent.scheme === 'unusable') throw unauthorized();
  if (sent.scheme === 'basic' && scheme === 'site-key' && !deps.settings.publicSettingsAllowBasic) throw unauthorized();
  if (sent.scheme === 'site-key' && sent.engineId !== path.engineId) throw unauthorized();
  const verified = await verifyClaim(deps, sent, request, path.customerId ?? 0);
  requireScope(verified, 'search');
  return verified;
}

async function needsNoKey(deps: GuardDeps, scheme: EngineScheme, path: PathIds): Promise<boolean> {
  const { publicSettingsAllowAnonymous, searchPage, region } = deps.settings;
  if (scheme === 'site-key') return publicSettingsAllowAnonymous;
  if (scheme !== 'published' || !searchPage || !servesRegion(region, path.customerId ?? 0)) return false;
  const engine = await findPathEngine(deps, path);
  return engine?.settings.page?.published === true;
}

/** Valid Basic credentials; a valid SiteKey is known but not allowed. */
async function verifyManager(
  deps: GuardDeps,
  request: FastifyRequest,
  { scope, customerId }: { readonly scope: KeyScope; readonly customerId?: number | undefined },
): Promise<Verified> {
  const sent = credentialsOf(request);
  if (sent.scheme === 'none' || sent.scheme === 'unusable') throw unauthorized();
  const verified = await verifyClaim(deps, sent, request, customerId ?? sent.customerId);
  requireScope(verified, scope);
  if (sent.scheme === 'basic') return verified;
  throw new AppError('auth.forbidden', 'This endpoint needs an API key (scheme Basic)');
}

async function verifyClaim(deps: GuardDeps, sent: Claim, request: FastifyRequest, customerId: number) {
  const address = addressKey(deps.clientAddress(request.raw));
  const verified = await deps.failedCredentials.check(address, async () =>
    sent.customerId === customerId ? findClaimed(deps, sent, request) : undefined,
  );
  if (verified === undefined) throw unauthorized();
  return verified;
}

/** @throws AppError `auth.forbidden` */
function requireScope({ scopes }: Verified, scope: KeyScope): void {
  if (scopes === undefined || scopes.includes(scope)) return;
  throw new AppError('auth.forbidden', `This API key has no scope ${scope}: it has ${scopes.join(', ')}`);
}

/** Who calls where any header is let in: it refuses nothing and still tells whose rate it is. Contract: 1.9. */
async function findCaller(deps: GuardDeps, request: FastifyRequest): Promise<Verified | undefined> {
  const sent = credentialsOf(request);
  return sent.scheme === 'basic' ? findClaimed(deps, sent, request) : undefined;
}

async function findClaimed(deps: GuardDeps, sent: Claim, request: FastifyRequest): Promise<Verified | undefined> {
  const { customerId } = sent;
  if (!servesRegion(deps.settings.region, customerId)) return undefined;
  if (sent.scheme === 'basic') {
    const key = await deps.accounts.findActiveKey(customerId, digestOf(sent.apiKey), deps.clock.now());
    if (key === undefined) return undefined;
    deps.noteKeyUse(key);
    const { id, name, scopes } = key;
    return { customerId, caller: `key:${id}`, hasKey: true, scopes, actor: `key:${id} ${name}` };
  }
  const customer = await deps.accounts.findCustomer(customerId);
  const caller = addressOf(deps, request, String(sent.engineId));
  return customer && { customerId, caller, hasKey: false, actor: 'visitor' };
}

async function ownEngine(deps: GuardDeps, path: PathIds): Promise<Engine> {
  const engine = await findPathEngine(deps, path);
  // One answer for an engine that does not exist and one of somebody else.
  if (engine === undefined) throw new AppError('auth.forbidden', 'This engine is not available to these credentials');
  return engine;
}

async function findPathEngine(deps: GuardDeps, { customerId, engineId }: PathIds): Promise<Engine | undefined> {
  const engine = engineId === undefined ? undefined : await deps.accounts.findEngine(engineId);
  return engine?.customerId === customerId ? engine : undefined;
}

async function findOwnCrawler({ accounts }: GuardDeps, customerId: number, crawlerId: number | undefined) {
  const crawler = crawlerId === undefined ? undefined : await accounts.findCrawler(crawlerId);
  const engine = crawler && (await accounts.findEngine(crawler.engineId));
  if (crawler?.customerId !== customerId || engine === undefined) {
    throw new AppError('crawler.not-found', 'This customer has no such crawler');
  }
  return { crawler, engine };
}

function requireFeature(engine: Engine, feature: Feature): void {
  if (hasFeature(engine, feature)) return;
  const name = hasFeature(engine, 'ai') ? 'AI Chat is' : 'AI features are';
  throw new AppError('feature.disabled', `${name} not enabled on this engine`);
}

export function hasFeature({ settings: { aiEnabled, features } }: Engine, feature: Feature): boolean {
  return aiEnabled && (feature === 'ai' || features.includes('AiChat'));
}

function addressOf(
  deps: GuardDeps,
  request: FastifyRequest,
  engineId = (request.params as Params)['engineId'] ?? '',
): string {
  return `address:${addressKey(deps.clientAddress(request.raw))}:${engineId}`;
}

function credentialsOf(request: FastifyRequest): Credentials {
  return readCredentials(request.raw.headersDistinct['authorization']);
}

function pathId(request: FastifyRequest, name: string): number | undefined {
  return knownId((request.params as Params)[name]);
}

function unauthorized(): AppError {
  return new AppError('auth.invalid', 'The credentials are missing, malformed or not valid here');
}
