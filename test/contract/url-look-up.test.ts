import { expect, test } from 'vitest';
import { ACTIVATION, openFrontier } from '../helpers/frontier.ts';

test('what waits for a URL is told as it stands', async () => {
  await using frontier = await openFrontier();
  const { store, runId } = frontier;
  const [urlId = 0] = await frontier.add(['/a'], { enqueue: 'always', priority: 2 }, 700);

  expect((await store.placeOf(urlId))?.waiting).toEqual({
    runId,
    activation: ACTIVATION,
    stage: 'page',
    priority: 2,
    dueAt: 700,
    attempts: 0,
    crashes: 0,
    isLeased: false,
  });
  await frontier.take(await frontier.lane());
  expect((await store.placeOf(urlId))?.waiting).toMatchObject({ isLeased: true });
  expect(await store.placeOf(urlId + 1)).toBeUndefined();
});
