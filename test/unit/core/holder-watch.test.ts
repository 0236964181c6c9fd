import { expect, test } from 'vitest';
import { createHolderWatch } from '../../../src/core/holder-watch.ts';

const LEASE = { name: 'indexer', holder: 'upkeep.1', beats: 1 };

function watchAt(isProcessAlive: (instance: string) => boolean = () => true) {
  let nowMs = 0;
  const watch = createHolderWatch({ isProcessAlive, monotonicMs: () => nowMs, silenceMs: 9_000 });
  const looksAfter = (stepMs: number, beats = LEASE.beats) => {
    nowMs += stepMs;
    return watch.isGone({ ...LEASE, beats });
  };
  return looksAfter;
}

test('a dead holder is gone at the first look', () => {
  expect(watchAt((instance) => instance !== LEASE.holder)(0)).toBe(true);
});

test('a holder that beats is never gone, whatever the number says', () => {
  const looksAfter = watchAt();

  expect([1, 2, 1, 3, -5].map((beats) => looksAfter(3_000, beats))).toEqual([false, false, false, false, false]);
});

test('a living holder is gone when it was silent for the whole time that it was watched', () => {
  const looksAfter = watchAt();

  expect([0, 3_000, 3_000, 2_999, 1].map((stepMs) => looksAfter(stepMs))).toEqual([false, false, false, false, true]);
});

test('a machine that stood still gives holders their turn before it judges them', () => {
  const looksAfter = watchAt();

  expect([0, 3_600_000, 100].map((stepMs) => looksAfter(stepMs))).toEqual([false, false, false]);
  expect(looksAfter(100, 2)).toBe(false);
});
