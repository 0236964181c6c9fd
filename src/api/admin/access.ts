import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccountSnapshot } from '../../accounts/engine-snapshot.ts';
import { findSignedIn } from '../../accounts/sign-in.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import type { ApiKey, Person, Role } from '../../core/records.ts';
import type { AccountStore, Actor } from '../../storage/system/accounts.ts';
import type { PeopleStore } from '../../storage/system/people.ts';
import { personActor } from '../../storage/system/person-records.ts';
import { type KeyAccess, keyFinder, type OperatorAccess, operatorCheck } from '../auth.ts';
import { knownId } from '../route-table.ts';
import { type CookieDeps, refuseForeignPage, requireOwnPage, sessionTokenOf } from './session-cookie.ts';

/**
 * The least role of a route; a route that states none is the operator's. `open` = signing in, which needs no credentials;
 * `person` = whoever is signed in, of any role.
 */
export type RouteAccess = 'open' | 'person' | Role;

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly access?: RouteAccess;
  }
}

/** Customers of which a caller sees anything. */
export type VisibleCustomers = ReadonlySet<number> | 'all';

/** Who asks, and what is theirs. */
export type Caller = {
  readonly actor: Actor;
  readonly role: Role;
  readonly customers: VisibleCustomers;
  /** Of a person. */
  readonly session?: { readonly person: Person; readonly token: string; readonly expiresAt: number };
};

export type AccessDeps = OperatorAccess &
  KeyAccess &
  CookieDeps & {
    readonly store: PeopleStore;
    readonly clock: Clock;
    readonly accounts: Pick<AccountSnapshot, 'findCustomer' | 'findEngine' | 'findCrawler'>;
  };

const RANK: Readonly<Record<Exclude<RouteAccess, 'open'>, number>> = { person: 0, reader: 0, editor: 1, operator: 2 };
const OPERATOR: Caller = { actor: 'operator', role: 'operator', customers: 'all' };

const callers = new WeakMap<FastifyRequest, Caller>();
/** Requests whose handler has asked whose records it may show. */
const narrowed = new WeakSet<FastifyRequest>();

/** Who asks, as the audit log names it. */
export function actorOf(request: FastifyRequest): Actor {
  return callerOf(request).actor;
}

/** What the caller may do. */
export function roleOf(request: FastifyRequest): Role {
  return callerOf(request).role;
}

/** A change as it was sent, and who sent it. */
export function sentBy(request: FastifyRequest): { readonly actor: Actor; readonly sent: unknown } {
  return { actor: actorOf(request), sent: request.body };
}

/**
 * Some members of a record are its operator's alone.
 *
 * @throws AppError `auth.forbidden` for others than `editor` lists, of a caller who is no operator
 */
export function requireMembersOfRole(
  request: FastifyRequest,
  { editor }: { readonly editor: readonly string[] },
): void {
  if (callerOf(request).role === 'operator' || typeof request.body !== 'object' || request.body === null) return;
  const foreign = Object.keys(request.body).filter((name) => !editor.includes(name));
  if (foreign.length === 0) return;
  const message = `An editor may change only ${editor.join(', ')}: ${foreign.join(', ')} needs the role operator`;
  throw new AppError('auth.forbidden', message);
}

/** Whose records the caller sees: every route without a customer in its path that is not the operator's has to ask. */
export function visibleCustomers(request: FastifyRequest): VisibleCustomers {
  narrowed.add(request);
  return callerOf(request).customers;
}

export function isVisible(customers: VisibleCustomers, customerId: number): boolean {
  return customers === 'all' || customers.has(customerId);
}

/**
 * Tells the audit log what is about to be done outside of `system.db`; durable when it resolves, so that nothing is
 * done untold. What is refused afterwards is told, too.
 */
export function tellAudit(
  { store, clock }: { readonly store: Pick<AccountStore, 'recordAction'>; readonly clock: Clock },
  request: FastifyRequest,
  told: { readonly action: string; readonly target: string; readonly after?: Readonly<Record<string, unknown>> },
): Promise<void> {
  return store.recordAction({ at: clock.now(), actor: actorOf(request), ...told });
}

/**
 * The rule of every route below: who asks is known, has the role of the route, and sees the customer of the path, before
 * the body is read. Whoever lacks the role learns nothing about records; for the others those of foreign customers do
 * not exist.
 *
 * @throws AppError `auth.invalid` · `auth.forbidden` · `record.not-found`
 */
