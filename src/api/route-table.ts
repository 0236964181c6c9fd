/** S = SiteKey or Basic, K = SiteKey only, B = Basic only, N = any header or none. Contract: 1.3. */
export type AuthClass = 'S' | 'K' | 'B' | 'N';
const RATE_CLASSES = ['search', 'ai', 'tracking', 'management'] as const;
export type RateClass = (typeof RATE_CLASSES)[number];
/** `ai` = the engine has AI, `ai-chat` = and the flag `AiChat`. */
export type Feature = 'ai' | 'ai-chat';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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

/** Every row of contract 1.3, used for routing, access tests and the API description. */
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
