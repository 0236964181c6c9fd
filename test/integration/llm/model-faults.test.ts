import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLanguageModels } from '../../../src/compose/models/language-model.ts';
import { CONFIG } from '../../../src/config/config.ts';
import type { ModelRequest } from '../../../src/llm/language-model.ts';
import { modelFaultOf } from '../../../src/llm/model-fault.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { captureLog } from '../../helpers/captured-log.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type FakeModelServer, PROVIDER_TEXT, startFakeModelServer } from '../../helpers/fake-model-server.ts';
import { MODEL_KEY, PROMPT, PROMPT_ANSWER, readCall, unaborted } from '../../helpers/model-calls.ts';
import { SITE_CERTIFICATE_PATH, startSecureSite } from '../../helpers/secure-site.ts';

const HEADER_KEY = 'key-in-a-header-0123456789';
const SECRETS = [MODEL_KEY, HEADER_KEY, PROVIDER_TEXT, 'How fast', 'The pump'];

let server: FakeModelServer;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);

beforeAll(async () => {
  server = await startFakeModelServer();
  process.on('unhandledRejection', onUnhandled);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

/**
 * Modes that deadlines end get short ones; on a busy machine the others need the room of the defaults. That of the start
 * leaves time for the request to come to the server, which shares its event loop with all the other calls: one that was
 * given up before would not be seen there.
 */
function shortDeadlines(mode = ''): Readonly<Record<string, string>> {
  if (mode.startsWith('stall-after')) return { AI_STALL_TIMEOUT_MS: '150' };
  return /^(?:hang|slow-first:60000|slow-deltas:60000)/.test(mode) ? { AI_START_TIMEOUT_MS: '3000' } : {};
}

/** The models as the api opens them. */
async function openModels(settings: Readonly<Record<string, string>> = {}) {
  const stack = new AsyncDisposableStack();
  const { log, lines } = captureLog();
  const metrics = createMetrics();
  const config = CONFIG.parse({
    LLM_BASE_URL: server.baseUrl,
    LLM_API_KEY: MODEL_KEY,
    LLM_HEADERS: `{"x-team":"${HEADER_KEY}"}`,
    ...shortDeadlines(settings['LLM_MODEL']),
    LLM_MODEL: 'ok',
    ...settings,
  });
  const models = await openLanguageModels(stack, { config, log, metrics });
  if (models === undefined) throw new Error('a model is configured');
  const outcomes = async () =>
    (await metrics.models.requests.get()).values.map(({ labels, value }) => `${labels.outcome} ${value}`);
  return { ...models.forEngine(6), lines, metrics, outcomes, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function callMode(mode: string, request: ModelRequest = PROMPT, settings: Readonly<Record<string, string>> = {}) {
  const callsOfMode = () => server.calls.filter((call) => call.mode === mode);
  const before = callsOfMode().length;
  await using models = await openModels({ LLM_MODEL: mode, ...settings });
  const outcome = await readCall(models.answer.stream(request, unaborted()));
  const calls = callsOfMode().slice(before);
  await eventually(() => calls.every(({ closedAt }) => closedAt !== undefined));
  return { ...outcome, fault: modelFaultOf(outcome.error), calls, ...models };
}

type Row = readonly [mode: string, fault: string | undefined, calls: number];

test.concurrent.each<Row>([
  ['http:503', 'http-status', 2],
  ['http:400', 'http-status', 1],
  ['http:401', 'http-status', 1],
  ['http:403', 'http-status', 1],
  ['http:404', 'http-status', 1],
  ['context-too-long', 'context-too-long', 1],
  ['rate:4', 'http-status', 1],
  ['hang', 'start-timeout', 1],
  ['hang-after-headers', 'start-timeout', 1],
  ['slow-first:60000', 'start-timeout', 1],
  ['slow-deltas:60000', 'start-timeout', 1],
  ['stall-after:2', 'stalled', 1],
  ['cut-first', 'reset', 2],
  ['cut:2', 'reset', 1],
  ['error-frame:0', 'error-frame', 1],
  ['error-frame:2', 'error-frame', 1],
  ['broken-frame:0', 'broken-frame', 1],
  ['broken-frame:2', 'broken-frame', 1],
  ['html', 'wrong-media-type', 1],
  ['empty', 'empty', 1],
  ['reasoning-only', 'empty', 1],
  ['tool-call', 'empty', 1],
  ['no-finish', 'no-end', 1],
  ['no-end', 'no-end', 1],
  ['redirect', 'redirect', 1],
  ['oversize', 'too-large', 1],
])('%s: %s after %i calls, closed, without a word of the provider', async (mode, fault, count) => {
  const { fault: seen, error, events, calls, lines, outcomes, metrics } = await callMode(mode);

  expect(seen?.reason).toBe(fault);
  expect(calls.map(({ path }) => path)).toEqual(Array(count).fill('/v1/chat/completions'));
  expect(events.some(({ type }) => type === 'end')).toBe(false);
  expect(await outcomes()).toEqual([`${fault} 1`]);
  const said = inspect([error, lines, await metrics.print()], { depth: 10, showHidden: true });
  for (const secret of SECRETS) expect(said).not.toContain(secret);
});

test.concurrent.each<[mode: string, text: string, finish: string, calls: number]>([
  ['ok', PROMPT_ANSWER, 'stop', 1],
  ['slow-first:20', PROMPT_ANSWER, 'stop', 1],
  ['slow-deltas:5', PROMPT_ANSWER, 'stop', 1],
  ['flaky:1', PROMPT_ANSWER, 'stop', 2],
  ['no-done', PROMPT_ANSWER, 'stop', 1],
  ['reasoning', PROMPT_ANSWER, 'stop', 1],
  ['split-marker', PROMPT_ANSWER, 'stop', 1],
  ['split-utf8', `Größe 7 für Füße. ${PROMPT_ANSWER}`, 'stop', 1],
  ['length', `${PROMPT_ANSWER} It also has to be`, 'length', 1],
  ['filtered', '', 'filtered', 1],
  ['filtered-late', PROMPT_ANSWER, 'filtered', 1],
  ['no-answer', 'NO_ANSWER', 'stop', 1],
])('%s: the text comes whole, with how it ended', async (mode, text, finish, count) => {
  const outcome = await callMode(mode);
  expect(outcome.error).toBeUndefined();
  expect(outcome.text).toBe(text);
  expect(outcome.events.at(-1)).toMatchObject({ type: 'end', finish });
  expect(outcome.calls).toHaveLength(count);
});

test('usage is what the provider counted, else an estimate that says so', async () => {
  const counted = await callMode('ok');
  expect(counted.events.at(-1)).toMatchObject({ usage: { input: 321, output: 45, isEstimated: false } });
  const estimated = await callMode('no-usage');
  expect(estimated.events.at(-1)).toMatchObject({ usage: { output: 15, isEstimated: true } });
});

test('calls, tokens, and the time to the first text are counted', async () => {
  const printed = await (await callMode('ok')).metrics.print();
  expect(printed).toContain('fossick_llm_requests_total{purpose="answer",outcome="stop"} 1');
  expect(printed).toContain('fossick_llm_tokens_total{direction="input"} 321');
  expect(printed).toContain('fossick_llm_tokens_total{direction="output"} 45');
  expect(printed).toContain('fossick_llm_first_delta_seconds_count 1');
  expect(printed).toContain('fossick_llm_breaker_open 0');
  expect(printed).toContain('fossick_llm_queue_depth 0');
});

test('a pause that the provider asks for is kept', async () => {
  const { text, calls } = await callMode('rate:1');
  expect(text).toBe(PROMPT_ANSWER);
  expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThan(990);
});

test('a call carries key and headers, and asks for usage', async () => {
  const { calls } = await callMode('ok');
  expect(calls[0]?.headers).toMatchObject({ authorization: `Bearer ${MODEL_KEY}`, 'x-team': HEADER_KEY });
  expect(calls[0]?.messages).toEqual(PROMPT.messages);
});

test('a wrong key is logged as an error, a passing fault as a warning', async () => {
  expect((await callMode('http:401')).lines.map(({ level }) => level)).toEqual(['error']);
  expect((await callMode('http:503')).lines.map(({ level }) => level)).toEqual(['warn', 'warn']);
});

test('nobody listens: refused, after two attempts', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const { fault, lines } = await callMode('ok', PROMPT, {
    LLM_BASE_URL: `http://127.0.0.1:${port}/v1`,
  });
  expect(fault?.reason).toBe('refused');
  expect(lines).toHaveLength(2);
});

test('a certificate of an unknown authority is refused, one of LLM_CA_FILE is taken', async () => {
  const frames = [{ delta: { content: 'Text.' } }, { delta: {}, finish_reason: 'stop' }];
  const body = frames.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`).join('');
  await using site = await startSecureSite({
    '/v1/chat/completions': { headers: { 'content-type': 'text/event-stream' }, body },
  });
  const settings = { LLM_BASE_URL: `https://127.0.0.1:${site.port}/v1` };

  expect((await callMode('ok', PROMPT, settings)).fault?.reason).toBe('tls');
  expect(site.paths).toEqual([]);
  expect((await callMode('ok', PROMPT, { ...settings, LLM_CA_FILE: SITE_CERTIFICATE_PATH })).text).toBe('Text.');
});

test('an authority that cannot be read stops the start', async () => {
  await expect(openModels({ LLM_CA_FILE: '/nowhere/ca.pem' })).rejects.toMatchObject({ code: 'request.invalid' });
});

test('a rewriting asks its own model, once, in its own time', async () => {
  const before = server.calls.length;
  await using models = await openModels({ LLM_REWRITE_MODEL: 'hang', AI_REWRITE_TIMEOUT_MS: '60' });
  const { error } = await readCall(models.rewrite.stream({ ...PROMPT, purpose: 'rewrite' }, unaborted()));
  expect(modelFaultOf(error)?.reason).toBe('timeout');
  expect(server.calls.slice(before).map(({ mode }) => mode)).toEqual(['hang']);
});

test('an engine whose tokens are spent asks nobody', async () => {
  const before = server.calls.length;
  await using models = await openModels({ LLM_DAILY_TOKENS: '300' });
  await readCall(models.answer.stream(PROMPT, unaborted()));
  const { error } = await readCall(models.answer.stream(PROMPT, unaborted()));
  expect(modelFaultOf(error)?.reason).toBe('budget-spent');
  expect(server.calls.length - before).toBe(1);
});

test('a caller who goes closes the call at once; no timer and no socket is left', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await eventually(() => server.sockets() === 0);
  {
    await using models = await openModels({ LLM_MODEL: 'stall-after:3', AI_STALL_TIMEOUT_MS: '60000' });
    const controller = new AbortController();
    const reading = readCall(models.answer.stream(PROMPT, controller.signal));
    const call = await eventually(() => server.calls.find(({ mode }) => mode === 'stall-after:3'));
    const abortedAt = performance.now();
    controller.abort();
    expect((await reading).error).toMatchObject({ name: 'AbortError' });
    await eventually(() => call.closedByClient, 5_000);
    expect((call.closedAt ?? Number.POSITIVE_INFINITY) - abortedAt).toBeLessThan(1_000);
    expect(await models.outcomes()).toEqual(['aborted 1']);
  }
  await eventually(() => server.sockets() === 0 && timers() <= before);
});
