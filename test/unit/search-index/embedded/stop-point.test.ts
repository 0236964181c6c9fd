import { expect, test } from 'vitest';
import { checkStop, stoppable } from '../../../../src/search-index/embedded/stop-point.ts';

test('work within work is asked by its own check, and what surrounds it by its own again', () => {
  const checked: string[] = [];
  stoppable(
    () => checked.push('outer'),
    () => {
      checkStop();
      stoppable(() => checked.push('inner'), checkStop);
      checkStop();
    },
  );
  checkStop();

  expect(checked).toEqual(['outer', 'inner', 'outer']);
});

test('a check that throws ends the work, and is not asked afterwards', () => {
  const stop = () => {
    throw new Error('too long');
  };

  expect(() => stoppable(stop, checkStop)).toThrow('too long');
  expect(checkStop).not.toThrow();
});
