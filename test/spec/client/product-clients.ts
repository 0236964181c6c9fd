import {
  createAnswerClient,
  createDocumentClient,
  createEventClient,
  createSearchClient,
  createSearchToolClient,
  FossickError,
} from '../../../packages/client/src/index.ts';

/** What the clients need to know of a product. */
type Host = { readonly origin: string };

export const API_KEY = 'key-3-example';

/** Clients of customer 3; of engine 6 with its site key unless it is said. */
export function clientsOf(
  { origin: baseUrl }: Host,
  engine: { engineId?: number; apiKey?: string; siteKey?: string } = {},
) {
  const connection = { baseUrl, customerId: 3, engineId: 6, retries: 0, ...engine };
  return {
    ...createSearchClient(connection),
    ...createAnswerClient(connection),
    ...createEventClient(connection),
  };
}

/** Management of customer 3 and crawler 17 unless it is said. */
export function managementOf(
  { origin: baseUrl }: Host,
  {
    customerId = 3,
    apiKey = API_KEY,
    crawlerId = 17,
  }: { customerId?: number; apiKey?: string; crawlerId?: number } = {},
) {
  const connection = { baseUrl, customerId, apiKey, retries: 0 };
  return { documents: createDocumentClient({ ...connection, crawlerId }), tools: createSearchToolClient(connection) };
}

/** The error that a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<FossickError> {
  const reason = await call.then(
    () => 'the call succeeded',
    (error: unknown) => error,
  );
  if (reason instanceof FossickError) return reason;
  throw new Error('it did not fail with a FossickError', { cause: reason });
}

/** 200, or the status of the error. */
export async function statusOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 200,
    async () => (await failureOf(call)).status,
  );
}
