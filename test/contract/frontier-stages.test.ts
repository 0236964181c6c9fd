import { expect, test } from 'vitest';
import { ACTIVATION, CRAWLER, openFrontier, urlOf, visited } from '../helpers/frontier.ts';

const OF = { crawlerId: CRAWLER, activation: ACTIVATION } as const;

test('a row that moves on to another stage is taken by lanes of that stage only, with what the stage before left', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/a']);
  const lane = await frontier.lane();
  const [row] = await frontier.take(lane);
  const to = { stage: 'render', detail: '{"evidence":"empty"}' } as const;
  await frontier.record(lane, [visited(row!, { next: { dueAt: 0, priority: 2, attempts: 0, to } })]);

  expect(await frontier.take(lane, 10, 2_000)).toEqual([]);
  const rendering = await frontier.store.takeLane({ ...OF, stage: 'render', lane: 1, holder: 'b', now: 2_000 });
  const taken = await frontier.store.takeDue({
    ...{ ...OF, lane: rendering!, stage: 'render', now: 2_000, maxPriority: 3 },
    hosts: [{ hostId: row!.hostId, limit: 10 }],
  });
  expect(taken).toMatchObject([{ url: urlOf('/a'), stage: 'render', detail: '{"evidence":"empty"}' }]);
});
