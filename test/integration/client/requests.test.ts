import { describe, expect, test } from 'vitest';
import {
  createDocumentClient,
  createSearchClient,
  createSearchToolClient,
  type EngineConnection,
  FossickError,
  tellRefusedOrigin,
} from '../../../packages/client/src/index.ts';
import { errorReply, type Reply, startScriptedService } from './scripted-service.ts';

const FOUND: Reply = { body: { QueryId: 'query-1', TotalDocument: 0 } };

/** A client of engine 6 of customer 3 whose waits take no time and are written down. */
async function askingOf(replies: Parameters<typeof startScriptedService>[0], options: Partial<EngineConnection> = {}) {
  const service = await startScriptedService(replies);
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const connection = { baseUrl: service.baseUrl, customerId: 3, engineId: 6, wait, ...options };
  return { ...service, waits, connection, search: createSearchClient(connection).search };
}

const failureOf = async (promise: Promise<unknown>): Promise<FossickError> => {
  const reason = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (reason instanceof FossickError) return reason;
  throw new Error('it did not fail with a FossickError', { cause: reason });
};

describe('a request', () => {
  test('has the site key of the engine, made of its ids, and a JSON body', async () => {
    await using service = await askingOf([FOUND]);

    await service.search({ query: 'solar', page: 2 });

    expect(service.received).toEqual([
      {
        method: 'POST',
        path: '/api/v4/3/6/search',
        authorization: 'SiteKey Mzo2OlNlYXJjaEtleQ==',
        body: { query: 'solar', page: 2, responseType: 'JsonObject' },
      },
    ]);
  });

  test.each([
    [{ siteKey: 'a-key-that-was-given' }, 'SiteKey a-key-that-was-given'],
    [{ apiKey: 'key-3-example' }, 'Basic MzprZXktMy1leGFtcGxl'],
  ])('with %j is authorised by it', async (key, authorization) => {
    await using service = await askingOf([FOUND], key);

    await service.search({ query: 'solar' });

    expect(service.received[0]?.authorization).toBe(authorization);
  });

  test('of completions has its filters as JSON text in the query string', async () => {
    await using service = await askingOf([{ body: {} }]);

    await createSearchClient(service.connection).autocomplete({ query: 'a&b', filters: { Category: ['News'] } });

    const { searchParams } = new URL(service.received[0]?.path ?? '', service.baseUrl);
    expect(Object.fromEntries(searchParams)).toEqual({
      query: 'a&b',
      filters: '{"Category":["News"]}',
      responseType: 'JsonObject',
    });
  });

  test('goes to a base address with or without a slash at its end', async () => {
    await using service = await startScriptedService([FOUND]);

    await createSearchClient({ baseUrl: `${service.baseUrl}/`, customerId: 3, engineId: 6 }).search({ query: 'x' });

    expect(service.received[0]?.path).toBe('/api/v4/3/6/search');
  });
});

describe('a refusal', () => {
  test('is an error with all that the service said', async () => {
    const errors = [{ path: 'page', message: '"page" must be an integer from 1' }];
    const body = { message: 'A sentence', requestId: 'request-17', errorCode: 'request.invalid', errors };
    await using service = await askingOf([{ status: 400, body }]);

    const error = await failureOf(service.search({ query: 'solar' }));

    expect(error).toMatchObject({
      message: 'A sentence',
      status: 400,
      errorCode: 'request.invalid',
      requestId: 'request-17',
      retryAfterSeconds: undefined,
      problems: errors,
    });
    expect(service.waits).toEqual([]);
  });

  test('of a proxy is an error, too', async () => {
    await using service = await askingOf([{ status: 413, body: '<h1>Too large</h1>' }]);

    const error = await failureOf(service.search({ query: 'solar' }));

    expect(error).toMatchObject({ status: 413, errorCode: 'answer.foreign', message: 'Payload Too Large' });
  });

  test('an answer that is no JSON is none of the service', async () => {
    await using service = await askingOf([{ body: '<h1>Log in</h1>' }]);

    expect(await failureOf(service.search({ query: 'solar' }))).toMatchObject({
      status: 200,
      errorCode: 'answer.foreign',
    });
  });
});