export function guardAdminRoutes(admin: FastifyInstance, deps: AccessDeps): void {
  const identify = callerFinder(deps);
  admin.addHook('onRequest', async (request) => {
    if (accessOf(request) !== 'open') return admit(deps, request, await identify(request));
    refuseForeignPage(request, deps);
  });
  admin.addHook('onSend', async (request, reply, payload) => {
    const isOfCustomers = accessOf(request) === 'reader' || accessOf(request) === 'editor';
    if (reply.statusCode >= 400 || !isOfCustomers || narrowed.has(request)) return payload;
    if (PATH_RECORDS.some(({ param }) => param in paramsOf(request))) return payload;
    throw new Error(`${request.routeOptions.url} shows records without asking whose the caller may see`);
  });
}

/** Who asks: by the header `Authorization`, or else by the cookie of a session. @throws AppError `auth.invalid` · `auth.forbidden` */
function callerFinder(deps: AccessDeps): (request: FastifyRequest) => Promise<Caller> {
  const requireOperator = operatorCheck(deps);
  const keyOf = keyFinder(deps);
  return async (request) => {
    const token = sessionTokenOf(request);
    if (/^\s*basic\s/i.test(request.headers.authorization ?? '')) return callerOfKey(await keyOf(request));
    if (request.headers.authorization !== undefined || token === undefined) {
      await requireOperator(request);
      return OPERATOR;
    }
    const session = await findSignedIn(deps, token);
    if (session === undefined) throw new AppError('auth.invalid', 'The session is over: sign in again');
    requireOwnPage(request, deps);
    return callerOfSession({ person: session.person, token, expiresAt: session.expiresAt });
  };
}

export function callerOfSession(session: {
  readonly person: Person;
  readonly token: string;
  readonly expiresAt: number;
}): Caller {
  const { role, customers } = session.person;
  const visible = role === 'operator' ? 'all' : new Set(customers);
  return { actor: personActor(session.person), role, customers: visible, session };
}

/** A key opens what it names: one that names nothing opens the public API alone, as it did before. */
function callerOfKey({ id, name, customerId, scopes = [] }: ApiKey): Caller {
  const role = scopes.includes('tools') ? 'editor' : scopes.includes('statistics') ? 'reader' : undefined;
  if (role === undefined)
    throw new AppError('auth.forbidden', 'This needs an API key with the scope tools or statistics');
  return { actor: `key:${id} ${name}`, role, customers: new Set([customerId]) };
}

async function admit(deps: AccessDeps, request: FastifyRequest, caller: Caller): Promise<void> {
  const least = accessOf(request);
  if (least !== 'open' && RANK[caller.role] < RANK[least])
    throw new AppError('auth.forbidden', `This needs the role ${least}`);
  callers.set(request, caller);
  if (caller.customers === 'all') return;
  for (const { param, noun, customerOf } of PATH_RECORDS) {
    const text = paramsOf(request)[param];
    if (text === undefined) continue;
    const id = knownId(text);
    const customerId = id === undefined ? undefined : await customerOf(deps.accounts, id);
    if (customerId === undefined || !caller.customers.has(customerId)) {
      throw new AppError(
        'record.not-found',
        id === undefined ? 'There is no such record' : `There is no ${noun} ${id}`,
      );
    }
  }
}

type PathRecord = {
  readonly param: string;
  readonly noun: string;
  readonly customerOf: (accounts: AccessDeps['accounts'], id: number) => Promise<number | undefined>;
};

/** Records of a path that tell its customer. */
const PATH_RECORDS: readonly PathRecord[] = [
  { param: 'customerId', noun: 'customer', customerOf: async (accounts, id) => (await accounts.findCustomer(id))?.id },
  {
    param: 'engineId',
    noun: 'engine',
    customerOf: async (accounts, id) => (await accounts.findEngine(id))?.customerId,
  },
  {
    param: 'crawlerId',
    noun: 'crawler',
    customerOf: async (accounts, id) => (await accounts.findCrawler(id))?.customerId,
  },
];

function accessOf(request: FastifyRequest): RouteAccess {
  return request.routeOptions.config.access ?? 'operator';
}

function paramsOf(request: FastifyRequest): Readonly<Record<string, string>> {
  return request.params as Readonly<Record<string, string>>;
}

export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('access was not checked before the handler');
  return caller;
}
