import { expect, test } from 'vitest';
import { openFrontier } from '../helpers/frontier.ts';
import { openSystem } from '../helpers/open-system.ts';

const HOUR = 3_600_000;
const AT = 1_800_000_000_000;

test.each([
  ['set back by an hour', -HOUR, 5_000, -HOUR - 5_000],
  ['set forward by an hour', HOUR, 5_000, HOUR - 5_000],
  ['that runs on', 5_000, 5_000, undefined],
  ['corrected by 30 s', -25_000, 5_000, undefined],
  ['set back while nobody ran', -HOUR, undefined, -HOUR],
  ['that ran on while nobody did', HOUR, undefined, undefined],
])('a clock %s is noted as such', async (_what, changeMs, elapsedMs, byMs) => {
  await using system = await openSystem();
  await system.store.noteTime({ at: AT, elapsedMs: undefined });

  const jump = await system.store.noteTime({ at: AT + changeMs, elapsedMs });

  expect(jump?.byMs).toBe(byMs);
  expect(await system.store.clockJumps()).toEqual(byMs === undefined ? [] : [{ id: 1, seenAt: AT + changeMs, byMs }]);
});

test('the last 100 jumps are kept, newest first', async () => {
  await using system = await openSystem();
  for (let turn = 0; turn <= 103; turn++) await system.store.noteTime({ at: AT - turn * HOUR, elapsedMs: 0 });

  const jumps = await system.store.clockJumps();

  expect([jumps.length, jumps[0]?.id, jumps.at(-1)?.id]).toEqual([100, 103, 4]);
});

test('what waits for a later time waits no longer after the clock was set back, once per jump', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/soon'], {}, HOUR + 1_000);
  await frontier.add(['/now'], {}, 500);
  const lane = await frontier.lane();
  const jumps = [{ id: 1, seenAt: 1_000, byMs: -HOUR }];
  const due = async (now: number) => (await frontier.take(lane, 10, now)).map(({ url }) => new URL(url).pathname);

  expect(await due(1_000)).toEqual(['/now']);
  await frontier.store.followClockJumps(jumps, 1_000);
  await frontier.store.followClockJumps(jumps, 1_000);

  expect(await due(999)).toEqual([]);
  expect(await due(1_000)).toEqual(['/soon']);
});
