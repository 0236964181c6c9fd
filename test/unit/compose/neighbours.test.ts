import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNeighbours } from '../../../src/compose/neighbours.ts';
import type { SupervisorMessage } from '../../../src/compose/role.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const state = (probeSeconds?: number): SupervisorMessage => ({
  type: 'children',
  children: [],
  redisFoldersSetAside: 2,
  probeSeconds,
});

test('the longest probe of the last 15 s is told', () => {
  const neighbours = createNeighbours();
  expect(neighbours.probeSeconds()).toBeUndefined();

  neighbours.hear(state(0.5));
  vi.advanceTimersByTime(10_000);
  neighbours.hear(state(0.2));
  neighbours.hear(state());

  expect(neighbours.probeSeconds()).toBe(0.5);
  vi.advanceTimersByTime(10_000);
  expect(neighbours.probeSeconds()).toBe(0.2);
  vi.advanceTimersByTime(10_000);
  expect(neighbours.probeSeconds()).toBeUndefined();
});

test('figures of a process are told until it has been silent for 20 s', () => {
  const neighbours = createNeighbours();
  neighbours.hear({ type: 'metrics', process: 'crawl-1', families: [] });
  vi.advanceTimersByTime(19_000);
  neighbours.hear({ type: 'metrics', process: 'upkeep', families: [] });

  expect([...neighbours.families().keys()]).toEqual(['crawl-1', 'upkeep']);
  vi.advanceTimersByTime(2_000);
  expect([...neighbours.families().keys()]).toEqual(['upkeep']);
});