describe('a request that may be sent twice', () => {
  test.each<[string, Reply | 'no answer']>([
    ['no answer', 'no answer'],
    ['an answer that breaks off', { body: '{"QueryId":', cut: true }],
    ['502 of a proxy', { status: 502, body: 'Bad Gateway' }],
    ['503', { status: 503, body: 'Starting' }],
    ['a fault that may pass', errorReply(500, 'storage.full')],
    ['a search that took too long', errorReply(429, 'search.timeout')],
  ])('is sent again after %s', async (_what, reply) => {
    await using service = await askingOf([reply, FOUND]);

    expect(await service.search({ query: 'solar' })).toMatchObject({ QueryId: 'query-1' });
    expect(service.received.length).toBe(2);
  });

  test('waits as long as the service says', async () => {
    await using service = await askingOf([errorReply(429, 'rate.exceeded', { 'retry-after': '3' }), FOUND]);

    await service.search({ query: 'solar' });

    expect(service.waits).toEqual([3_000]);
  });

  test('is not held for a minute', async () => {
    await using service = await askingOf([errorReply(429, 'rate.exceeded', { 'retry-after': '60' })]);

    expect(await failureOf(service.search({ query: 'solar' }))).toMatchObject({ status: 429, retryAfterSeconds: 60 });
    expect(service.waits).toEqual([]);
  });

  test('is given up after two repetitions, each after a longer wait', async () => {
    await using service = await askingOf(['no answer', 'no answer', 'no answer']);

    const error = await failureOf(service.search({ query: 'solar' }));

    expect(error).toMatchObject({ status: 0, errorCode: 'connection.failed' });
    const [first = 0, second = 0] = service.waits;
    expect(first).toSatisfy((ms: number) => ms >= 100 && ms <= 200);
    expect(second).toSatisfy((ms: number) => ms >= 200 && ms <= 400);
  });

  test('is sent as often as was said', async () => {
    await using service = await askingOf(['no answer'], { retries: 0 });

    expect((await failureOf(service.search({ query: 'solar' }))).status).toBe(0);
    expect(service.received.length).toBe(1);
  });

  test.each(['internal', 'storage.damaged'])('is not sent again after %s', async (code) => {
    await using service = await askingOf([errorReply(500, code)]);

    expect((await failureOf(service.search({ query: 'solar' }))).errorCode).toBe(code);
    expect(service.received.length).toBe(1);
  });

  test.each(['put', 'patch', 'bulkDelete', 'queueUrls', 'remove'] as const)('is also %s of documents', async (name) => {
    await using service = await askingOf(['no answer', { body: [] }]);
    const documents = createDocumentClient({ ...service.connection, crawlerId: 17, apiKey: 'key' });
    const calls = {
      put: () => documents.put([]),
      patch: () => documents.patch([]),
      bulkDelete: () => documents.bulkDelete({}),
      queueUrls: () => documents.queueUrls([]),
      remove: () => documents.remove('x'),
    };

    await calls[name]();

    expect(service.received.length).toBe(2);
  });
});

test('a record is added once, whatever happens', async () => {
  await using service = await askingOf(['no answer']);
  const tools = createSearchToolClient({ ...service.connection, apiKey: 'key' });

  const error = await failureOf(tools.quicklinks.add({ url: '/contact', websiteid: 6 }));

  expect(error.errorCode).toBe('connection.failed');
  expect(service.received.length).toBe(1);
});

describe('an abort', () => {
  test('rejects with its reason while the request is on its way', async () => {
    const abort = new AbortController();
    const fetch: typeof globalThis.fetch = async (_address, init) => {
      abort.abort(new Error('not wanted any more'));
      throw init?.signal?.reason;
    };
    const { search } = createSearchClient({ baseUrl: 'http://127.0.0.1:1', customerId: 3, engineId: 6, fetch });

    await expect(search({ query: 'solar' }, { signal: abort.signal })).rejects.toThrow('not wanted any more');
  });

  test('ends the wait before another attempt', async () => {
    await using service = await startScriptedService([errorReply(429, 'rate.exceeded', { 'retry-after': '9' })]);
    const abort = new AbortController();
    const fetch: typeof globalThis.fetch = async (...sent) => {
      const response = await globalThis.fetch(...sent);
      setTimeout(() => abort.abort(new Error('not wanted any more')), 0);
      return response;
    };
    const { search } = createSearchClient({ baseUrl: service.baseUrl, customerId: 3, engineId: 6, fetch });

    await expect(search({ query: 'solar' }, { signal: abort.signal })).rejects.toThrow('not wanted any more');
    expect(service.received.length).toBe(1);
  });
});

describe('a page of an origin that the engine does not allow', () => {
  test.each([
    { name: 'is told so when the service is there', reply: { body: {} }, status: 403, errorCode: 'origin.refused' },
    { name: 'is not told so when nobody answers', reply: 'no answer', status: 0, errorCode: 'connection.failed' },
  ] as const)('$name', async ({ reply, status, errorCode }) => {
    await using service = await askingOf(['no answer', reply], { retries: 0 });

    const error = await failureOf(tellRefusedOrigin(service.search, service.connection)({ query: 'solar' }));

    expect(error).toMatchObject({ status, errorCode });
    expect(service.received.map(({ path }) => path)).toEqual(['/api/v4/3/6/search', '/health/live']);
  });
});
