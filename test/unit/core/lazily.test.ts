import { expect, test } from 'vitest';
import { lazily } from '../../../src/core/lazily.ts';

test('what is made lazily is made when it is asked for first, and once', () => {
  let made = 0;
  const value = lazily(() => ++made);

  expect(made).toBe(0);
  expect([value(), value()]).toEqual([1, 1]);
});

test('undefined is made once, too', () => {
  let made = 0;
  const nothing = lazily(() => {
    made++;
    return undefined;
  });

  nothing();
  nothing();
  expect(made).toBe(1);
});
