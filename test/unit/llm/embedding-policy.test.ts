import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createEmbeddingModel } from '../../../src/llm/ai-sdk/embedding-model.ts';
import type { ModelProvider } from '../../../src/llm/ai-sdk/model-provider.ts';
import { openCompatibleProvider } from '../../../src/llm/ai-sdk/openai-compatible.ts';
import { createCircuitBreaker } from '../../../src/llm/circuit-breaker.ts';
import { type EmbeddingPolicyDeps, withEmbeddingPolicy } from '../../../src/llm/embedding-model.ts';
import { modelFaultOf } from '../../../src/llm/model-fault.ts';
import { createModelQueue } from '../../../src/llm/model-policy.ts';
import type { Log } from '../../../src/observability/logger.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type FakeModelServer, PROVIDER_TEXT, startFakeModelServer } from '../../helpers/fake-model-server.ts';
import { endpointOf, unaborted } from '../../helpers/model-calls.ts';

let server: FakeModelServer;
let provider: ModelProvider;
beforeAll(async () => {
  server = await startFakeModelServer();
  provider = openCompatibleProvider(endpointOf(server));
});
afterAll(async () => {
  provider[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

afterEach(() => vi.useRealTimers());

function open(mode: string, more: Partial<EmbeddingPolicyDeps> = {}) {
  let now = 0;
  const lines: string[] = [];
  const outcomes: string[] = [];
  const keep = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${JSON.stringify(fields)} ${message}`);
  const log = { error: keep('error'), warn: keep('warn'), debug: () => undefined } as unknown as Log;
  const model = withEmbeddingPolicy(createEmbeddingModel(provider, mode), {
    log,
    breaker: createCircuitBreaker({ now: () => now }),
    queue: createModelQueue({ concurrency: 2, slots: 2 }),
    report: ({ outcome }) => void outcomes.push(outcome),
    timeoutsMs: { query: 10_000, passage: 10_000 },
    ...more,
  });
  const faultOf = async (signal = unaborted()) =>
    modelFaultOf(await model.embed(['text'], 'query', signal).catch((error: unknown) => error))?.reason;
  const callsMade = () => server.calls.filter((call) => call.mode === mode).length;
  return { model, faultOf, lines, outcomes, callsMade, pass: (ms: number) => (now += ms) };
}

test('a good call gives the vectors of the model and is reported', async () => {
  const { model, outcomes, lines } = open('ok');
  expect(await model.embed(['a', 'b'], 'passage', unaborted())).toHaveLength(2);
  expect([model.id, model.dimensions, outcomes, lines]).toEqual(['ok', 64, ['stop'], []]);
});

test('a call that takes too long is closed, and counts against the model', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { faultOf, callsMade, outcomes } = open('hang');
  for (let call = 1; call <= 6; call++) {
    const fault = faultOf();
    while (call <= 5 && callsMade() < call) await new Promise(setImmediate);
    vi.advanceTimersByTime(10_000);
    await fault;
  }
  vi.useRealTimers();
  expect([callsMade(), outcomes]).toEqual([5, [...Array(5).fill('start-timeout'), 'breaker-open']]);
  await eventually(() => server.calls.every((call) => call.mode !== 'hang' || call.closedByClient));
});

test('a model that fails again and again is left alone for a while; one attempt each', async () => {
  const { faultOf, callsMade, pass, lines } = open('http:503');
  for (let call = 0; call < 8; call++) await faultOf();
  expect([await faultOf(), callsMade(), lines.length]).toEqual(['breaker-open', 5, 5]);
  pass(15_000);
  expect([await faultOf(), callsMade()]).toEqual(['http-status', 6]);
});

test('refused requests are errors for the operator, without a text of the provider', async () => {
  const { faultOf, lines } = open('http:401');
  expect(await faultOf()).toBe('http-status');
  expect(lines).toEqual([expect.stringMatching(/^error .*401.*refuses our requests$/)]);
  expect(lines.join()).not.toContain(PROVIDER_TEXT);
});

test('what the texts are at fault for says nothing about the model', async () => {
  const { faultOf, callsMade } = open('http:413');
  for (let call = 0; call < 7; call++) await faultOf();
  expect(callsMade()).toBe(7);
});

test('an abort is no fault of the model', async () => {
  const { model, outcomes } = open('hang-after-headers');
  const controller = new AbortController();
  const failure = model.embed(['text'], 'query', controller.signal).catch((error: unknown) => error);
  controller.abort();
  expect(await failure).toMatchObject({ name: 'AbortError' });
  expect(outcomes).toEqual(['aborted']);
});
