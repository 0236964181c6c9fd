import { STATUS_CODES } from 'node:http';
import { ERROR_POLICY, type ErrorCode, type ErrorPolicy } from '../../core/errors.ts';
import { ERROR_BODY } from '../error-body.ts';
import { type AuthClass, ROUTE_TABLE, type RouteRow } from '../route-table.ts';
import { AGENT_OPERATIONS } from './agent-operations.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { MANAGEMENT_OPERATIONS } from './management-operations.ts';
import { type Operation, type OperationAnswer, type Operations, TAGS } from './operation.ts';
import { searchOperations } from './search-operations.ts';
import { ADMIN_PREFIX, UNLISTED_OPERATIONS } from './unlisted-operations.ts';

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<'schemas' | 'responses' | 'parameters' | 'securitySchemes', JsonSchema>>;
};
export type PathItem = { readonly [method: string]: OperationObject };
export type OperationObject = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
};

export type DescribedSettings = { readonly version: string; readonly maxQuestionChars: number };

/** Everything that is the same for every request. */
const RULES = `What an installation answers, made of the table of its routes and of the schemas that read requests.

- The form described here is the recommended one; more is taken. Names of members and closed words match in any case, \
\`null\` is the same as absent, numbers and booleans may be sent as text, \`[]\` stands for \`{}\`.
- Members that are not described are ignored under \`/api\`; with \`?strict=true\` each of them is a fault, named with the \
member that was probably meant. \`/admin/v1\` always refuses them.
- Bodies are JSON in UTF-8, also with \`gzip\`, \`deflate\` or \`br\`, or a form whose one member \`Params\` holds the JSON text.
- Paths under \`/api\` match in any case. A known path with another method is 405; \`OPTIONS\` is answered for CORS.
- Every error has the body \`Error\`; its \`errorCode\` is stable.
- \`X-Request-Id\` of a request (letters, digits, \`.\`, \`_\`, \`-\`, at most 64) is used in its answer and in the log.
- Limits that an installation can change are shown with their defaults.`;

/** The description of every route, with the settings of a new installation: docs/openapi.json, which the api serves. */
export function openApiDocument({ version, maxQuestionChars }: DescribedSettings): OpenApiDocument {
  const operations: Operations = {
    ...searchOperations(maxQuestionChars),
    ...MANAGEMENT_OPERATIONS,
    ...AGENT_OPERATIONS,
  };
  const listed = ROUTE_TABLE.map((row): Described => {
    const key = `${row.method} ${row.path}`;
    const operation = operations[key];
    if (operation === undefined) throw new Error(`${key} is not described`);
    return { key, operation, row };
  });
  const unlisted = Object.entries(UNLISTED_OPERATIONS).map(([key, operation]): Described => ({ key, operation }));
  const { value: paths, schemas } = withComponents(pathsOf([...listed, ...unlisted]));
  const error = withComponents(jsonSchemaOf(ERROR_BODY, 'output'));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Fossick',
      version,
      description: RULES,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths: paths as OpenApiDocument['paths'],
    components: {
      schemas: inOrder({ ...schemas, ...error.schemas }),
      responses: { ...errorResponses(), Error: errorResponse('Any other error.') },
      parameters: { Strict: STRICT },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** `row` is absent outside of `/api`. */
type Described = { readonly key: string; readonly operation: Operation; readonly row?: RouteRow };

function pathsOf(all: readonly Described[]): Readonly<Record<string, PathItem>> {
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const described of all) {
    const [method = '', path = ''] = described.key.split(' ');
    const shown = path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[shown] = { ...paths[shown], [method.toLowerCase()]: operationObject(described, path) };
  }
  return paths;
}

function operationObject(described: Described, path: string): OperationObject {
  const { operation, row } = described;
  const { id, tag, summary, description, query, answer, alsoAnswers = [] } = operation;
  const body = bodyOf(operation);
  const takesStrict = row !== undefined && body !== undefined && row.body !== 'tracking';
  const parameters = [
    ...[...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => pathParameter(name)),
    ...(query === undefined ? [] : queryParameters(jsonSchemaOf(query, 'input'))),
    ...(takesStrict ? [{ $ref: '#/components/parameters/Strict' }] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(described),
    parameters,
    ...(body !== undefined && { requestBody: requestBody(body, row) }),
    responses: Object.assign({}, refusals(described), ...[answer, ...alsoAnswers].map(successResponse)),
  };
}

function bodyOf({ body, patch }: Operation): JsonSchema | undefined {
  if (patch !== undefined) return patchOf(jsonSchemaOf(patch, 'input'));
  return body === undefined ? undefined : jsonSchemaOf(body, 'input');
}

/** Any part of an object; null takes a member away (RFC 7396). */
function patchOf({ required: _, default: __, ...schema }: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return schema;
  const members = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  const patched = members.map(([name, member]) => [name, { anyOf: [patchOf(member), { type: 'null' }] }]);
  return { ...schema, properties: Object.fromEntries(patched) };
}

const ID_SCHEMA = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };

function pathParameter(name: string): JsonSchema {
  const schema = name === 'identifier' ? { type: 'string' } : ID_SCHEMA;
  return { name, in: 'path', required: true, schema };
}

/** A member that is no single value is sent as JSON text. */
function queryParameters({ properties = {}, required = [] }: JsonSchema): readonly JsonSchema[] {
  const names = required as readonly string[];
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, described]) => {
    const { description, ...schema } = described;
    const isText = schema['type'] !== 'array' && schema['type'] !== 'object' && schema['$ref'] === undefined;
    return {
      name,
      in: 'query',
      required: names.includes(name),
      ...(description !== undefined && { description }),
      ...(isText ? { schema } : { content: { 'application/json': { schema } } }),
    };
  });
}

