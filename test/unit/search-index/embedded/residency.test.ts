import { expect, test } from 'vitest';
import { createResidency, type ResidentEngine } from '../../../../src/search-index/embedded/read/residency.ts';

const NOW = 1_000_000;

type Parts = { head: number; columns: number; positions: number };

/** An engine of known sizes that writes down what it lets go of. */
function engine(engineId: number, usedAt: number, parts: Parts, log: string[], isBusy = false): ResidentEngine {
  const drop = (part: keyof Parts) => {
    if (parts[part] > 0) log.push(`${part} of ${engineId}`);
    parts[part] = 0;
  };
  return {
    engineId,
    bytes: () => parts.head + parts.columns + parts.positions,
    isBusy: () => isBusy,
    usedAt: () => usedAt,
    dropColumns: (unusedSince) => (usedAt < unusedSince ? drop('columns') : undefined),
    dropPositions: () => drop('positions'),
    unload: () => (['columns', 'positions', 'head'] as const).forEach(drop),
  };
}

/** Three engines of 100 bytes each: used two minutes ago, 20 seconds ago and now. */
function threeEngines(budget: number, busy: readonly number[] = []) {
  const log: string[] = [];
  const residency = createResidency(budget, { now: () => NOW });
  for (const [i, age] of [120_000, 20_000, 0].entries()) {
    const parts = { head: 60, columns: 20, positions: 20 };
    residency.add(engine(i + 1, NOW - age, parts, log, busy.includes(i + 1)));
  }
  return { log, residency };
}

test.each<[what: string, bytes: number, dropped: string[]]>([
  ['nothing while there is room', 100, []],
  ['columns unused for a minute first', 120, ['columns of 1']],
  ['then positions, of the engine used longest ago first', 150, ['columns of 1', 'positions of 1', 'positions of 2']],
  [
    'then engines idle for 10 s',
    200,
    ['columns of 1', 'positions of 1', 'positions of 2', 'positions of 3', 'head of 1'],
  ],
  [
    'at last any other',
    390,
    [
      ...['columns of 1', 'positions of 1', 'positions of 2', 'positions of 3', 'head of 1'],
      ...['columns of 2', 'head of 2', 'columns of 3', 'head of 3'],
    ],
  ],
])('drops %s', (_what, bytes, dropped) => {
  const { log, residency } = threeEngines(400);
  using _room = residency.reserve(bytes);
  expect(log).toEqual(dropped);
  expect(residency.usedBytes()).toBeLessThanOrEqual(400);
});

test('a busy engine loses only columns that nobody has used for a minute', () => {
  const { log, residency } = threeEngines(300, [1, 2, 3]);
  using _room = residency.reserve(300);
  expect(log).toEqual(['columns of 1']);
});

test('reserved bytes count until they are given back', () => {
  const { residency } = threeEngines(1_000);
  {
    using _room = residency.reserve(50);
    expect(residency.usedBytes()).toBe(350);
  }
  expect(residency.usedBytes()).toBe(300);
  residency.remove(2);
  expect(residency.usedBytes()).toBe(200);
});
