import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../core/errors.ts';
import type { Crawler, Engine } from '../core/records.ts';
import type { AccountStore } from '../storage/account-store.ts';
import { type Credentials, readCredentials, servesRegion } from './auth.ts';
import { addressKey, type ClientAddress } from './client-address.ts';
import { knownId } from './match-route.ts';
import { limitRate, type RateDeps } from './rate-limit.ts';
import type { Feature, RateClass } from './route-table.ts';
import type { ApiSettings } from './settings.ts';

/** Operator records, read once per request; a snapshot or the store itself. */
export type Accounts = Pick<AccountStore, 'findCustomer' | 'findEngine' | 'findCrawler' | 'findActiveKey'>;

export type GuardDeps = RateDeps & {
  readonly settings: ApiSettings;
  readonly accounts: Accounts;
  readonly clientAddress: ClientAddress;
};

/**
 * The access rule of a route: `check` is its `onRequest` hook (before the body is read, so that 401, 403, 404 and
 * 429 win over 400), `of` gives the handler what `check` found. Contract: 1.1, 1.6.
 */
export type Access<T> = {
  readonly check: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  readonly of: (request: FastifyRequest) => T;
};

export type EngineAccess = { readonly customerId: number; readonly engine: Engine };
export type CrawlerAccess = { readonly customerId: number; readonly crawler: Crawler };
export type CustomerAccess<T = undefined> = { readonly customerId: number; readonly found: T };
/** `engine` is undefined when customer and engine of the path do not belong together: no query id fits them. */
export type PathAccess = {
  readonly customerId: number | undefined;
  readonly engineId: number | undefined;
  readonly engine: Engine | undefined;
};

/** `any` = SiteKey or Basic (class S), `site-key` = public settings (K), `open` = any header or none (N). */
export type EngineScheme = 'any' | 'site-key' | 'open';

type EngineRule = { readonly scheme: EngineScheme; readonly rate: RateClass; readonly feature?: Feature };

/** Access to the engine of the path. @throws AppError `auth.invalid`, `auth.forbidden`, `feature.disabled`, `rate.exceeded` */
export function engineAccess(deps: GuardDeps, rule: EngineRule): Access<EngineAccess> {
  return accessOf(async (request, reply) => {
    const customerId = pathId(request, 'customerId');
    const engineId = pathId(request, 'engineId');
    const credentials = credentialsOf(request);
    if (rule.scheme !== 'open') await verifyEngineCaller(deps, rule.scheme, credentials, { customerId, engineId });
    const engine = await ownEngine(deps, customerId, engineId);
    if (rule.feature !== undefined) requireFeature(engine, rule.feature);
    await limitRate(
      deps,
      { rate: rule.rate, caller: callerOf(deps, request, rule.scheme === 'open' ? undefined : credentials) },
      reply,
    );
    return { customerId: engine.customerId, engine };
  });
}

/** Access of tracking: nothing is refused but the rate; what does not belong together is told by the query id. */
export function pathAccess(deps: GuardDeps, rule: { readonly rate: RateClass }): Access<PathAccess> {
  return accessOf(async (request, reply) => {
    const customerId = pathId(request, 'customerId');
    const engineId = pathId(request, 'engineId');
    await limitRate(deps, { rate: rule.rate, caller: callerOf(deps, request) }, reply);
    const found = engineId === undefined ? undefined : await deps.accounts.findEngine(engineId);
    return { customerId, engineId, engine: found?.customerId === customerId ? found : undefined };
  });
}

/** Access to the crawler of the path, Basic only. @throws AppError `auth.*`, `crawler.not-found`, `rate.exceeded` */
export function crawlerAccess(
  deps: GuardDeps,
  rule: { readonly scheme: 'basic'; readonly rate: RateClass },
): Access<CrawlerAccess> {
  return accessOf(async (request, reply) => {
    const credentials = credentialsOf(request);
    const customerId = await verifyManager(deps, credentials, pathId(request, 'customerId') ?? 0);
    const crawlerId = pathId(request, 'crawlerId');
    const crawler = crawlerId === undefined ? undefined : await deps.accounts.findCrawler(crawlerId);
    if (crawler === undefined || crawler.customerId !== customerId) {
      throw new AppError('crawler.not-found', 'There is no such crawler');
    }
    await limitRate(deps, { rate: rule.rate, caller: callerOf(deps, request, credentials) }, reply);
    return { customerId, crawler };
  });
}

/**
 * Access of the search tools: the customer is the one of the credentials. An `:engineId` of the path must be the
 * customer's (403); `find` looks up the record that the path names, undefined = 404.
 *
 * @throws AppError `auth.invalid`, `auth.forbidden`, `record.not-found`, `rate.exceeded`
 */
