import { afterEach, expect, test, vi } from 'vitest';
import { modelFaultOf } from '../../../src/llm/model-fault.ts';
import { createModelQueue } from '../../../src/llm/model-policy.ts';
import { unaborted } from '../../helpers/model-calls.ts';

afterEach(() => vi.useRealTimers());

const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => modelFaultOf(error)?.reason,
  );

test('calls above the limit wait for a place, first come, first served', async () => {
  const queue = createModelQueue({ concurrency: 1, slots: 2 });
  const order: string[] = [];
  const first = await queue.enter(unaborted());
  const enterAs = async (name: string) => {
    const place = await queue.enter(unaborted());
    order.push(name);
    return place;
  };
  const [second, third] = [enterAs('second'), enterAs('third')];
  expect(queue.waiting).toBe(2);
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  expect(order).toEqual(['second', 'third']);
  expect(queue.waiting).toBe(0);
});

test('a place that is given back twice is one place', async () => {
  const queue = createModelQueue({ concurrency: 1, slots: 1 });
  const first = await queue.enter(unaborted());
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await queue.enter(unaborted());
  const controller = new AbortController();
  const waiting = queue.enter(controller.signal);
  expect(queue.waiting).toBe(1);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});

test('a call that finds no place to wait is refused at once', async () => {
  const queue = createModelQueue({ concurrency: 1, slots: 0 });
  await queue.enter(unaborted());
  expect(await faultOf(queue.enter(unaborted()))).toBe('queue-full');
});

test('a call waits 3 s at most', async () => {
  vi.useFakeTimers();
  const queue = createModelQueue({ concurrency: 1, slots: 1 });
  await queue.enter(unaborted());
  const waiting = faultOf(queue.enter(unaborted()));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await waiting).toBe('queue-timeout');
  expect(queue.waiting).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('an aborted call gives up its place in the queue', async () => {
  const queue = createModelQueue({ concurrency: 1, slots: 1 });
  await queue.enter(unaborted());
  const controller = new AbortController();
  const waiting = queue.enter(controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(queue.waiting).toBe(0);
});
