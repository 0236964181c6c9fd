import { expect, test } from 'vitest';
import { mergePatch } from '../../../src/accounts/manage-engines.ts';

/** The cases of RFC 7396, appendix A, that have objects on both sides. */
test.each<[present: object, sent: object, merged: object]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j with %j is %j', (present, sent, merged) => {
  expect(mergePatch(present as Record<string, unknown>, sent as Record<string, unknown>)).toEqual(merged);
});
