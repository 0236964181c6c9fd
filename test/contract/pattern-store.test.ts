import { expect, test } from 'vitest';
import { parseRenderVerdict } from '../../src/core/render-verdict.ts';
import { ACTIVATION, CRAWLER, openFrontier, visited } from '../helpers/frontier.ts';

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

test('promise 6: lessons about rendering follow each other, and one that settles a claim ends the waiting', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/items/1', '/items/2', '/items/3']);
  const lane = await frontier.lane();
  const rows = await frontier.take(lane);
  const [first, second, third] = rows;
  const patternId = first?.patternId ?? 0;
  const later = (dueAt: number, attempts: number) =>
    ({ dueAt, priority: 2, attempts, to: { stage: 'render', detail: undefined } }) as const;
  const claimed = { patternId, lesson: { kind: 'claimed', urlId: first?.urlId ?? 0, at: 2_000 } } as const;
  const learned = { kind: 'pair', http: { words: 0, links: 0 }, rendered: { words: 90, links: 0 } } as const;
  await frontier.record(lane, [
    visited(second!, { next: later(62_000, 0) }),
    visited(third!, { next: later(62_000, 2) }),
  ]);
  const waiting = async () => {
    const of = { crawlerId: CRAWLER, activation: ACTIVATION, stage: 'render', maxPriority: 3 } as const;
    const [host] = await frontier.store.hostsWithWork({ ...of, after: 0, limit: 1, now: 2_500 });
    return host?.dueAt;
  };
  const passes = Array.from({ length: 3 }, () => ({ patternId, lesson: { kind: 'passed' } }) as const);
  expect(await waiting()).toBe(62_000);

  await frontier.record(lane, [
    visited(first!, { next: { dueAt: 2_000, priority: 2, attempts: 0 }, rendering: claimed }),
  ]);
  for (const rendering of [...passes, { patternId, lesson: learned }]) {
    const [again] = await frontier.take(lane, 1, 2_500);
    const next = { dueAt: 2_000, priority: 2, attempts: 0 };
    await frontier.record(lane, [visited(again!, { next, rendering })], 2_500);
  }

  const render = (await frontier.store.findPattern(patternId))?.render;
  expect(parseRenderVerdict(render)).toEqual({ verdict: 'browser', claim: undefined, passed: 0, equal: 0, pairs: 1 });
  expect(await waiting()).toBe(2_500);
});
