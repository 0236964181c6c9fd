import { expect, test } from 'vitest';
import { limitFailedCredentials } from '../../../src/api/auth.ts';

function guard() {
  let now = 0;
  const waited: number[] = [];
  const limited = limitFailedCredentials({
    clock: { now: () => now },
    pause: async (ms) => {
      waited.push(ms);
      now += ms;
    },
  });
  const right = async () => 'found';
  const wrong = async () => undefined;
  return { limited, waited, right, wrong, advance: (ms: number) => (now += ms) };
}

test('200 wrong credentials of one address wait minutes, right ones of others not at all', async () => {
  const { limited, waited, right, wrong } = guard();

  for (let count = 0; count < 200; count++) expect(await limited.check('a', wrong)).toBeUndefined();
  const beforeRight = waited.length;
  for (let count = 0; count < 200; count++) expect(await limited.check('b', right)).toBe('found');

  expect(waited.slice(0, 5)).toEqual([50, 100, 200, 400, 800]);
  expect(waited.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(180_000);
  expect(waited).toHaveLength(beforeRight);
});

test('a few mistakes, and right credentials after many, do not wait', async () => {
  const { limited, waited, right, wrong } = guard();

  for (let count = 0; count < 5; count++) await limited.check('a', wrong);
  expect(waited).toEqual([]);
  for (let count = 0; count < 5; count++) await limited.check('a', wrong);
  const failures = waited.length;

  expect(await limited.check('a', right)).toBe('found');
  expect(waited).toHaveLength(failures);
});

test('failures at the same time wait one behind the other, and hold up what comes behind very many', async () => {
  const ends: (() => void)[] = [];
  const limited = limitFailedCredentials({
    clock: { now: () => 0 },
    pause: () => new Promise((resolve) => ends.push(resolve)),
  });
  const wrong = async () => undefined;
  for (let count = 0; count < 5; count++) await limited.check('a', wrong);
  const failing = Array.from({ length: 64 }, () => limited.check('a', wrong));
  await Promise.resolve();
  let isFound = false;
  const late = limited.check('a', async () => (isFound = true));
  await new Promise(setImmediate);

  expect(ends).toHaveLength(1);
  expect(isFound).toBe(false);
  while (!isFound) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all([...failing, late]);
});

test('an address begins anew when it made no mistake for ten minutes', async () => {
  const { limited, waited, wrong, advance } = guard();
  for (let count = 0; count < 8; count++) await limited.check('a', wrong);
  const before = waited.length;

  advance(600_000);
  await limited.check('a', wrong);

  expect(waited).toHaveLength(before);
});
