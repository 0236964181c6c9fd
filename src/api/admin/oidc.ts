import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { IdentityProvider, PendingSignIn } from '../../accounts/oidc/identity-provider.ts';
import type { SecretBox } from '../../accounts/secret-box.ts';
import { type SignInDeps, signInByIdentity } from '../../accounts/sign-in.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../observability/logger.ts';
import { queryOf } from './requests.ts';
import { addressOf, type CookieDeps, cookieOf, isEncrypted, setSessionCookie } from './session-cookie.ts';

export type OidcRouteDeps = SignInDeps &
  CookieDeps & {
    /** Undefined when OIDC_ISSUER is not set. */
    readonly identityProvider: IdentityProvider | undefined;
    readonly pendingSignIns: SecretBox;
    readonly log: Log;
  };

export const OIDC_START_PATH = '/oidc/start';
const CALLBACK_PATH = '/oidc/callback';
const COOKIE = 'fossick_oidc';
const COOKIE_PATH = '/admin/v1/oidc';
const PENDING_SECONDS = 600;

const MAX_PATH_CHARS = 2_000;
export const OIDC_START = z.strictObject({ to: z.string().max(MAX_PATH_CHARS).optional() });

/** A page of the admin web, and nothing that a browser could take for another host. */
const OWN_PAGE = /^\/admin(?:[/?][\w\-./?=&%~:,+]*)?$/;

type Pending = PendingSignIn & { readonly to: string; readonly until: number };
type Problem = 'oidc-failed' | 'oidc-unverified-mail' | 'oidc-unknown-person' | 'oidc-disabled';

/** Signing in by an OpenID Connect provider: the code flow with PKCE, for people who were invited. */
export function oidcRoutes(deps: OidcRouteDeps): FastifyPluginAsync {
  const open = { config: { access: 'open' } } as const;
  return async (app) => {
    app.get(OIDC_START_PATH, open, async (request, reply) => {
      const { to = '/admin' } = queryOf(OIDC_START, request);
      if (deps.identityProvider === undefined) throw new AppError('feature.disabled', 'OIDC_ISSUER is not set');
      const until = deps.clock.now() + PENDING_SECONDS * 1_000;
      const { url, pending } = await deps.identityProvider.begin(redirectUriOf(deps, request)).catch((err: unknown) => {
        deps.log.warn({ err }, 'the identity provider did not answer');
        return { url: pageOf('oidc-failed'), pending: undefined };
      });
      if (pending !== undefined) {
        const kept: Pending = { ...pending, to: OWN_PAGE.test(to) ? to : '/admin', until };
        setPending(deps, { request, reply }, deps.pendingSignIns.seal(JSON.stringify(kept)));
      }
      return reply.redirect(url, 302);
    });

    app.get(CALLBACK_PATH, open, async (request, reply) => {
      const pending = pendingOf(deps, request);
      setPending(deps, { request, reply }, undefined);
      const to = pending === undefined ? pageOf('oidc-failed') : await signInWith(deps, { request, reply }, pending);
      return reply.redirect(to, 302);
    });
  };
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** Where the browser goes. */
async function signInWith(deps: OidcRouteDeps, exchange: Exchange, { to, ...pending }: Pending): Promise<string> {
  const { search } = new URL(exchange.request.url, 'http://localhost');
  const url = new URL(`${redirectUriOf(deps, exchange.request)}${search}`);
  const identity = await deps.identityProvider?.finish(url, pending).catch((err: unknown) => {
    deps.log.warn({ err }, 'signing in by the identity provider failed');
    return undefined;
  });
  if (identity === undefined) return pageOf('oidc-failed');
  if (identity.email === undefined || !identity.isVerified) return pageOf('oidc-unverified-mail');
  const signedIn = await signInByIdentity(deps, identity.email);
  if (typeof signedIn === 'string') return pageOf(signedIn === 'disabled' ? 'oidc-disabled' : 'oidc-unknown-person');
  const maxAgeSeconds = Math.ceil((signedIn.expiresAt - deps.clock.now()) / 1_000);
  setSessionCookie(deps, exchange, { token: signedIn.token, maxAgeSeconds });
  return to;
}

function pageOf(problem: Problem): string {
  return `/admin/sign-in?problem=${problem}`;
}

function redirectUriOf(deps: OidcRouteDeps, request: FastifyRequest): string {
  return `${addressOf(request, deps)}/admin/v1${CALLBACK_PATH}`;
}

function pendingOf({ pendingSignIns, clock }: OidcRouteDeps, request: FastifyRequest): Pending | undefined {
  const text = pendingSignIns.open(cookieOf(request, COOKIE) ?? '');
  const pending = text === undefined ? undefined : (JSON.parse(text) as Pending);
  return pending !== undefined && pending.until > clock.now() ? pending : undefined;
}

/** Lax: the browser comes back from another site. */
function setPending({ publicUrl }: OidcRouteDeps, { request, reply }: Exchange, sealed: string | undefined): void {
  const secure = isEncrypted(request, publicUrl) ? '; Secure' : '';
  const age = sealed === undefined ? 0 : PENDING_SECONDS;
  const attributes = `Path=${COOKIE_PATH}; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
  reply.header('Set-Cookie', `${COOKIE}=${sealed ?? ''}; ${attributes}`);
}
