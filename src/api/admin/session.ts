import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FailedSignIns } from '../../accounts/failed-sign-ins.ts';
import type { IdentityProvider } from '../../accounts/oidc/identity-provider.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import {
  acceptLink,
  CREDENTIALS,
  changeOwnPassword,
  LINK,
  normalEmail,
  readLink,
  type SignedIn,
  type SignInDeps,
  signIn,
  signOut,
} from '../../accounts/sign-in.ts';
import { AppError, invalidRequest } from '../../core/errors.ts';
import { type Person, ROLES } from '../../core/records.ts';
import type { FailedCredentials } from '../auth.ts';
import { addressKey, type ClientAddress } from '../client-address.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { type Caller, callerOf, callerOfSession } from './access.ts';
import { OIDC_START_PATH } from './oidc.ts';
import { TIME, timeText } from './responses.ts';
import { type CookieDeps, clearSessionCookie, sessionTokenOf, setSessionCookie } from './session-cookie.ts';

export type SessionRouteDeps = SignInDeps &
  CookieDeps & {
    readonly clientAddress: ClientAddress;
    readonly failedCredentials: FailedCredentials;
    readonly failedSignIns: FailedSignIns;
    readonly identityProvider: IdentityProvider | undefined;
  };

/** Nobody knows yet who sends it. */
const MAX_OPEN_BYTES = 16_384;

export const SIGN_IN_BODY = z
  .object({
    hasPeople: z.boolean().describe('False: nobody can sign in by a password yet.'),
    oidc: z
      .object({ name: z.string(), path: z.string() })
      .nullable()
      .describe('The identity provider of OIDC_ISSUER, and where signing in by it begins.'),
  })
  .meta({ id: 'SignInOptions' });

export const SESSION_BODY = z
  .object({
    actor: z.string().describe('As the audit log names who asks: `person:3 anna@example.org`.'),
    role: z.enum(ROLES),
    customers: z.array(z.int()).nullable().describe('null: all.'),
    person: z
      .object({ id: z.int(), email: z.string(), name: z.string().nullable(), hasPassword: z.boolean() })
      .nullable()
      .describe('null: the operator token, or a key.'),
    expiresAt: TIME.nullable(),
  })
  .meta({ id: 'Session' });

export const LINK_BODY = z
  .object({
    kind: z.enum(['first', 'invitation', 'password']).describe('`first`: whoever takes it becomes the first operator.'),
    email: z.string().nullable(),
    name: z.string().nullable(),
    expiresAt: TIME,
  })
  .meta({ id: 'InvitationLink' });

/** Signing in and out, links of invitations and forgotten passwords, and one's own password. */
export function sessionRoutes(deps: SessionRouteDeps): FastifyPluginAsync {
  const open = { config: { access: 'open', maxBodyBytes: MAX_OPEN_BYTES } } as const;
  const person = { config: { access: 'person' } } as const;
  return async (app) => {
    app.get('/sign-in', open, async (): Promise<Shown<typeof SIGN_IN_BODY>> => {
      const { identityProvider: provider } = deps;
      const oidc = provider === undefined ? null : { name: provider.name, path: `/admin/v1${OIDC_START_PATH}` };
      return { hasPeople: await deps.store.hasPeople(), oidc };
    });

    app.post('/session', open, async (request, reply) => {
      const credentials = parseStrictly(CREDENTIALS, request.body);
      const signedIn = await unlessGuessed(deps, request, credentials.email, () => signIn(deps, credentials));
      if (signedIn === undefined) throw new AppError('auth.invalid', 'The mail address or the password is wrong');
      return begin(deps, { request, reply }, signedIn);
    });

    app.get('/session', person, async (request) => sessionBody(callerOf(request)));

    app.delete('/session', open, async (request, reply) => {
      const token = sessionTokenOf(request);
      if (token !== undefined) await signOut(deps, token);
      clearSessionCookie(reply);
      return reply.code(204).send();
    });

    app.put('/session/password', person, async (request, reply) => {
      const { session } = callerOf(request);
      if (session === undefined) throw new AppError('auth.forbidden', 'Only a person who is signed in has a password');
      const { email } = session.person;
      const change = { email, token: session.token, sent: request.body };
      const done = await unlessGuessed(deps, request, email, () => changeOwnPassword(deps, change));
      if (done === undefined) throw invalidRequest([{ path: 'current', message: 'current: is wrong' }]);
      return reply.code(204).send();
    });

    app.post('/invitation', open, async (request): Promise<Shown<typeof LINK_BODY>> => {
      const { kind, person, expiresAt } = await readLink(deps, parseStrictly(LINK, request.body).token);
      return {
        kind,
        email: person?.email ?? null,
        name: person?.name ?? null,
        expiresAt: timeText(expiresAt),
      };
    });

    app.post('/invitation/accept', open, async (request, reply) =>
      begin(deps, { request, reply }, await acceptLink(deps, request.body)),
    );
  };
}

/** Failures wait longer and longer, for each address and for each person, whether or not there is such a person. */
async function unlessGuessed<T>(
  { clientAddress, failedCredentials, failedSignIns }: SessionRouteDeps,
  request: FastifyRequest,
  email: string,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const address = addressKey(clientAddress(request.raw));
  const found = await failedCredentials.check(address, () =>
    failedCredentials.check(`person:${normalEmail(email)}`, look),
  );
  if (found === undefined) await failedSignIns({ email, address });
  return found;
}

export function begin(
  deps: SessionRouteDeps,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { person, token, expiresAt }: SignedIn,
): Shown<typeof SESSION_BODY> {
  const maxAgeSeconds = Math.ceil((expiresAt - deps.clock.now()) / 1_000);
  setSessionCookie(deps, exchange, { token, maxAgeSeconds });
  return sessionBody(callerOfSession({ person, token, expiresAt }));
}

function sessionBody({ actor, role, customers, session }: Caller): Shown<typeof SESSION_BODY> {
  return {
    actor,
    role,
    customers: customers === 'all' ? null : [...customers],
    person: session === undefined ? null : shownPerson(session.person),
    expiresAt: timeText(session?.expiresAt),
  };
}

function shownPerson({ id, email, name, hasPassword }: Person) {
  return { id, email, name: name ?? null, hasPassword };
}
