import { describe, expect, test } from 'vitest';
import { isSharedByAccident, isTemporary, mayStand } from '../../../src/crawl/rules/canonical.ts';

/** Similarities that differ in 16 bits each from the others. */
const text = (n: number) => BigInt.asIntN(64, 0xffffn << BigInt((n % 4) * 16)).toString();
const named = (n: number, patternId = n) => ({ patternId, similarity: text(n) });

describe('a URL that pages name as canonical', () => {
  test.each([
    ['five pages of other texts and patterns', named(0), [1, 2, 3, 5].map((n) => named(n)), true],
    ['four pages', named(0), [1, 2, 3].map((n) => named(n)), false],
    ['five pages of one pattern', named(0, 7), [1, 2, 3, 5].map((n) => named(n, 7)), false],
    ['five copies', named(0), [1, 2, 3, 4].map((n) => ({ patternId: n, similarity: text(0) })), false],
    [
      'pages whose texts are not known',
      named(0),
      [1, 2, 3, 4].map((patternId) => ({ patternId, similarity: undefined })),
      false,
    ],
  ])('is shared by accident by %s: %#', (_what, own, others, shared) => {
    expect(isSharedByAccident(own, others)).toBe(shared);
  });

  test.each([
    [undefined, true],
    ['known', true],
    ['live', true],
    ['suspected', true],
    ['gone', false],
    ['skipped', false],
    ['failed', false],
  ] as const)('in state %s may stand for them: %s', (state, may) => {
    expect(mayStand(state)).toBe(may);
  });
});

describe('a redirect of a page with a document', () => {
  test.each([
    [[301], false],
    [[308, 301], false],
    [[301, 302], true],
    [[303], true],
    [[307], true],
  ])('with %j may be meant for today: %s', (statuses, temporary) => {
    expect(isTemporary(statuses)).toBe(temporary);
  });
});
