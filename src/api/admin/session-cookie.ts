import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors.ts';

/** Where visitors reach the api; undefined when the operator has not said so. */
export type CookieDeps = { readonly publicUrl: string | undefined };

const NAME = 'fossick_session';
/** Pages and routes of the admin web alone. */
const PATH = '/admin';
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** The token of the session, as the browser sent it. */
export function sessionTokenOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, NAME);
}

/** The value of a cookie of ours, which is base64url. */
export function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return value !== undefined && /^[\w-]+$/.test(value) ? value : undefined;
}

/** The address of the installation, as the browser sees it. */
export function addressOf(request: FastifyRequest, { publicUrl }: CookieDeps): string {
  return publicUrl ?? `${isEncrypted(request, publicUrl) ? 'https' : 'http'}://${request.headers.host ?? ''}`;
}

/** No script reads the cookie, and no other site's request carries it. */
export function setSessionCookie(
  { publicUrl }: CookieDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  session: { readonly token: string; readonly maxAgeSeconds: number },
): void {
  const secure = isEncrypted(request, publicUrl) ? '; Secure' : '';
  const attributes = `Path=${PATH}; Max-Age=${session.maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
  reply.header('Set-Cookie', `${NAME}=${session.token}; ${attributes}`);
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('Set-Cookie', `${NAME}=; Path=${PATH}; Max-Age=0; HttpOnly; SameSite=Strict`);
}

/**
 * A change by cookie comes from a page of this host: the browser says so, and what it sends is JSON, which no form of
 * another site can send. Safe methods change nothing.
 *
 * @throws AppError `auth.forbidden`
 */
export function requireOwnPage(request: FastifyRequest, { publicUrl }: CookieDeps): void {
  if (SAFE_METHODS.includes(request.method)) return;
  if (pageOf(request, publicUrl) !== 'own') throw new AppError('auth.forbidden', FOREIGN);
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (hasBody(request) && type !== 'application/json') {
    throw new AppError('auth.forbidden', 'A change by cookie must be sent as application/json');
  }
}

const FOREIGN = 'A change by cookie must come from a page of this host (Sec-Fetch-Site or Origin)';

/** Where nothing but the body opens something: a page of another site must not do it. @throws AppError `auth.forbidden` */
export function refuseForeignPage(request: FastifyRequest, { publicUrl }: CookieDeps): void {
  if (SAFE_METHODS.includes(request.method) || pageOf(request, publicUrl) !== 'foreign') return;
  throw new AppError('auth.forbidden', 'This must come from a page of this host');
}

/** By what only the browser writes (Fetch Metadata), or, over plain HTTP, by the origin. */
function pageOf({ headers }: FastifyRequest, publicUrl: string | undefined): 'own' | 'foreign' | 'unknown' {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'foreign';
  const { origin, host } = headers;
  if (origin === undefined) return 'unknown';
  const sender = URL.canParse(origin) ? new URL(origin).host : undefined;
  const own = [host, publicUrl === undefined ? undefined : new URL(publicUrl).host];
  return sender !== undefined && own.includes(sender) ? 'own' : 'foreign';
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whoever writes the header of the proxy falsely only keeps their own cookie from plain HTTP. */
export function isEncrypted({ headers }: FastifyRequest, publicUrl: string | undefined): boolean {
  if (headers['x-forwarded-proto'] === 'https') return true;
  if (publicUrl === undefined) return false;
  const { protocol, host } = new URL(publicUrl);
  return protocol === 'https:' && host === headers.host;
}
