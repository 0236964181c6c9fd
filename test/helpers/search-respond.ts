import { expect } from 'vitest';
import { ENGINE_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import { bind } from '../../src/api/binding.ts';
import { type SearchResponse, searchEnvelope } from '../../src/api/search/responses.ts';
import { writeSearch } from '../../src/api/search/routes.ts';
import { type ApiVersion, SEARCH_REQUEST } from '../../src/api/search/schemas.ts';
import { AppError } from '../../src/core/errors.ts';
import { makeQueryId, type QueryIdOwner } from '../../src/core/query-id.ts';
import type { Engine, EngineSettings } from '../../src/core/records.ts';
import { search } from '../../src/search/search.ts';
import { ACCEPTANCE_DOCUMENTS } from './acceptance-documents.ts';
import { createInMemoryIndex } from './in-memory-index/in-memory-index.ts';
import { NO_TOOLS } from './no-tools.ts';

export type Settings = Partial<EngineSettings>;
type Options = {
  readonly version?: ApiVersion;
  readonly settings?: Settings;
  readonly gone?: readonly number[];
  readonly now?: number;
};

/** Runs a body over the acceptance documents, as the route does. */
export async function respond(body: unknown, { version = 'v4', settings = {}, gone = [], now = 1_000 }: Options = {}) {
  const { request } = bind(SEARCH_REQUEST[version], body);
  await using index = createInMemoryIndex();
  const writer = index.writer(6);
  writer.apply(ACCEPTANCE_DOCUMENTS);
  await writer.refresh();
  let issued = 0;
  const deps = {
    searchIndex: index,
    readDocuments: async (_engineId: number, rids: readonly number[]) =>
      rids.map((rid) => ACCEPTANCE_DOCUMENTS.find((row) => row.rid === rid && !gone.includes(rid))),
    clock: { now: () => now },
    ...NO_TOOLS,
    queryIds: {
      make: ({ counted, ...owner }: QueryIdOwner & { readonly counted: boolean }) =>
        makeQueryId('s', owner, { timeMs: 1_000, random: issued++, counted }),
    },
    maxResultWindow: 10_000,
    maxSearchCostMs: 30_000,
  };
  const result = await search(deps, { engine: engineWith(settings), request, signal: AbortSignal.timeout(5_000) });
  const form = { envelope: searchEnvelope(result, version), casing: 'pascal', htmlStyle: undefined } as const;
  const pieces = await Array.fromAsync(writeSearch(result, form));
  return JSON.parse(pieces.join('')) as SearchResponse;
}

function engineWith(settings: Settings): Engine {
  return {
    id: 6,
    customerId: 3,
    name: 'Example',
    language: 'en',
    settings: { ...ENGINE_DEFAULTS, ...settings },
    publicSettings: {} as Engine['publicSettings'],
    managedBy: undefined,
    createdAt: 0,
  };
}

export const NAMES = new Map(ACCEPTANCE_DOCUMENTS.map(({ id, rid }) => [id, `d${rid}`]));

/** The documents found, in order. */
export async function found(body: unknown, options?: Options): Promise<readonly string[]> {
  const { TypedDocuments, TotalDocument } = await respond(body, options);
  if (TypedDocuments.length < 10) expect(TotalDocument).toBe(TypedDocuments.length);
  return TypedDocuments.map(({ Id }) => NAMES.get(Id) ?? Id);
}

export async function sorted(body: unknown): Promise<readonly string[]> {
  return (await found(body)).toSorted();
}

/** How a body is refused; throws when it is not. */
export async function refusal(
  body: unknown,
  options?: Options,
): Promise<{ code: string; paths: readonly string[]; message: string }> {
  try {
    await respond(body, options);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const paths = (error.options.problems ?? []).map(({ path }) => path);
    return { code: error.code, paths, message: error.message };
  }
  throw new Error(`Accepted: ${JSON.stringify(body)}`);
}

/** A match-all request with further members. */
export const all = (more: object) => ({ query: '*', ...more });
