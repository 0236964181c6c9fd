import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Threads and processes that tests start load the product's sources from here: the contract tier takes half the CPU.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compile');

/** One project per test tier (CONTRIBUTING.md); `npm test -- --project <tier>` runs one of them. */
const tier = (name: string, testTimeout: number, more: { maxWorkers?: number; groupOrder?: number } = {}) => ({
  test: {
    name,
    maxWorkers: more.maxWorkers ?? 2,
    sequence: { groupOrder: more.groupOrder ?? 0 },
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: 60_000,
    environment: 'node' as const,
  },
});

export default defineConfig({
  test: {
    projects: [
      tier('unit', 30_000),
      tier('contract', 30_000),
      tier('spec', 30_000),
      tier('integration', 60_000),
      tier('golden', 120_000),
      tier('web', 120_000),
      // Whole products that mostly wait for leases and restarts: more of them at once than there are cores.
      tier('e2e', 240_000, { maxWorkers: 4, groupOrder: 1 }),
    ],
  },
});
