import type { IncomingHttpHeaders } from 'node:http';
import type { Engine } from '../core/records.ts';
import type { RouteMatch } from './route-table.ts';
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
  const lists = allowedOrigins(settings, engine);
  const exposed = settings.streamHeaderPrefixes.flatMap((prefix) => STREAM_HEADERS.map((name) => `${prefix}-${name}`));
  const expose = { 'Access-Control-Expose-Headers': [...exposed, ...EXPOSED].join(', ') };
  if (lists.every((origins) => origins.includes('*'))) return { 'Access-Control-Allow-Origin': '*', ...expose };
  if (origin === undefined || !isIn(lists, origin)) return { Vary: 'Origin' };
  return { 'Access-Control-Allow-Origin': origin, Vary: 'Origin', ...expose };
}

/** Whether pages of an origin may call: what runs outside of a browser has none. */
export function allowsOrigin(settings: CorsSettings, origin: string | undefined, engine: Engine): boolean {
  return origin === undefined || isIn(allowedOrigins(settings, engine), origin);
}

/** Lists of which each must have the origin. */
function allowedOrigins(settings: CorsSettings, engine: Engine | undefined): readonly (readonly string[])[] {
  const narrowed = engine?.settings.corsOrigins ?? [];
  return narrowed.length > 0 ? [settings.corsAllowedOrigins, narrowed] : [settings.corsAllowedOrigins];
}

function isIn(lists: readonly (readonly string[])[], origin: string): boolean {
  return lists.every((origins) => origins.includes('*') || origins.includes(origin));
}

/** What a preflight answer adds. Contract: 1.5. */
export function preflightHeaders(headers: IncomingHttpHeaders): Headers {
  const requestedHeaders = headers['access-control-request-headers'];
  return {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers':
      requestedHeaders !== undefined && HEADER_NAMES.test(requestedHeaders.trim())
        ? requestedHeaders.trim()
        : 'authorization, content-type',
    'Access-Control-Max-Age': '86400',
  };
}