/** Contract: 1.4. */
const STRICT: JsonSchema = {
  name: 'strict',
  in: 'query',
  description: 'Refuses members that are not known.',
  schema: { type: 'boolean', default: false },
};

function requestBody(schema: JsonSchema, row: RouteRow | undefined): JsonSchema {
  const isRequired =
    row === undefined ? Array.isArray(schema['required']) : row.body.endsWith('json') && row.body !== 'optional-json';
  const content = { 'application/json': { schema } };
  const form = row?.body === 'tracking' ? { 'application/x-www-form-urlencoded': { schema } } : {};
  return { required: isRequired, content: { ...content, ...form } };
}

function successResponse(answer: OperationAnswer): Record<string, JsonSchema> {
  const { status = 200, about, schema, type, alsoType, headers } = answer;
  const media = schema === undefined ? {} : { schema: jsonSchemaOf(schema, 'output') };
  const named = type ?? (schema === undefined ? undefined : 'application/json');
  const other = alsoType === undefined ? {} : { [alsoType]: {} };
  const shown = Object.entries(headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    [status]: {
      description: `${about}.`,
      ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
      ...(named !== undefined && { content: { [named]: media, ...other } }),
    },
  };
}

/** Contract: 1.3, 1.6. */
const SCHEMES = {
  S: [{ SiteKey: [] }, { Basic: [] }],
  K: [{ SiteKey: [] }],
  B: [{ Basic: [] }],
  N: [],
  P: [{ SiteKey: [] }, { Basic: [] }, {}],
  E: [{ SiteKey: [] }, { SiteKeyAsBearer: [] }],
} as const satisfies Record<AuthClass, unknown>;

function securityOf({ row, key, operation }: Described): OperationObject['security'] {
  if (row !== undefined) return SCHEMES[row.auth];
  if (key === 'GET /metrics') return [{ Operator: [] }];
  return isOfAdmin(key) && operation.isOpen !== true ? [{ Operator: [] }, { Session: [] }] : [];
}

function isOfAdmin(key: string): boolean {
  return key.includes(` ${ADMIN_PREFIX}/`);
}

const SECURITY_SCHEMES: JsonSchema = {
  SiteKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      '`SiteKey <token>`: base64 of `{customerId}:{engineId}:SearchKey`, the last part being that word. For browsers.',
  },
  SiteKeyAsBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a SiteKey, for clients that send no other scheme.',
  },
  Basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The user is the customer id, the password an API key of the customer. For servers.',
  },
  Operator: { type: 'http', scheme: 'bearer', description: 'The operator token. For machines.' },
  Session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'fossick_session',
    description: 'Of a person who has signed in. What changes something must come from a page of the same host.',
  },
};

