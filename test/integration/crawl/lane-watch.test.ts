import { expect, test } from 'vitest';
import { createLaneWatch } from '../../../src/crawl/sweep-crawl.ts';
import { CRAWLER, ENGINE, openFrontier } from '../../helpers/frontier.ts';

const ABANDONED = { engineId: ENGINE, crawlerId: CRAWLER, stage: 'page', lane: 1 };

async function openWatched(isProcessAlive: (holder: string) => Promise<boolean>) {
  const frontier = await openFrontier();
  await frontier.add(['/a']);
  const lane = await frontier.lane('crawl-1', 1);
  await frontier.take(lane);
  let nowMs = 0;
  const watch = createLaneWatch({ isProcessAlive, monotonicMs: () => nowMs });
  const looksAfter = (stepMs: number) => {
    nowMs += stepMs;
    return watch.abandonedSlices(frontier.store);
  };
  return { ...frontier, held: lane, looksAfter };
}

test('what a dead process left is taken back at the first look', async () => {
  await using frontier = await openWatched(async (holder) => holder !== 'crawl-1');

  expect(await frontier.looksAfter(0)).toMatchObject([ABANDONED]);
  expect(await frontier.take(await frontier.lane('crawl-2', 1))).toHaveLength(1);
});

test('a holder that beats keeps its lane, one that stands still loses it after 5 s', async () => {
  await using frontier = await openWatched(async () => true);
  const beaten: unknown[] = [];
  for (let second = 0; second < 10; second++) {
    beaten.push(...(await frontier.looksAfter(1_000)));
    await frontier.store.beatLane(frontier.held);
  }

  const silent = [];
  for (let second = 0; second <= 5; second++) silent.push((await frontier.looksAfter(1_000)).length);

  expect(beaten).toEqual([]);
  expect(silent).toEqual([0, 0, 0, 0, 0, 1]);
  expect(await frontier.store.beatLane(frontier.held)).toBe(false);
});
