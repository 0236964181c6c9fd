import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CircuitBreaker, createCircuitBreaker } from '../../../src/llm/circuit-breaker.ts';
import type { ModelRequest } from '../../../src/llm/language-model.ts';
import { type ModelFault, modelFaultOf, modelUnavailable } from '../../../src/llm/model-fault.ts';
import {
  createModelQueue,
  type ModelCallReport,
  type ModelPolicyDeps,
  withModelPolicy,
} from '../../../src/llm/model-policy.ts';
import { PROMPT, readCall, unaborted } from '../../helpers/model-calls.ts';
import { createScriptedModel, modelEnd, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const TIMEOUTS = { startMs: 15_000, stallMs: 10_000, totalMs: 60_000, rewriteMs: 800 };
const REWRITE: ModelRequest = { ...PROMPT, purpose: 'rewrite' };
const GOOD = ['The pump', ' runs.', modelEnd()] as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function guarded(model: ScriptedModel, more: Partial<ModelPolicyDeps> = {}) {
  const reports: ModelCallReport[] = [];
  const breaker: CircuitBreaker = createCircuitBreaker({ now: () => Date.now() });
  const deps: ModelPolicyDeps = {
    log: silentLog,
    breaker,
    queue: createModelQueue({ concurrency: 8, slots: 32 }),
    random: () => 0.5,
    report: (call) => void reports.push(call),
    ...more,
  };
  return { model: withModelPolicy(model, deps, TIMEOUTS), breaker: deps.breaker, reports };
}

/** Reads a call while the clock runs as far as its timers need. */
async function outcomeOf(model: ReturnType<typeof guarded>['model'], request = PROMPT) {
  const reading = readCall(model.stream(request, unaborted()));
  await vi.advanceTimersByTimeAsync(120_000);
  const { text, error } = await reading;
  return { text, fault: modelFaultOf(error)?.reason };
}

test('a good call passes through and leaves no timer', async () => {
  const { model, reports } = guarded(createScriptedModel(GOOD));
  const { text, events } = await readCall(model.stream(PROMPT, unaborted()));
  expect(text).toBe('The pump runs.');
  expect(events.at(-1)).toEqual(modelEnd());
  expect(vi.getTimerCount()).toBe(0);
  expect(reports).toEqual([
    {
      model: 'scripted',
      purpose: 'answer',
      outcome: 'stop',
      firstTextMs: expect.any(Number),
      usage: { input: 10, output: 5, isEstimated: false },
    },
  ]);
});

test.each<[string, Error, number]>([
  ['a refused connection', modelUnavailable('refused'), 2],
  ['a reset connection', modelUnavailable('reset'), 2],
  ['408', modelUnavailable('http-status', { status: 408 }), 2],
  ['409', modelUnavailable('http-status', { status: 409 }), 2],
  ['425', modelUnavailable('http-status', { status: 425 }), 2],
  ['429', modelUnavailable('http-status', { status: 429 }), 2],
  ['429 with a pause of 3 s', modelUnavailable('http-status', { status: 429, retryAfterMs: 3_000 }), 2],
  ['429 with a longer pause', modelUnavailable('http-status', { status: 429, retryAfterMs: 3_001 }), 1],
  ['500', modelUnavailable('http-status', { status: 500 }), 2],
  ['503', modelUnavailable('http-status', { status: 503 }), 2],
  ['400', modelUnavailable('http-status', { status: 400 }), 1],
  ['401', modelUnavailable('http-status', { status: 401 }), 1],
  ['404', modelUnavailable('http-status', { status: 404 }), 1],
  ['an unknown name', modelUnavailable('dns'), 1],
  ['a wrong certificate', modelUnavailable('tls'), 1],
  ['an empty answer', modelUnavailable('empty'), 1],
  ['an error frame', modelUnavailable('error-frame'), 1],
  ['a defect of ours', new Error('defect'), 1],
])('%s before the first text: %i attempts', async (_, failure, attempts) => {
  const scripted = createScriptedModel([failure], GOOD);
  const { text } = await outcomeOf(guarded(scripted).model);
  expect(scripted.requests).toHaveLength(attempts);
  expect(text).toBe(attempts === 2 ? 'The pump runs.' : '');
});

test('no call is tried more than twice', async () => {
  const scripted = createScriptedModel([modelUnavailable('refused')]);
  expect(await outcomeOf(guarded(scripted).model)).toEqual({ text: '', fault: 'refused' });
  expect(scripted.requests).toHaveLength(2);
});

test('after the first text nothing is tried again', async () => {
  const scripted = createScriptedModel(['The pump', modelUnavailable('reset')], GOOD);
  expect(await outcomeOf(guarded(scripted).model)).toEqual({ text: 'The pump', fault: 'reset' });
  expect(scripted.requests).toHaveLength(1);
});

test('the second attempt comes after a pause of 250 to 750 ms', async () => {
  const scripted = createScriptedModel([modelUnavailable('refused')], GOOD);
  const reading = readCall(guarded(scripted).model.stream(PROMPT, unaborted()));
  await vi.advanceTimersByTimeAsync(499);
  expect(scripted.requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(scripted.requests).toHaveLength(2);
  await reading;
});

test.each<[string, ScriptedModel, number, ModelFault]>([
  ['no first text', createScriptedModel(['wait']), 15_000, 'start-timeout'],
  ['no further text', createScriptedModel(['The pump', 'wait']), 10_000, 'stalled'],
])('%s ends the call, closes the model and leaves no timer', async (_, scripted, ms, fault) => {
  const reading = readCall(guarded(scripted).model.stream(PROMPT, unaborted()));
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(scripted.open()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(modelFaultOf((await reading).error)?.reason).toBe(fault);
  expect(scripted.open()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('the start timer runs over all attempts', async () => {
  const scripted = createScriptedModel([modelUnavailable('refused')], ['wait']);
  const reading = readCall(guarded(scripted).model.stream(PROMPT, unaborted()));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(modelFaultOf((await reading).error)?.reason).toBe('start-timeout');
});

test('a whole answer takes 60 s at most, also when its reader is slow', async () => {
  const scripted = createScriptedModel(['one', 'two', 'three', modelEnd()]);
  const iterator = guarded(scripted).model.stream(PROMPT, unaborted())[Symbol.asyncIterator]();
  await iterator.next();
  await vi.advanceTimersByTimeAsync(60_000);
  const failure = await iterator.next().catch((error: unknown) => error);
  expect(modelFaultOf(failure)?.reason).toBe('timeout');
  expect(scripted.open()).toBe(0);
});

test('time that the reader takes is no stall of the model', async () => {
  const iterator = guarded(createScriptedModel(['one', 'two', modelEnd()]))
    .model.stream(PROMPT, unaborted())
    [Symbol.asyncIterator]();
  await iterator.next();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await iterator.next()).toEqual({ done: false, value: { type: 'text', text: 'two' } });
  await iterator.return?.();
  expect(vi.getTimerCount()).toBe(0);
});

test('a rewriting is one attempt of 800 ms', async () => {
  const failing = createScriptedModel([modelUnavailable('refused')]);
  await outcomeOf(guarded(failing).model, REWRITE);
  expect(failing.requests).toHaveLength(1);

  const slow = guarded(createScriptedModel(['wait']));
  const reading = readCall(slow.model.stream(REWRITE, unaborted()));
  await vi.advanceTimersByTimeAsync(800);
  expect(modelFaultOf((await reading).error)?.reason).toBe('timeout');
});

test('slow rewritings and refused requests do not close the way to the model', async () => {
  const slow = guarded(createScriptedModel(['wait']));
  for (let i = 0; i < 6; i++) await outcomeOf(slow.model, REWRITE);
  expect(slow.breaker.isOpen()).toBe(false);
  const refusing = guarded(createScriptedModel([modelUnavailable('http-status', { status: 400 })]));
  for (let i = 0; i < 6; i++) await outcomeOf(refusing.model);
  expect(refusing.breaker.isOpen()).toBe(false);
});

test('five failed calls close the way: the sixth asks nobody', async () => {
  const scripted = createScriptedModel([modelUnavailable('tls')]);
  const { model } = guarded(scripted);
  for (let i = 0; i < 5; i++) await readCall(model.stream(PROMPT, unaborted()));
  const { error } = await readCall(model.stream(PROMPT, unaborted()));
  expect(modelFaultOf(error)?.reason).toBe('breaker-open');
  expect(scripted.requests).toHaveLength(5);
});

test('a call that ends gives its place to the next', async () => {
  const queue = createModelQueue({ concurrency: 1, slots: 0 });
  const { model } = guarded(createScriptedModel(['one', 'two', modelEnd()]), { queue });
  for await (const event of model.stream(PROMPT, unaborted())) if (event.type === 'text') break;
  expect((await readCall(model.stream(PROMPT, unaborted()))).error).toBeUndefined();
});

test('an abort while a second attempt is due ends the call with an AbortError', async () => {
  const scripted = createScriptedModel([modelUnavailable('refused')], GOOD);
  const { model, reports } = guarded(scripted);
  const controller = new AbortController();
  const reading = readCall(model.stream(PROMPT, controller.signal));
  await vi.advanceTimersByTimeAsync(100);
  controller.abort();
  expect((await reading).error).toMatchObject({ name: 'AbortError' });
  expect(scripted.requests).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
  expect(reports.map(({ outcome }) => outcome)).toEqual(['aborted']);
});
