import type { IncomingHttpHeaders } from 'node:http';
import type { Engine } from '../core/records.ts';
import type { RouteMatch } from './match-route.ts';
import type { ApiSettings } from './settings.ts';

type CorsSettings = Pick<ApiSettings, 'corsAllowedOrigins' | 'corsManagement' | 'streamHeaderPrefixes'>;
type Headers = Readonly<Record<string, string>>;

const EXPOSED = ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id'];
const STREAM_HEADERS = ['Conversation-Id', 'Exchange-Id', 'Summary-Id', 'Summary-Request-Id', 'Answer-Fallback'];
const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
/** A header name list as a browser sends it; anything else is not echoed. */
const HEADER_NAMES = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+(\s*,\s*[A-Za-z0-9!#$%&'*+.^_`|~-]+)*$/;

/** Management paths and what lies outside the API carry no CORS headers. Contract: 1.5. */
export function hasCors(match: RouteMatch, settings: CorsSettings): boolean {
  if (match.kind === 'other') return false;
  return match.kind === 'unknown' || match.row.auth !== 'B' || settings.corsManagement;
}

/** Headers of every answer to a cross-origin caller. `engine` narrows the origins when it names some. Contract: 1.5. */
export function corsHeaders(settings: CorsSettings, origin: string | undefined, engine: Engine | undefined): Headers {
  const narrowed = engine?.settings.corsOrigins ?? [];
  const lists = narrowed.length > 0 ? [settings.corsAllowedOrigins, narrowed] : [settings.corsAllowedOrigins];
  const exposed = settings.streamHeaderPrefixes.flatMap((prefix) => STREAM_HEADERS.map((name) => `${prefix}-${name}`));
  const expose = { 'Access-Control-Expose-Headers': [...exposed, ...EXPOSED].join(', ') };
  if (lists.every((origins) => origins.includes('*'))) return { 'Access-Control-Allow-Origin': '*', ...expose };
  const isAllowed = lists.every((origins) => origins.includes('*') || origins.includes(origin ?? ''));
  if (origin === undefined || !isAllowed) return { Vary: 'Origin' };
  return { 'Access-Control-Allow-Origin': origin, Vary: 'Origin', ...expose };
}

/** What a preflight answer adds. Contract: 1.5. */
export function preflightHeaders(headers: IncomingHttpHeaders): Headers {
  const asked = headers['access-control-request-headers'];
  return {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers':
      asked !== undefined && HEADER_NAMES.test(asked.trim()) ? asked.trim() : 'authorization, content-type',
    'Access-Control-Max-Age': '86400',
  };
}
