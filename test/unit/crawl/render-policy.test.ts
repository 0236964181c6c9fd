import { expect, test } from 'vitest';
import { type RenderVerdict, UNKNOWN_VERDICT } from '../../../src/core/render-verdict.ts';
import {
  attemptOfRow,
  countWords,
  isRenderDue,
  type RenderCause,
  type RenderQuestion,
  renderChoiceOfPage,
} from '../../../src/crawl/rules/render-policy.ts';

const verdict = (of: Partial<RenderVerdict>): RenderVerdict => ({ ...UNKNOWN_VERDICT, ...of });
const CLAIMED = verdict({ claim: { urlId: 1, at: 1_000 } });
const QUESTION: RenderQuestion = {
  setting: 'auto',
  canRender: true,
  signal: 'The page is an empty application root',
  verdict: UNKNOWN_VERDICT,
  urlId: 7,
  now: 2_000,
  isReserved: false,
};

test.each<[string, Partial<RenderQuestion>, string, RenderCause | undefined, string | undefined]>([
  ['no evidence', { signal: undefined }, 'http', undefined, undefined],
  [
    'no evidence, though its pattern needs a browser',
    { signal: undefined, verdict: verdict({ verdict: 'browser' }) },
    'http',
    undefined,
    undefined,
  ],
  ['evidence and never', { setting: 'never' }, 'thin', undefined, undefined],
  ['evidence and no browser', { canRender: false }, 'thin', undefined, undefined],
  [
    'always without a browser',
    { setting: 'always', canRender: false, signal: undefined },
    'http',
    undefined,
    undefined,
  ],
  ['always', { setting: 'always', signal: undefined }, 'browser', 'always', undefined],
  ['the first of its pattern', {}, 'browser', 'first', 'claimed'],
  ['a later one while the first is under way', { verdict: CLAIMED }, 'browser', 'first', undefined],
  ['a later one beside the first', { isReserved: true }, 'browser', 'first', undefined],
  ['a later one when the first has not come back', { verdict: CLAIMED, now: 61_000 }, 'browser', 'first', 'claimed'],
  ['a pattern that needs a browser', { verdict: verdict({ verdict: 'browser' }) }, 'browser', 'verdict', undefined],
  [
    'a pattern that does not',
    { verdict: verdict({ verdict: 'http', passed: 48, pairs: 4 }) },
    'http',
    undefined,
    'passed',
  ],
  [
    'the 50th of a pattern that does not',
    { verdict: verdict({ verdict: 'http', passed: 49, pairs: 4 }) },
    'browser',
    'sample',
    'sampled',
  ],
  [
    'one beside the 50th',
    { verdict: verdict({ verdict: 'http', passed: 49, pairs: 4 }), isReserved: true },
    'http',
    undefined,
    'passed',
  ],
  [
    'the 10th of a pattern that one page has told of',
    { verdict: verdict({ verdict: 'http', passed: 9, pairs: 3 }) },
    'browser',
    'sample',
    'sampled',
  ],
  [
    'the 9th of a pattern that one page has told of',
    { verdict: verdict({ verdict: 'http', passed: 8, pairs: 3 }) },
    'http',
    undefined,
    'passed',
  ],
])('a page with %s', (_name, changes, by, why, observation) => {
  const need = renderChoiceOfPage({ ...QUESTION, ...changes });
  expect({ by: need.by, why: need.why, observation: need.observation?.kind }).toEqual({ by, why, observation });
});

test.each<[string, Partial<Parameters<typeof attemptOfRow>[0]>, unknown]>([
  [
    'whose pattern is claimed by another waits until the claim ends',
    { verdict: CLAIMED },
    { kind: 'wait', untilAt: 61_000 },
  ],
  ['that has the claim is rendered', { verdict: CLAIMED, urlId: 1 }, { kind: 'render' }],
  ['is rendered when the claim has ended', { verdict: CLAIMED, now: 61_000 }, { kind: 'render' }],
  ['is rendered when its pattern needs a browser', { verdict: verdict({ verdict: 'browser' }) }, { kind: 'render' }],
  ['goes back when its pattern does not', { verdict: verdict({ verdict: 'http' }) }, { kind: 'http' }],
  [
    'is rendered as a sample all the same',
    { verdict: verdict({ verdict: 'http' }), why: 'sample' },
    { kind: 'render' },
  ],
  ['is rendered always', { verdict: verdict({ verdict: 'http' }), setting: 'always' }, { kind: 'render' }],
  ['goes back when the setting has changed', { setting: 'never' }, { kind: 'http' }],
])('a row %s', (_name, changes, expected) => {
  const asked = { setting: 'auto', why: 'first', verdict: UNKNOWN_VERDICT, urlId: 7, now: 2_000, ...changes } as const;
  expect(attemptOfRow(asked)).toEqual(expected);
});

const DAY = 86_400_000;

test.each([
  [undefined, 30, false],
  [0, 30, true],
  [DAY, 30, false],
])('a page rendered at %s is rendered again within %s days: %s', (renderedAt, maxDays, expected) => {
  expect(isRenderDue(renderedAt, maxDays, 7.5 * DAY)).toBe(expected);
});

test.each([
  ['', 0],
  ['Two words, 3 more.', 4],
  ['東京都の天気', 4],
])('%j has %s words', (text, expected) => {
  expect(countWords(text)).toBe(expected);
});
