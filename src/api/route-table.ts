import { METHODS } from 'node:http';

/**
 * S = SiteKey or Basic, K = SiteKey only, B = Basic only, N = any header or none (contract 1.3). P = S, or nothing for an
 * engine whose search page is published. E = the key names the engine: SiteKey, or its token as Bearer.
 */
export type AuthClass = 'S' | 'K' | 'B' | 'N' | 'P' | 'E';
const RATE_CLASSES = ['search', 'ai', 'tracking', 'management'] as const;
export type RateClass = (typeof RATE_CLASSES)[number];
/** `ai` = the engine has AI, `ai-chat` = and the flag `AiChat`. */
export type Feature = 'ai' | 'ai-chat';
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How a body is read: `json` (required, `MAX_BODY_BYTES`), `large-json` (required, `MAX_DOCUMENTS_BYTES`),
 * `optional-json`, `tracking` (JSON, form or nothing), `none` (ignored).
 */
export type BodyMode = 'json' | 'large-json' | 'optional-json' | 'tracking' | 'none';

/** `path` is written as Fastify routes it: static parts in lower case, `:identifier` free, other parameters are ids. */
export type RouteRow = {
  readonly method: Method;
  readonly path: string;
  readonly auth: AuthClass;
  readonly rate: RateClass;
  readonly body: BodyMode;
  readonly feature?: Feature;
};

const ENGINE_V3 = '/api/v3/:customerId/:engineId';
const ENGINE_V4 = '/api/v4/:customerId/:engineId';
const INDEX = '/api/v4/:customerId/index/:crawlerId/documents';
const CONTENT_V3 = '/api/v3/:customerId/content/:crawlerId';
export const MARKDOWN_PATH = `${ENGINE_V4}/documents/markdown`;
export const LLMS_PATH = '/llms.txt';
export const MCP_PATH = '/mcp';

/**
 * Every row of contract 1.3, the settings of pages and the routes for agents, used for routing, access tests and the API
 * description.
 */
export const ROUTE_TABLE: readonly RouteRow[] = [
  ...[ENGINE_V3, ENGINE_V4].flatMap((engine): RouteRow[] => [
    { method: 'POST', path: `${engine}/search`, auth: 'S', rate: 'search', body: 'json' },
    { method: 'GET', path: `${engine}/autocomplete`, auth: 'S', rate: 'search', body: 'none' },
    { method: 'POST', path: `${engine}/autocomplete`, auth: 'S', rate: 'search', body: 'json' },
  ]),
  ...['answer', 'answer/stream'].map((name) => aiRow(name, 'ai-chat')),
  ...['summarize', 'summarize/stream'].map((name) => aiRow(name, 'ai')),
  ...['search/answer/click', 'search/answer/feedback', 'search/summarize/feedback', 'feedback'].map(
    (name): RouteRow => ({ method: 'POST', path: `${ENGINE_V4}/${name}`, auth: 'N', rate: 'tracking', body: 'json' }),
  ),
  ...['querylog', 'clicklog'].map((name) => trackingRow('POST', name)),
  ...['__utm.gif', '__ctm.gif'].map((name) => trackingRow('GET', name)),
  { method: 'GET', path: `${ENGINE_V3}/websites/publicsettings`, auth: 'K', rate: 'search', body: 'none' },
  { method: 'GET', path: `${ENGINE_V4}/page-settings`, auth: 'K', rate: 'search', body: 'none' },
  managementRow('PUT', INDEX, 'large-json'),
  managementRow('PATCH', INDEX, 'large-json'),
  managementRow('DELETE', INDEX, 'none'),
  managementRow('POST', `${INDEX}/bulk-delete`, 'json'),
  ...['push', 'delete', 'pushurls'].map((name) => managementRow('POST', `${CONTENT_V3}/${name}`, 'large-json')),
  managementRow('POST', '/api/v4/:customerId/crawler/:crawlerId/paths', 'large-json'),
  ...['banners', 'rankings', 'quicklinks'].flatMap((kind) => toolRows(kind)),
  managementRow('GET', '/api/rankings', 'none'),
  managementRow('GET', '/api/banners/site/:engineId', 'none'),
  managementRow('GET', '/api/rankings/site/:engineId', 'none'),
  managementRow('GET', '/api/engine/:engineId/quicklinks', 'none'),
  managementRow('GET', '/api/engine/:engineId/quicklinkterms', 'none'),
  managementRow('POST', '/api/synonymsgroup', 'json'),
  managementRow('PUT', '/api/synonymsgroup', 'json'),
  managementRow('DELETE', '/api/synonymsgroup', 'optional-json'),
  managementRow('GET', '/api/synonymsgroup/:identifier', 'none'),
  { method: 'GET', path: MARKDOWN_PATH, auth: 'P', rate: 'search', body: 'none' },
  { method: 'GET', path: LLMS_PATH, auth: 'N', rate: 'search', body: 'none' },
  { method: 'POST', path: MCP_PATH, auth: 'E', rate: 'search', body: 'json' },
];

function aiRow(name: string, feature: Feature): RouteRow {
  return { method: 'POST', path: `${ENGINE_V4}/search/${name}`, auth: 'S', rate: 'ai', body: 'json', feature };
}

