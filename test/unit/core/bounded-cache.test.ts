import { expect, test } from 'vitest';
import { createBoundedCache } from '../../../src/core/bounded-cache.ts';

test('what was asked for longest ago gives way', () => {
  const cache = createBoundedCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  expect(cache.get('a')).toBe('A');
  cache.set('c', 'C', 4);

  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.bytes]).toEqual(['A', undefined, 'C', 8]);
});

test('a value that was replaced, dropped or never fitted takes no room', () => {
  const cache = createBoundedCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('a', 'AA', 8);
  expect([cache.get('a'), cache.bytes]).toEqual(['AA', 8]);
  cache.set('b', 'B', 11);
  expect([cache.get('b'), cache.bytes]).toEqual([undefined, 8]);
  cache.set('a', 'A', 11);
  expect([cache.get('a'), cache.bytes]).toEqual([undefined, 0]);
  cache.set('c', 'C', 10);
  cache.delete('c');
  cache.delete('c');
  expect(cache.bytes).toBe(0);
});
