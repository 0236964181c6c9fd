import { expect, test } from 'vitest';
import { openFrontier } from '../helpers/frontier.ts';

test('promise 1: every URL belongs to the pattern of its URL on its host', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/news/1', '/news/2?page=3', '/news/44', '/about']);

  const rows = await frontier.take(await frontier.lane());

  const patterns = await Promise.all(rows.map(({ patternId }) => frontier.store.findPattern(patternId ?? 0)));
  expect(patterns.map((found) => [found?.pattern, found?.known])).toEqual([
    ['/news/{n}', 2],
    ['/news/{n}?page', 1],
    ['/news/{n}', 2],
    ['/about', 1],
  ]);
});
