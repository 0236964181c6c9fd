import { METHODS } from 'node:http';
import { type Method, ROUTE_TABLE, type RouteRow } from './route-table.ts';

/**
 * What a request target means. `url` is the canonical target that Fastify routes; `row` of a wrong method is any row
 * of that path. `other` lies outside `/api` and is left to the plugins that serve it.
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
  const [area, ...rest] = segments;
  if (area?.toLowerCase() !== 'api') {
    return { kind: 'other', url: `${encodePath(segments)}${keptSlash(path, segments)}${query}` };
  }
  return matchApi(method, ['api', ...rest], query);
}

function matchApi(method: string, segments: readonly string[], query: string): RouteMatch {
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
