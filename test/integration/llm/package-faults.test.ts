import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLanguageModels } from '../../../src/compose/models/language-model.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { modelFaultOf } from '../../../src/llm/model-fault.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { captureLog } from '../../helpers/captured-log.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type FakeMessagesServer, startFakeMessagesServer } from '../../helpers/fake-messages-server.ts';
import { PROVIDER_TEXT } from '../../helpers/fake-model-server.ts';
import { MODEL_KEY, PROMPT, PROMPT_ANSWER, readCall, unaborted } from '../../helpers/model-calls.ts';
import { MESSAGES_PACKAGE } from '../../helpers/package-models.ts';

const HEADER_KEY = 'key-in-a-header-0123456789';
const SECRETS = [MODEL_KEY, HEADER_KEY, PROVIDER_TEXT, 'How fast', 'The pump'];

let server: FakeMessagesServer;
beforeAll(async () => {
  server = await startFakeMessagesServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/**
 * Modes that deadlines end get short ones; on a busy machine the others need the room of the defaults. That of the start
 * leaves time for the request to come to the server, which would not see one that was given up before.
 */
function shortDeadlines(mode: string): Readonly<Record<string, string>> {
  if (mode.startsWith('stall-after')) return { AI_STALL_TIMEOUT_MS: '150' };
  return mode.startsWith('hang') ? { AI_START_TIMEOUT_MS: '3000' } : {};
}

/** The models as the api opens them, of a provider package. */
async function openModels(mode: string, settings: Readonly<Record<string, string | undefined>> = {}) {
  const stack = new AsyncDisposableStack();
  const { log, lines } = captureLog();
  const metrics = createMetrics();
  const config = CONFIG.parse({
    LLM_PROVIDER_PACKAGE: MESSAGES_PACKAGE,
    LLM_BASE_URL: server.baseUrl,
    LLM_API_KEY: MODEL_KEY,
    LLM_HEADERS: `{"x-team":"${HEADER_KEY}"}`,
    LLM_MODEL: mode,
    ...shortDeadlines(mode),
    ...settings,
  });
  const models = await openLanguageModels(stack, { config, log, metrics });
  if (models === undefined) throw new Error('a model is configured');
  return { ...models.forEngine(6), lines, metrics, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function callMode(mode: string, settings: Readonly<Record<string, string | undefined>> = {}) {
  const callsOfMode = () => server.calls.filter((call) => call.mode === mode);
  const before = callsOfMode().length;
  await using models = await openModels(mode, settings);
  const outcome = await readCall(models.answer.stream(PROMPT, unaborted()));
  const calls = callsOfMode().slice(before);
  await eventually(() => calls.every(({ closedAt }) => closedAt !== undefined));
  return { ...outcome, fault: modelFaultOf(outcome.error), calls, ...models };
}

test.concurrent.each<readonly [mode: string, fault: string, calls: number]>([
  ['http:401', 'http-status', 1],
  ['http:400', 'http-status', 1],
  ['http:429', 'http-status', 2],
  ['http:529', 'http-status', 2],
  ['rate:4', 'http-status', 1],
  ['too-long', 'context-too-long', 1],
  ['hang', 'start-timeout', 1],
  ['hang-after-headers', 'start-timeout', 1],
  ['stall-after:2', 'stalled', 1],
  ['cut:0', 'reset', 2],
  ['cut:2', 'reset', 1],
  ['error-frame:0', 'error-frame', 1],
  ['error-frame:2', 'error-frame', 1],
  ['broken-frame:2', 'broken-frame', 1],
  ['html', 'wrong-media-type', 1],
  ['empty', 'empty', 1],
  ['no-end', 'no-end', 1],
  ['redirect', 'redirect', 1],
])('%s is %s after %i calls, closed, without a word of the provider', async (mode, fault, count) => {
  const { fault: seen, error, events, calls, lines, metrics } = await callMode(mode);

  expect(seen?.reason).toBe(fault);
  expect(calls.map(({ path }) => path)).toEqual(Array(count).fill('/v1/messages'));
  expect(events.some(({ type }) => type === 'end')).toBe(false);
  const said = inspect([error, lines, await metrics.print()], { depth: 10, showHidden: true });
  for (const secret of SECRETS) expect(said).not.toContain(secret);
});

test.concurrent.each([
  ['ok', PROMPT_ANSWER, 'stop'],
  ['thinking', PROMPT_ANSWER, 'stop'],
  ['length', PROMPT_ANSWER, 'length'],
  ['filtered', '', 'filtered'],
])(
  '%s: the text comes whole, with how it ended and the tokens that the provider counted',
  async (mode, text, finish) => {
    const outcome = await callMode(mode);
    expect(outcome.error).toBeUndefined();
    expect(outcome.text).toBe(text);
    expect(outcome.events.at(-1)).toEqual({
      type: 'end',
      finish,
      usage: { input: 321, output: 45, isEstimated: false },
    });
    expect(await outcome.metrics.print()).toContain('fossick_llm_tokens_total{direction="input"} 321');
  },
);

test('a call carries key and headers, in the way of the provider', async () => {
  const { calls } = await callMode('ok');
  expect(calls[0]?.headers).toMatchObject({ 'x-api-key': MODEL_KEY, 'x-team': HEADER_KEY });
  expect(calls[0]?.prompt).toContain('Answer from the sources.');
});

test('without a base URL the package calls its own host, which must be allowed', async () => {
  const { fault, lines } = await callMode('ok', { LLM_BASE_URL: undefined, LLM_ALLOWED_HOSTS: server.host });
  expect(fault).toEqual({ reason: 'host-not-allowed', host: 'api.anthropic.com:443' });
  expect(lines).toEqual([expect.objectContaining({ level: 'error' })]);
});

test('a key that the package looks for in vain is an error of the settings, and asks nobody', async () => {
  const { fault, lines, calls } = await callMode('ok', { LLM_API_KEY: undefined });
  expect(fault).toEqual({ reason: 'settings' });
  expect(lines).toEqual([expect.objectContaining({ level: 'error' })]);
  expect(calls).toEqual([]);
});

test('a key of wrong settings closes the way to the model for a while', async () => {
  await using models = await openModels('http:401');
  const faults: unknown[] = [];
  for (let call = 0; call < 6; call++) {
    const { error } = await readCall(models.answer.stream(PROMPT, unaborted()));
    faults.push(modelFaultOf(error)?.reason);
  }
  expect(faults).toEqual([...Array(5).fill('http-status'), 'breaker-open']);
});

test('an abort closes the upstream socket at once', async () => {
  await using models = await openModels('stall-after:3', { AI_STALL_TIMEOUT_MS: '60000' });
  const controller = new AbortController();
  const reading = readCall(models.answer.stream(PROMPT, controller.signal));
  const call = await eventually(() => server.calls.find(({ mode }) => mode === 'stall-after:3'));
  controller.abort();
  expect((await reading).error).toMatchObject({ name: 'AbortError' });
  await eventually(() => call.closedAt !== undefined, 1_000);
});
