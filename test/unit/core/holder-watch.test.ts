import { expect, test } from 'vitest';
import { createHolderWatch } from '../../../src/core/holder-watch.ts';

const LEASE = { name: 'indexer', holder: 'upkeep.1', beats: 1 };

function watchAt(isProcessAlive: (holder: string) => Promise<boolean> = async () => true) {
  let nowMs = 0;
  const watch = createHolderWatch({ isProcessAlive, monotonicMs: () => nowMs, silenceMs: 9_000 });
  const looksAfter = (stepMs: number, beats = LEASE.beats) => {
    nowMs += stepMs;
    return watch.isGone({ ...LEASE, beats });
  };
  return looksAfter;
}

type Look = readonly [stepMs: number, beats?: number];

/** One after the other. */
async function looks(looksAfter: ReturnType<typeof watchAt>, steps: readonly Look[]): Promise<readonly boolean[]> {
  const found: boolean[] = [];
  for (const step of steps) found.push(await looksAfter(...step));
  return found;
}

test('a dead holder is gone at the first look', async () => {
  expect(await watchAt(async (holder) => holder !== LEASE.holder)(0)).toBe(true);
});

test('a holder that beats is never gone, whatever the number says', async () => {
  const looksAfter = watchAt();

  const found = await looks(
    looksAfter,
    [1, 2, 1, 3, -5].map((beats): Look => [3_000, beats]),
  );

  expect(found).toEqual([false, false, false, false, false]);
});

test('a living holder is gone when it was silent for the whole time that it was watched', async () => {
  const found = await looks(watchAt(), [[0], [3_000], [3_000], [2_999], [1]]);

  expect(found).toEqual([false, false, false, false, true]);
});

test('a machine that stood still gives holders their turn before it judges them', async () => {
  const found = await looks(watchAt(), [[0], [3_600_000], [100], [100, 2]]);

  expect(found).toEqual([false, false, false, false]);
});
