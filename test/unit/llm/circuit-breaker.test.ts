import { expect, test } from 'vitest';
import { createCircuitBreaker } from '../../../src/llm/circuit-breaker.ts';
import { modelFaultOf } from '../../../src/llm/model-fault.ts';

function breakerAt() {
  const clock = { at: 1_000, now: () => clock.at };
  const breaker = createCircuitBreaker(clock);
  const fail = (count: number, verdict: 'failed' | 'failed-settings' = 'failed') => {
    for (let i = 0; i < count; i++) breaker.enter()(verdict);
  };
  return { clock, breaker, fail };
}

test('five failures within 30 s refuse further calls for 15 s', () => {
  const { clock, breaker, fail } = breakerAt();
  fail(4);
  expect(breaker.isOpen()).toBe(false);
  fail(1);
  expect(() => breaker.enter()).toThrow(expect.objectContaining({ code: 'llm.unavailable' }));
  clock.at += 14_999;
  expect(breaker.isOpen()).toBe(true);
  clock.at += 1;
  expect(breaker.isOpen()).toBe(false);
});

test('failures further apart than 30 s refuse nothing', () => {
  const { clock, breaker, fail } = breakerAt();
  fail(4);
  clock.at += 30_000;
  fail(4);
  expect(breaker.isOpen()).toBe(false);
});

test('a wrong key or name refuses calls for 60 s', () => {
  const { clock, breaker, fail } = breakerAt();
  fail(5, 'failed-settings');
  clock.at += 59_999;
  expect(breaker.isOpen()).toBe(true);
  clock.at += 1;
  expect(breaker.isOpen()).toBe(false);
});

test('after the pause one call tries; its success opens the way, its failure closes it again', () => {
  const { clock, breaker, fail } = breakerAt();
  fail(5);
  clock.at += 15_000;
  const first = breaker.enter();
  expect(breaker.isOpen()).toBe(true);
  first('failed');
  expect(breaker.isOpen()).toBe(true);
  clock.at += 15_000;
  breaker.enter()('succeeded');
  fail(4);
  expect(breaker.isOpen()).toBe(false);
});

test('a trial that tells nothing leaves the next call to try', () => {
  const { clock, breaker, fail } = breakerAt();
  fail(5);
  clock.at += 15_000;
  breaker.enter()('dropped');
  expect(breaker.isOpen()).toBe(false);
});

test('the refusal says why', () => {
  const { breaker, fail } = breakerAt();
  fail(5);
  let thrown: unknown;
  try {
    breaker.enter();
  } catch (error) {
    thrown = error;
  }
  expect(modelFaultOf(thrown)?.reason).toBe('breaker-open');
});

test('it tells how long ago a call succeeded, and which failed why', () => {
  let now = 0;
  const breaker = createCircuitBreaker({ now: () => now });
  const fault = { reason: 'http-status', status: 404 } as const;
  expect(breaker.lastCalls()).toEqual({ answeredMsAgo: undefined, failed: undefined });
  breaker.enter()('succeeded');
  now = 1_000;
  breaker.enter()('failed-settings', fault);
  now = 3_000;
  breaker.enter()('dropped', { reason: 'timeout' });
  expect(breaker.lastCalls()).toEqual({ answeredMsAgo: 3_000, failed: { fault: 'http-status 404', msAgo: 2_000 } });
});
