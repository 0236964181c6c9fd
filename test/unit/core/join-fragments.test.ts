import { expect, test } from 'vitest';
import { joinFragments } from '../../../src/core/join-fragments.ts';

test.each([
  [['One.'], 'One.'],
  [['One.', 'Two.'], 'One. … Two.'],
  [['one …', '… two'], 'one … two'],
  [['… one …', 'Two.', '… three …'], '… one … Two. … three …'],
  [[], ''],
])('one ellipsis stands between fragments: %j', (fragments, line) => {
  expect(joinFragments(fragments)).toBe(line);
});
