import { expect, test } from 'vitest';
import { openRecentRuns } from '../../../src/crawl/slice/recent-runs.ts';
import type { Run } from '../../../src/storage/engine/runs.ts';

test('runs are as they were at most 300 ms ago', async () => {
  const { runs, skip, commit } = openRuns();
  await runs.find();
  commit('paused');

  skip(299);
  const before = await runs.find();
  skip(1);

  expect([before, await runs.find()].map(stateOf)).toEqual(['running', 'paused']);
});

test('they are not read again while nothing is committed', async () => {
  const { runs, skip, reads } = openRuns();
  await runs.find();

  skip(60_000);
  await runs.find();

  expect(reads()).toBe(1);
});

test('what was read for another reason counts from when that read began', async () => {
  const { runs, skip, commit, reads } = openRuns();
  const seen = runs.looks();
  skip(200);
  commit('paused');
  seen([{ state: 'running' } as Run]);

  const before = await runs.find();
  skip(100);

  expect([before, await runs.find()].map(stateOf)).toEqual(['running', 'paused']);
  expect(reads()).toBe(1);
});

test('a read that fails is made again', async () => {
  const { runs, fail } = openRuns();
  fail(true);
  await expect(runs.find()).rejects.toThrow('away');
  fail(false);

  expect(stateOf(await runs.find())).toBe('running');
});

function stateOf(runs: readonly Run[]) {
  return runs[0]?.state;
}

/** A store with one run, whose clock and commits are the test's. */
function openRuns() {
  let now = 1_000;
  let token = 0;
  let state: Run['state'] = 'running';
  let isAway = false;
  let reads = 0;
  const livingRunsOf = async () => {
    reads++;
    if (isAway) throw new Error('away');
    return [{ state } as Run];
  };
  return {
    runs: openRecentRuns({ livingRunsOf, changeToken: () => token }, 1, () => now),
    reads: () => reads,
    skip: (ms: number) => {
      now += ms;
    },
    commit: (to: Run['state']) => {
      state = to;
      token++;
    },
    fail: (is: boolean) => {
      isAway = is;
    },
  };
}
