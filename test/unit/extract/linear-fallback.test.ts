import { expect, test } from 'vitest';
import { fallBackToLinearTime } from '../../../src/extract/linear-fallback.ts';

test('an expression that would backtrack for hours ends', () => {
  fallBackToLinearTime();

  // Made here: what was compiled before the flag was set keeps its ways.
  expect(/^(a+)+$/.test(`${'a'.repeat(60)}!`)).toBe(false);
});
