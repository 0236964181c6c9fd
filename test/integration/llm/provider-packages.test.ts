import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddingModels } from '../../../src/compose/models/embedding-models.ts';
import { openLanguageModels } from '../../../src/compose/models/language-model.ts';
import { CONFIG } from '../../../src/config/config.ts';
import type { AppError } from '../../../src/core/errors.ts';
import { modelFaultOf } from '../../../src/llm/model-fault.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { eventually } from '../../helpers/eventually.ts';
import { MODEL_KEY, PROMPT, readCall, unaborted } from '../../helpers/model-calls.ts';
import { installPackage, LINES_PROVIDER } from '../../helpers/provider-packages.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

type Call = {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly values?: readonly string[] };
  isOpen: boolean;
};

/** A server of lines: a part each. It says a word; the model `waits` says no more, `ends other by pause` tells its end. */
async function startLinesServer() {
  const calls: Call[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await text(request)) as { model: string; values?: string[] };
    const call: Call = { path: request.url, authorization: request.headers.authorization, body, isOpen: true };
    calls.push(call);
    response.on('close', () => {
      call.isOpen = false;
    });
    if (body.values !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ embeddings: body.values.map((value) => [value.length, 1]) }));
    }
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(`${JSON.stringify({ type: 'text-delta', id: '1', delta: 'A word.' })}\n`);
    const usage = { inputTokens: { total: 3 }, outputTokens: { total: 2 } };
    const [, unified, raw] = /^ends (\w+)(?: by (\w+))?$/.exec(body.model) ?? ['', 'stop', 'done'];
    const finish = { type: 'finish', finishReason: { unified, raw }, usage };
    return body.model === 'waits' || response.end(`${JSON.stringify(finish)}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    calls,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const stack = new AsyncDisposableStack();
let server: Awaited<ReturnType<typeof startLinesServer>>;
let dataDir: string;
beforeAll(async () => {
  server = stack.use(await startLinesServer());
  dataDir = stack.use(await temporaryFolder()).path;
  await installPackage(dataDir, { name: 'lines', code: LINES_PROVIDER });
});
afterAll(() => stack.disposeAsync());

const contextOf = (config: Readonly<Record<string, string>>) => ({
  config: CONFIG.parse({ DATA_DIR: dataDir, ...config }),
  log: silentLog,
  metrics: createMetrics(),
});

async function openModel(packageName: string, model = 'speaks') {
  const config = { LLM_PROVIDER_PACKAGE: packageName, LLM_MODEL: model, LLM_API_KEY: MODEL_KEY };
  const models = await openLanguageModels(stack, contextOf({ ...config, LLM_BASE_URL: server.baseUrl }));
  if (models === undefined) throw new Error('a model is configured');
  return models.forEngine(6).answer;
}

function openEmbedding(packageName: string) {
  const config = {
    EMBEDDING_PROVIDER_PACKAGE: packageName,
    EMBEDDING_MODEL: 'any',
    EMBEDDING_BASE_URL: server.baseUrl,
  };
  return openEmbeddingModels(stack, { ...contextOf(config), report: () => undefined });
}

const faultOf = async (opening: Promise<unknown>) => {
  const error = (await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as AppError | undefined;
  return { code: error?.code, message: error?.message };
};

test('a package of the data folder writes answers, by the convention alone', async () => {
  const { text: said, events, error } = await readCall((await openModel('lines')).stream(PROMPT, unaborted()));
  expect([said, error]).toEqual(['A word.', undefined]);
  expect(events.at(-1)).toMatchObject({ finish: 'stop', usage: { input: 3, output: 2, isEstimated: false } });
  expect(server.calls.at(-1)).toMatchObject({ path: '/v1/lines', authorization: MODEL_KEY });
});

test('an abort closes its upstream request', async () => {
  const model = await openModel('lines', 'waits');
  const controller = new AbortController();
  const reading = readCall(model.stream(PROMPT, controller.signal));
  const call = await eventually(() =>
    server.calls.find(({ body, isOpen }) => 'model' in body && body.model === 'waits' && isOpen),
  );
  controller.abort();
  expect((await reading).error).toMatchObject({ name: 'AbortError' });
  await eventually(() => !call.isOpen, 1_000);
});

test.each([
  ['ends interrupted', 'no-end'],
  ['ends other', 'no-end'],
  ['ends error by crash', 'error-frame'],
  ['ends other by pause', undefined],
])('a model that %s: fault %s', async (model, fault) => {
  const { text: said, error } = await readCall((await openModel('lines', model)).stream(PROMPT, unaborted()));
  expect([said, modelFaultOf(error)?.reason]).toEqual(['A word.', fault]);
});

test('more texts than the provider embeds by one call are several calls, in order', async () => {
  const models = await openEmbedding('lines');
  const before = server.calls.length;
  const vectors = await models?.configured.embed(['a', 'bb', 'ccc', 'dd', 'e'], 'passage', unaborted());
  expect(server.calls.slice(before).map(({ body }) => body.values)).toEqual([['a', 'bb'], ['ccc', 'dd'], ['e']]);
  expect(vectors?.map(([first = 0, second = 1]) => Math.round(first / second))).toEqual([1, 2, 3, 2, 1]);
});

test('a package in the data folder stands before one of the product', async () => {
  await installPackage(dataDir, { name: '@ai-sdk/openai-compatible', code: LINES_PROVIDER });
  const { text: said } = await readCall((await openModel('@ai-sdk/openai-compatible')).stream(PROMPT, unaborted()));
  expect(said).toBe('A word.');
});

test.each([
  ['import-only', { import: './index.js' }],
  ['import-and-require', { require: './none.cjs', import: './index.js' }],
  ['types-of-one-entry', { './other': './none.js', '.': { types: './none.d.ts', node: { default: './index.js' } } }],
  ['one-file', './index.js'],
  ['no-exports', null],
])('a package is found by the rules of import: %s', async (name, exports) => {
  await installPackage(dataDir, { name, code: LINES_PROVIDER, exports });
  expect((await readCall((await openModel(name)).stream(PROMPT, unaborted()))).text).toBe('A word.');
});

test('of several functions the one that is named like the package is asked first', async () => {
  const other = 'export const createBefore = () => ({ languageModel: () => undefined });';
  const code = `${other}\n${LINES_PROVIDER.replace('createLines', 'createManyLines')}`;
  await installPackage(dataDir, { name: '@scope/many-lines', code });
  expect((await readCall((await openModel('@scope/many-lines')).stream(PROMPT, unaborted()))).text).toBe('A word.');
});

test.each(['@ai-sdk/not-there', 'fs'])('%s is not installed: the fault says the command', async (name) => {
  expect(await faultOf(openModel(name))).toEqual({
    code: 'request.invalid',
    message: `LLM_PROVIDER_PACKAGE names ${name}, which is not installed: npm install --ignore-scripts --prefix "${dataDir}/packages" ${name}`,
  });
});

const NO_FACTORY = 'has no create<Name>(settings) that gives language models';
test.each([
  ['empty', '', NO_FACTORY],
  ['no-provider', 'export const createOther = () => ({}); export const createNone = () => undefined;', NO_FACTORY],
  [
    'throws',
    `export const createThrows = ({ apiKey }) => { throw new Error('no account for ' + apiKey); };`,
    `${NO_FACTORY}: no account for …`,
  ],
  ['broken', 'export const createBroken = (;', 'cannot be loaded: '],
  ['lacks-another', `import 'another-package';`, 'cannot be loaded: '],
  ['no-models', 'export const createX = () => ({ languageModel: () => undefined });', 'has no language model speaks'],
  [
    'of-before',
    `export const createX = () => ({ languageModel: () => ({ specificationVersion: 'v2' }) });`,
    'is of another age than this product: install its version for AI SDK 6 or 7',
  ],
])('a package that is %s is a fault of the configuration', async (name, code, problem) => {
  await installPackage(dataDir, { name, code });
  const { code: errorCode, message } = await faultOf(openModel(name));
  expect(errorCode).toBe('request.invalid');
  expect(message).toMatch(`LLM_PROVIDER_PACKAGE names ${name}, which ${problem}`);
  expect(message).not.toContain(MODEL_KEY);
});

test.each([
  ['none', 'export const createX = () => ({ languageModel: () => undefined });'],
  [
    'refuses',
    `export const createX = () => ({ languageModel() {}, embeddingModel() { throw new Error('no such model'); } });`,
  ],
])('a package without models of embeddings (%s) is a fault where it is named for them', async (name, code) => {
  await installPackage(dataDir, { name: `embeds-${name}`, code });
  expect((await faultOf(openEmbedding(`embeds-${name}`))).message).toBe(
    `EMBEDDING_PROVIDER_PACKAGE names embeds-${name}, which has no embedding model any`,
  );
});