/** Errors of an operation, by status. */
function refusals({ operation, row, key }: Described): Record<string, JsonSchema> {
  const hasBody = operation.body !== undefined || operation.patch !== undefined;
  const codes: readonly ErrorCode[] = [
    ...(hasBody || operation.query !== undefined ? (['request.invalid'] as const) : []),
    ...(hasBody ? (['request.too-large', 'request.unsupported-type'] as const) : []),
    ...(row === undefined ? adminRefusals({ operation, key }) : routeRefusals(row)),
    ...(operation.errors ?? []),
  ];
  const statuses = [...new Set(codes.map((code) => ERROR_POLICY[code].status))].sort((a, b) => a - b);
  const shown = statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]);
  return { ...Object.fromEntries(shown), default: { $ref: '#/components/responses/Error' } };
}

function routeRefusals({ auth, path, feature }: RouteRow): readonly ErrorCode[] {
  return [
    'rate.exceeded',
    ...(auth === 'N' ? [] : (['auth.invalid'] as const)),
    ...(auth === 'N' && refusesNothing(path) ? [] : (['auth.forbidden'] as const)),
    ...(feature === undefined ? [] : (['feature.disabled'] as const)),
    ...(path.includes(':crawlerId') ? (['crawler.not-found'] as const) : []),
    ...(path.includes(':id') ? (['record.not-found'] as const) : []),
  ];
}

function refusesNothing(path: string): boolean {
  return path.includes('/pushstat/') || !path.includes(':engineId');
}

function adminRefusals({ operation, key }: Described): readonly ErrorCode[] {
  if (key === 'GET /metrics') return ['auth.invalid'];
  if (!isOfAdmin(key) || operation.isOpen === true) return [];
  const changes = !key.startsWith('GET ');
  return [
    'auth.invalid',
    'auth.forbidden',
    ...(key.includes('/:') ? (['record.not-found'] as const) : []),
    ...(changes ? (['record.conflict'] as const) : []),
  ];
}

/** Outcomes of visits, which nobody meets over HTTP. */
const UNSEEN = /^(?:fetch|extract)\./;

/** One answer per status of the one table of errors. */
function errorResponses(): Record<string, JsonSchema> {
  const seen = Object.entries<ErrorPolicy>(ERROR_POLICY).filter(([code]) => !UNSEEN.test(code));
  const byStatus = Map.groupBy(seen, ([, { status }]) => status);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, rows]) => {
      const codes = rows.map(([code]) => `\`${code}\``).join(', ');
      return [`Error${status}`, errorResponse(`${STATUS_CODES[status]}: ${codes}.`, headersOf(status))];
    }),
  );
}

function headersOf(status: number): JsonSchema | undefined {
  if (status !== 429) return undefined;
  const seconds = { schema: { type: 'integer', minimum: 1 } };
  return {
    'Retry-After': { description: 'Seconds.', ...seconds },
    'RateLimit-Reset': { description: 'Seconds.', ...seconds },
  };
}

function errorResponse(description: string, headers?: JsonSchema): JsonSchema {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return { description, ...(headers !== undefined && { headers }), content };
}

const DEFS = '#/$defs/';

/** Named schemas, which stand in `$defs` at any depth, move to the components of the document. */
function withComponents(value: unknown): { readonly value: unknown; readonly schemas: Record<string, unknown> } {
  const schemas: Record<string, unknown> = {};
  return { value: moved(value), schemas };

  function moved(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(moved);
    if (typeof part !== 'object' || part === null) return part;
    const { $defs, ...rest } = part as { readonly $defs?: Readonly<Record<string, JsonSchema>> };
    for (const [name, named] of Object.entries($defs ?? {})) {
      const { id: _, ...schema } = named;
      schemas[name] ??= moved(schema);
    }
    return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, movedMember(name, inner)]));
  }

  function movedMember(name: string, inner: unknown): unknown {
    if (name !== '$ref' || typeof inner !== 'string') return moved(inner);
    return inner.startsWith(DEFS) ? `#/components/schemas/${inner.slice(DEFS.length)}` : inner;
  }
}

function inOrder(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
