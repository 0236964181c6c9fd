import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startFakeMessagesServer } from '../../helpers/fake-messages-server.ts';
import { startFakeModelServer } from '../../helpers/fake-model-server.ts';
import { MODEL_KEY, PROMPT, PROMPT_ANSWER } from '../../helpers/model-calls.ts';
import { MESSAGES_PACKAGE } from '../../helpers/package-models.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Opens the models in a process of its own, which tells the packages and folders it loaded and what the model said. */
const SCRIPT = `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({ load(url, context, next) { loaded.add(url); return next(url, context); } });
  const { CONFIG } = await import('${ROOT}/src/config/config.ts');
  const { openLanguageModels } = await import('${ROOT}/src/compose/models/language-model.ts');
  await import('${ROOT}/src/compose/indexer.ts');
  const { openEmbeddingModels } = await import('${ROOT}/src/compose/models/embedding-models.ts');
  const { createMetrics } = await import('${ROOT}/src/observability/metrics.ts');
  const config = CONFIG.parse(JSON.parse(process.env.VARIABLES));
  const log = { warn: console.error, error: console.error };
  await using stack = new AsyncDisposableStack();
  const models = await openLanguageModels(stack, { config, log, metrics: createMetrics() });
  await openEmbeddingModels(stack, { config, log, report: () => {} });
  let text = '';
  const request = JSON.parse(process.env.REQUEST);
  for await (const event of models?.forEngine(6).answer.stream(request, new AbortController().signal) ?? []) text += event.text ?? '';
  const kinds = ['/src/llm/', '/node_modules/ai/', '/@ai-sdk/openai-compatible/', '/@ai-sdk/anthropic/'];
  console.log(JSON.stringify({ text, loaded: kinds.filter((kind) => [...loaded].some((url) => url.includes(kind))) }));
`;

async function run(variables: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>> = {}) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: ROOT,
    env: { ...environment, VARIABLES: JSON.stringify(variables), REQUEST: JSON.stringify(PROMPT) },
  });
  return JSON.parse(stdout) as { readonly text: string; readonly loaded: readonly string[] };
}

test('a process without a model loads nothing that talks to one', async () => {
  expect(await run({})).toEqual({ text: '', loaded: [] });
});

const PROXY = 'http://127.0.0.1:9';
const ENVIRONMENT = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: PROXY, http_proxy: PROXY, ALL_PROXY: PROXY };

test('a model is called directly, whatever proxy the environment names', async () => {
  await using server = await startFakeModelServer();
  const { text, loaded } = await run({ LLM_BASE_URL: server.baseUrl, LLM_MODEL: 'ok' }, ENVIRONMENT);
  expect(text).toBe(PROMPT_ANSWER);
  expect(loaded).toEqual(['/src/llm/', '/node_modules/ai/', '/@ai-sdk/openai-compatible/']);
});

test('so is one of a provider package, which is loaded in place of the client of chat completions', async () => {
  await using server = await startFakeMessagesServer();
  const variables = { LLM_PROVIDER_PACKAGE: MESSAGES_PACKAGE, LLM_BASE_URL: server.baseUrl, LLM_API_KEY: MODEL_KEY };
  const { text, loaded } = await run({ ...variables, LLM_MODEL: 'ok' }, ENVIRONMENT);
  expect(text).toBe(PROMPT_ANSWER);
  expect(loaded).toEqual(['/src/llm/', '/node_modules/ai/', '/@ai-sdk/anthropic/']);
});