function trackingRow(method: 'GET' | 'POST', name: string): RouteRow {
  const body = method === 'GET' ? 'none' : 'tracking';
  return { method, path: `${ENGINE_V3}/search/pushstat/${name}`, auth: 'N', rate: 'tracking', body };
}

function managementRow(method: Method, path: string, body: BodyMode): RouteRow {
  return { method, path, auth: 'B', rate: 'management', body };
}

function toolRows(kind: string): readonly RouteRow[] {
  return [
    managementRow('POST', `/api/${kind}`, 'json'),
    managementRow('GET', `/api/${kind}/:id`, 'none'),
    managementRow('PUT', `/api/${kind}/:id`, 'json'),
    managementRow('DELETE', `/api/${kind}/:id`, 'none'),
  ];
}

/**
 * What a request target means. `url` is the canonical target that Fastify routes; `row` of a wrong method is any row
 * of that path. `other` is not listed, lies outside `/api` and is left to the plugins that serve it.
 */
export type RouteMatch =
  | { readonly kind: 'route'; readonly row: RouteRow; readonly url: string; readonly params: Params }
  | { readonly kind: 'wrong-method'; readonly row: RouteRow; readonly allow: string; readonly params: Params }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'other'; readonly url: string };

export type Params = Readonly<Record<string, string>>;

/** Ids of paths and tokens. Contract: 1.2. */
const ID_PATTERN = /^[1-9][0-9]*$/;
const HIGHEST_ID = 2_147_483_647;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

type Pattern = { readonly row: RouteRow; readonly segments: readonly string[] };

const PATTERNS_BY_LENGTH = Map.groupBy(
  ROUTE_TABLE.map((row): Pattern => ({ row, segments: row.path.slice(1).split('/') })),
  (pattern) => pattern.segments.length,
);

/** The id that a text of the id form names; undefined when no record can have it. */
export function knownId(text: string | undefined): number | undefined {
  if (text === undefined || !ID_PATTERN.test(text)) return undefined;
  const id = Number(text);
  return id <= HIGHEST_ID ? id : undefined;
}

/** Matches a request target without regard to case, duplicate or trailing slashes; decodes segments once. Contract: 1.2. */
export function matchRoute(method: string, target: string): RouteMatch {
  const [path, query] = splitTarget(target.replace(ABSOLUTE_FORM, ''));
  const segments = decodeSegments(path);
  if (segments === undefined) return { kind: 'unknown' };
  const match = matchListed(method, segments, query);
  if (match.kind !== 'unknown' || segments[0]?.toLowerCase() === 'api') return match;
  return { kind: 'other', url: `${encodePath(segments)}${keptSlash(path, segments)}${query}` };
}

function matchListed(method: string, segments: readonly string[], query: string): RouteMatch {
  const patterns = PATTERNS_BY_LENGTH.get(segments.length) ?? [];
  const matches = patterns.filter((pattern) => pattern.segments.every((part, i) => fits(part, segments[i] as string)));
  const [first] = matches;
  if (first === undefined) return { kind: 'unknown' };
  const params = paramsOf(first, segments);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const match = matches.find((pattern) => pattern.row.method === wanted);
  if (match === undefined) return { kind: 'wrong-method', row: first.row, allow: allowed(matches), params };
  const canonical = match.segments.map((part, i) => (part.startsWith(':') ? (segments[i] as string) : part));
  return { kind: 'route', row: match.row, url: `${encodePath(canonical)}${query}`, params };
}

function fits(part: string, segment: string): boolean {
  if (part === ':identifier') return true;
  return part.startsWith(':') ? ID_PATTERN.test(segment) : part === segment.toLowerCase();
}

function paramsOf(pattern: Pattern, segments: readonly string[]): Params {
  const named = pattern.segments.flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), segments[i]]] : []));
  return Object.fromEntries(named);
}

function allowed(matches: readonly Pattern[]): string {
  const methods = new Set<Method | 'HEAD'>(matches.map(({ row }) => row.method));
  if (methods.has('GET')) methods.add('HEAD');
  return METHODS.filter((method) => methods.has(method as Method)).join(', ');
}

/** Path and query string, the latter with its `?`; a fragment belongs to neither. */
function splitTarget(target: string): [string, string] {
  const [shown = ''] = target.split('#', 1);
  const mark = shown.indexOf('?');
  return mark < 0 ? [shown, ''] : [shown.slice(0, mark), shown.slice(mark)];
}

function decodeSegments(path: string): readonly string[] | undefined {
  const segments: string[] = [];
  for (const raw of path.split('/')) {
    if (raw === '') continue;
    const segment = decodeOnce(raw);
    if (segment === undefined || segment === '.' || segment === '..' || CONTROL.test(segment)) return undefined;
    segments.push(segment);
  }
  return segments;
}

function decodeOnce(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

function encodePath(segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`;
}

/** Static files tell `/sample/` from `/sample`: links of a page are relative to its folder. */
function keptSlash(path: string, segments: readonly string[]): string {
  return segments.length > 0 && path.endsWith('/') ? '/' : '';
}
