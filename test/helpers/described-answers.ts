import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument, OperationObject } from '../../src/api/openapi/document.ts';
import { matchRoute } from '../../src/api/route-table.ts';
import { OPENAPI_FILE } from '../../src/compose/product-files.ts';

export const OPENAPI = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenApiDocument;

type Json = { readonly [name: string]: unknown };
type Answer = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: unknown };
type Asked = { readonly method?: string; readonly path: string };

/** The document as programs read it, and one in which no answer has members that are not described. */
const OPEN = 'openapi.json';
const CLOSED = 'closed.json';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(OPENAPI, OPEN);
ajv.addSchema(closed(OPENAPI) as Json, CLOSED);

/** The operation of a request; undefined where the document has none. */
export function operationOf({
  method = 'GET',
  path,
}: Asked): { readonly at: string; readonly operation: OperationObject } | undefined {
  const route = matchRoute(method, path);
  const shown = route.kind === 'route' ? route.row.path : path.replace(/\?.*/, '');
  const name = shown.replace(/:([A-Za-z]+)/g, '{$1}');
  const template = OPENAPI.paths[name] === undefined ? templateOf(name) : name;
  const operation = OPENAPI.paths[template]?.[method.toLowerCase()];
  return operation && { at: pointer('paths', template, method.toLowerCase()), operation };
}

function templateOf(path: string): string {
  const fits = (template: string) => new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
  return Object.keys(OPENAPI.paths).find(fits) ?? path;
}

/** What the document says against the body of a request; undefined when it allows it. */
export function requestFault(asked: Asked, body: unknown): string | undefined {
  const found = operationOf(asked);
  if (found === undefined) return `${asked.path} is not described`;
  return faultOf(`${OPEN}#${found.at}${pointer('requestBody', 'content', 'application/json', 'schema')}`, body);
}

/** @throws Error when the answer is none that the document describes */
export function requireDescribed(asked: Asked, answer: Answer): void {
  const fault = answerFault(asked, answer);
  if (fault !== undefined) throw new Error(`${asked.method ?? 'GET'} ${asked.path} ${answer.status}: ${fault}`);
}

function answerFault(asked: Asked, { status, headers, body }: Answer): string | undefined {
  const found = operationOf(asked);
  if (status === 304 || asked.method === 'HEAD' || /[?&]casing=camel/i.test(asked.path)) return undefined;
  if (found === undefined) return status < 400 ? undefined : faultOf(`${CLOSED}#/components/schemas/Error`, body);
  const { responses } = found.operation;
  if (status < 400 && responses[status] === undefined) return 'this status is not described';
  const name = responses[status] === undefined ? 'default' : String(status);
  const $ref = responses[name]?.['$ref'];
  const at = typeof $ref === 'string' ? $ref.slice(1) : `${found.at}${pointer('responses', name)}`;
  const { content = {} } = valueAt(at) as { readonly content?: Json };
  const type = String(headers['content-type'] ?? '').replace(/;.*/, '');
  if (type === '') return Object.keys(content).length === 0 ? undefined : 'it has no body';
  if (content[type] === undefined) return `its type is ${type}`;
  if (type !== 'application/json') return undefined;
  return faultOf(`${CLOSED}#${at}${pointer('content', type, 'schema')}`, body);
}

function faultOf(uri: string, value: unknown): string | undefined {
  const validate = validator(uri);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

function validator(uri: string): ValidateFunction {
  const found = ajv.getSchema(uri);
  if (found === undefined) throw new Error(`${uri} leads nowhere`);
  return found;
}

function valueAt(at: string): unknown {
  const steps = at.split('/').slice(1);
  const names = steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((value, name) => (value as Json)[name], OPENAPI);
}

function pointer(...names: readonly string[]): string {
  return names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

/** Every object with described members has no others. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, closed(inner)]));
  const isRecord = members['type'] === 'object' && 'properties' in members && !('additionalProperties' in members);
  return isRecord ? { ...members, additionalProperties: false } : members;
}
