import { expect, test } from 'vitest';
import {
  addRenderObservation,
  addTemplateRenderObservation,
  type PageYield,
  parseRenderVerdict,
  type RenderObservation,
  type RenderVerdict,
  UNKNOWN_VERDICT,
} from '../../../src/core/render-verdict.ts';

const verdict = (of: Partial<RenderVerdict>): RenderVerdict => ({ ...UNKNOWN_VERDICT, ...of });
const pair = (http: PageYield, rendered: PageYield): RenderObservation => ({ kind: 'pair', http, rendered });
const learnAll = (from: RenderVerdict, lessons: readonly RenderObservation[]) =>
  lessons.reduce(addRenderObservation, from);

test.each<[string, PageYield, PageYield, 'http' | 'browser']>([
  ['50 words more', { words: 200, links: 0 }, { words: 250, links: 0 }, 'browser'],
  ['49 words more of many', { words: 200, links: 0 }, { words: 249, links: 0 }, 'http'],
  ['nearly a third more of few', { words: 10, links: 0 }, { words: 13, links: 0 }, 'browser'],
  ['text where there was none', { words: 0, links: 0 }, { words: 1, links: 0 }, 'browser'],
  ['5 links more', { words: 20, links: 2 }, { words: 20, links: 7 }, 'browser'],
  ['4 links more', { words: 20, links: 2 }, { words: 20, links: 6 }, 'http'],
  ['fewer words', { words: 90, links: 9 }, { words: 10, links: 0 }, 'http'],
])(
  'an open question is decided by one pair that gains, or by three that do not: %s',
  (_name, http, rendered, expected) => {
    const observation = pair(http, rendered);
    const decided = expected === 'browser' ? 1 : 3;

    const before = learnAll(UNKNOWN_VERDICT, new Array(decided - 1).fill(observation));
    expect(before.verdict).toBe('unknown');
    expect(addRenderObservation(before, observation)).toMatchObject({ verdict: expected, pairs: decided });
  },
);

test('a render without text teaches nothing', () => {
  const without = pair({ words: 40, links: 2 }, { words: 0, links: 0 });

  for (const known of [UNKNOWN_VERDICT, verdict({ verdict: 'browser', equal: 2, pairs: 7 })]) {
    const claimed = addRenderObservation(known, { kind: 'claimed', urlId: 1, at: 1 });
    expect(learnAll(claimed, [without, without, without])).toEqual({ ...known, claim: undefined });
  }
});

test('a claim holds for a minute, and only its page gives it back', () => {
  const claimed = addRenderObservation(UNKNOWN_VERDICT, { kind: 'claimed', urlId: 1, at: 1_000 });

  expect(addRenderObservation(claimed, { kind: 'claimed', urlId: 2, at: 60_999 }).claim).toEqual({
    urlId: 1,
    at: 1_000,
  });
  expect(addRenderObservation(claimed, { kind: 'claimed', urlId: 2, at: 61_000 }).claim).toEqual({
    urlId: 2,
    at: 61_000,
  });
  expect(addRenderObservation(claimed, { kind: 'given-up', urlId: 2 }).claim?.urlId).toBe(1);
  expect(addRenderObservation(claimed, { kind: 'given-up', urlId: 1 }).claim).toBeUndefined();
  expect(addRenderObservation(claimed, pair({ words: 0, links: 0 }, { words: 80, links: 0 })).claim).toBeUndefined();
});

const EQUAL = pair({ words: 96, links: 3 }, { words: 100, links: 3 });
const GAIN = pair({ words: 10, links: 3 }, { words: 100, links: 3 });

test.each<[string, readonly RenderObservation[], RenderVerdict['verdict']]>([
  ['two equal pairs', [EQUAL, EQUAL], 'browser'],
  ['three equal pairs in a row', [EQUAL, EQUAL, EQUAL], 'http'],
  ['three equal pairs with a gain between', [EQUAL, EQUAL, GAIN, EQUAL], 'browser'],
])('a pattern that needed the browser, after %s', (_name, lessons, expected) => {
  expect(learnAll(verdict({ verdict: 'browser' }), lessons).verdict).toBe(expected);
});

test('a family needs no browser after nine pairs in a row without a gain, of whichever patterns', () => {
  const learn = (lessons: readonly RenderObservation[]) =>
    lessons.reduce(addTemplateRenderObservation, UNKNOWN_VERDICT).verdict;
  const equal = (count: number) => new Array<RenderObservation>(count).fill(EQUAL);

  expect(learn(equal(8))).toBe('unknown');
  expect(learn(equal(9))).toBe('http');
  expect(learn([...equal(9), GAIN])).toBe('browser');
  expect(learn([GAIN, ...equal(8)])).toBe('browser');
  expect(learn([...equal(8), { kind: 'claimed', urlId: 1, at: 1 }, { kind: 'passed' }])).toBe('unknown');
});

test('a sample starts the count of passed pages anew, and heals the verdict when it gains', () => {
  const passed = learnAll(verdict({ verdict: 'http' }), new Array(49).fill({ kind: 'passed' }));
  expect(passed.passed).toBe(49);
  expect(learnAll(passed, [{ kind: 'sampled' }]).passed).toBe(0);
  expect(learnAll(passed, [{ kind: 'sampled' }, GAIN]).verdict).toBe('browser');
  expect(learnAll(passed, [{ kind: 'sampled' }, EQUAL]).verdict).toBe('http');
});

test('what is stored comes back', () => {
  const known = learnAll(UNKNOWN_VERDICT, [{ kind: 'claimed', urlId: 7, at: 5 }, GAIN]);
  expect(parseRenderVerdict(JSON.stringify(known))).toEqual(known);
  expect(parseRenderVerdict(undefined)).toEqual(UNKNOWN_VERDICT);
});
