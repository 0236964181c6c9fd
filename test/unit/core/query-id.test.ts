import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCountedQueryId, makeQueryId, QUERY_ID_RANDOMS, verifyQueryId } from '../../../src/core/query-id.ts';

const owner = { customerId: 3, engineId: 6 };
const input = { timeMs: Date.UTC(2026, 0, 31, 12), random: 12_345_678, counted: true };

test('a query id is a UUID of version 8 that starts with the time', () => {
  const id = makeQueryId('secret', owner, input);

  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(input.timeMs);
});

test('an id is known to its owner in any case, with and without dashes', () => {
  const id = makeQueryId('secret', owner, input);

  for (const sent of [id, id.toUpperCase(), id.replaceAll('-', '')]) {
    expect(verifyQueryId('secret', owner, sent)).toBe(id);
  }
});

test('ids of one millisecond differ by their random bits', () => {
  const ids = Array.from({ length: 100 }, () =>
    makeQueryId('secret', owner, { ...input, random: randomInt(QUERY_ID_RANDOMS) }),
  );

  expect(new Set(ids).size).toBeGreaterThan(95);
});

test.each([
  ['another engine', (id: string) => verifyQueryId('secret', { customerId: 3, engineId: 7 }, id)],
  ['another customer', (id: string) => verifyQueryId('secret', { customerId: 4, engineId: 6 }, id)],
  ['another secret', (id: string) => verifyQueryId('other', owner, id)],
  ['no UUID', () => verifyQueryId('secret', owner, 'nope')],
  ['a random UUID', () => verifyQueryId('secret', owner, crypto.randomUUID())],
  ['another version', (id: string) => verifyQueryId('secret', owner, `${id.slice(0, 14)}4${id.slice(15)}`)],
  ['another variant', (id: string) => verifyQueryId('secret', owner, `${id.slice(0, 19)}7${id.slice(20)}`)],
  ['mixed dashes', (id: string) => verifyQueryId('secret', owner, id.replace('-', ''))],
  ['blanks around it', (id: string) => verifyQueryId('secret', owner, ` ${id}`)],
])('%s is not known', (_name, verify) => {
  expect(verify(makeQueryId('secret', owner, input))).toBeUndefined();
});

test('every id verifies, and none with a digit changed', () => {
  const digits = fc.integer({ min: 0, max: 35 }).filter((at) => ![8, 13, 14, 18, 19, 23].includes(at));
  fc.assert(
    fc.property(fc.nat(), fc.nat(QUERY_ID_RANDOMS - 1), fc.boolean(), digits, (timeMs, random, counted, at) => {
      const id = makeQueryId('secret', owner, { timeMs, random, counted });
      expect(verifyQueryId('secret', owner, id)).toBe(id);
      expect(isCountedQueryId(id)).toBe(counted);
      const changed = id.slice(0, at) + (id[at] === '0' ? '1' : '0') + id.slice(at + 1);
      expect(verifyQueryId('secret', owner, changed)).toBeUndefined();
    }),
  );
});
