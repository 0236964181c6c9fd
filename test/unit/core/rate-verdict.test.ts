import { expect, test } from 'vitest';
import { rateVerdict } from '../../../src/core/rate-store.ts';

const LIMIT = { perSecond: 4, burst: 20 };

test.each([
  ['a full bucket', true, 20, { remaining: 20, retryAfterSeconds: 0, resetSeconds: 0 }],
  ['half a bucket', true, 10, { remaining: 10, retryAfterSeconds: 0, resetSeconds: 3 }],
  ['parts of a token', true, 3.9, { remaining: 3, retryAfterSeconds: 0, resetSeconds: 5 }],
  ['an empty bucket', false, 0, { remaining: 0, retryAfterSeconds: 1, resetSeconds: 5 }],
  ['a debt', false, -7, { remaining: 0, retryAfterSeconds: 2, resetSeconds: 7 }],
])('%s', (_, allowed, tokens, rest) => {
  expect(rateVerdict(allowed, tokens, LIMIT)).toEqual({ allowed, ...rest });
});
