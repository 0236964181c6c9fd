import { describe, expect, test } from 'vitest';
import { guardFigures } from '../../helpers/guard-figures.ts';

describe('the guard on sentences in own words', () => {
  test.each([
    ['tuning', 0.76, 0.13],
    ['tuning-2', 0.68, 0.05],
    ['tuning-3', 0.45, 0.18],
    ['blind', 0.67, 0.18],
    ['blind-2', 0.62, 0.25],
  ])('sends most that are true and few lies: %s', async (part, leastTrue, mostLies) => {
    const { truths, lies } = await guardFigures(part);

    expect(truths.sent / truths.said).toBeGreaterThanOrEqual(leastTrue);
    expect(lies.sent / lies.said).toBeLessThanOrEqual(mostLies);
  });
});