export function customerAccess<T = undefined>(
  deps: GuardDeps,
  rule: {
    readonly scheme: 'basic';
    readonly rate: RateClass;
    /** `params` as in the path; ids have the id form but may be too large to exist (`knownId`). */
    readonly find?: (customerId: number, params: Readonly<Record<string, string>>) => Promise<T | undefined>;
  },
): Access<CustomerAccess<T>> {
  return accessOf(async (request, reply) => {
    const credentials = credentialsOf(request);
    const customerId = await verifyManager(deps, credentials);
    const params = request.params as Record<string, string>;
    if (params['engineId'] !== undefined) await ownEngine(deps, customerId, knownId(params['engineId']));
    const found = await rule.find?.(customerId, params);
    if (rule.find !== undefined && found === undefined)
      throw new AppError('record.not-found', 'There is no such record');
    await limitRate(deps, { rate: rule.rate, caller: callerOf(deps, request, credentials) }, reply);
    return { customerId, found: found as T };
  });
}

function accessOf<T>(decide: (request: FastifyRequest, reply: FastifyReply) => Promise<T>): Access<T> {
  const granted = new WeakMap<FastifyRequest, T>();
  return {
    check: async (request, reply) => {
      granted.set(request, await decide(request, reply));
    },
    of: (request) => {
      if (!granted.has(request)) throw new Error('access was not checked before the handler');
      return granted.get(request) as T;
    },
  };
}

function credentialsOf(request: FastifyRequest): Credentials {
  return readCredentials(request.raw.headersDistinct['authorization']);
}

type PathIds = { readonly customerId: number | undefined; readonly engineId: number | undefined };

async function verifyEngineCaller(deps: GuardDeps, scheme: 'any' | 'site-key', sent: Credentials, path: PathIds) {
  const { publicSettingsAllowAnonymous, publicSettingsAllowBasic } = deps.settings;
  if (sent.scheme === 'none' && scheme === 'site-key' && publicSettingsAllowAnonymous) return;
  if (sent.scheme === 'none' || sent.scheme === 'unusable') throw unauthorized();
  if (sent.scheme === 'basic' && scheme === 'site-key' && !publicSettingsAllowBasic) throw unauthorized();
  if (sent.scheme === 'site-key' && sent.engineId !== path.engineId) throw unauthorized();
  await verifyCustomer(deps, sent, path.customerId ?? 0);
}

/** The customer of valid Basic credentials; a valid SiteKey is known but not allowed. */
async function verifyManager(deps: GuardDeps, sent: Credentials, pathCustomerId?: number): Promise<number> {
  if (sent.scheme === 'none' || sent.scheme === 'unusable') throw unauthorized();
  await verifyCustomer(deps, sent, pathCustomerId ?? sent.customerId);
  if (sent.scheme === 'basic') return sent.customerId;
  throw new AppError('auth.forbidden', 'This endpoint needs an API key (scheme Basic)');
}

type Claim = Extract<Credentials, { customerId: number }>;

async function verifyCustomer(deps: GuardDeps, sent: Claim, customerId: number): Promise<void> {
  const { accounts, clock, settings } = deps;
  if (sent.customerId !== customerId || !servesRegion(settings.region, customerId)) throw unauthorized();
  const known =
    sent.scheme === 'basic'
      ? // Found by its digest: the time of the look-up tells nothing about the key.
        await accounts.findActiveKey(customerId, sha256(sent.apiKey), clock.now())
      : await accounts.findCustomer(customerId);
  if (known === undefined) throw unauthorized();
}

async function ownEngine(deps: GuardDeps, customerId: number | undefined, engineId: number | undefined) {
  const engine = engineId === undefined ? undefined : await deps.accounts.findEngine(engineId);
  // One answer for an engine that does not exist and one of somebody else.
  if (engine === undefined || engine.customerId !== customerId) {
    throw new AppError('auth.forbidden', 'This engine is not available to these credentials');
  }
  return engine;
}

function requireFeature(engine: Engine, feature: Feature): void {
  const { aiEnabled, features } = engine.settings;
  if (!aiEnabled) throw new AppError('feature.disabled', 'AI features are not enabled on this engine');
  if (feature === 'ai-chat' && !features.includes('AiChat')) {
    throw new AppError('feature.disabled', 'AI Chat is not enabled on this engine');
  }
}

function callerOf(deps: GuardDeps, request: FastifyRequest, verified?: Credentials): string {
  if (verified?.scheme === 'basic') return `key:${verified.customerId}:${sha256(verified.apiKey)}`;
  const { engineId = '' } = request.params as Record<string, string>;
  return `address:${addressKey(deps.clientAddress(request.raw))}:${engineId}`;
}

function pathId(request: FastifyRequest, name: string): number | undefined {
  return knownId((request.params as Record<string, string>)[name]);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function unauthorized(): AppError {
  return new AppError('auth.invalid', 'The credentials are missing, malformed or not valid here');
}
