import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Threads and processes that tests start load the product's sources from here: the contract tier takes half the CPU.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compile');

/** Contracts of the port `storage`, which each of its adapters fulfils. */
const STORE_CONTRACTS = [
  'test/contract/!(rate)-store.test.ts',
  'test/contract/{audit-log,frontier-stages,process-registry,recrawl-plan,robots-lease,run-control,store-identity}.test.ts',
  'test/contract/{url-browser,url-look-up}.test.ts',
];

/**
 * Many tests wait for processes, leases and browsers: one more at once than there are cores on a small machine. A fourth
 * was not shown to help: it wins less than a tenth.
 */
const WORKERS = Math.max(3, availableParallelism());

/**
 * One project per test tier (CONTRIBUTING.md); `npm test -- --project <tier>` runs one of them. The files of a tier
 * share the modules that a worker has loaded, which is a third of the time of short files; those hold caches at most,
 * and what a test changes of its process it puts back. Files with whole products or browsers get a worker of their own.
 * Where processes and browsers are real, a test has a second and a third try: minutes beside other workers hold them up
 * for seconds now and then.
 */
const tier = (name: string, testTimeout: number, isolate = false) => ({
  test: {
    name,
    isolate,
    // Only tiers without a worker per file have property tests.
    setupFiles: isolate ? [] : ['test/helpers/property-seed.ts'],
    maxWorkers: WORKERS,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    retry: isolate || name === 'contract' || name === 'integration' ? 2 : 0,
    hookTimeout: 180_000,
    // A second, which is what it is if not said, is short for a page beside three other workers.
    expect: { poll: { timeout: 10_000 } },
    environment: 'node' as const,
  },
});

/** Files of the tier `spec` that hold the acceptance cases of the contract. */
const ACCEPTANCE =
  'test/spec/{answers,applied-tools,autocomplete,documents,feedback,general,model-answers,public-settings,query-words,queue-urls,search,search-filters,search-html,search-tools,statistics,summaries,tracking}.test.ts';

/** Every contract of the stores once more, on a PostgreSQL of the run's own: `npm run test:cluster`. */
const cluster = {
  test: {
    ...tier('contract', 240_000).test,
    name: 'cluster',
    include: [...STORE_CONTRACTS, 'test/cluster/**/*.test.ts'],
    globalSetup: ['test/helpers/postgres-for-tests.ts'],
    env: { TEST_STORES: 'postgresql' },
  },
};

/** The acceptance cases once more, with stores on PostgreSQL and the index on OpenSearch. */
const clusterSpec = {
  test: {
    ...tier('spec', 240_000).test,
    name: 'cluster-spec',
    // A node that has just started takes seconds for its first searches.
    retry: 2,
    include: [ACCEPTANCE, 'test/spec/client/*.test.ts'],
    setupFiles: ['test/helpers/property-seed.ts', 'test/helpers/acceptance-cases.ts'],
    globalSetup: ['test/helpers/postgres-for-tests.ts', 'test/helpers/opensearch-for-tests.ts'],
    env: { TEST_STORES: 'postgresql', TEST_INDEX: 'opensearch' },
  },
};

export default defineConfig({
  test: {
    projects: [
      tier('unit', 30_000),
      tier('contract', 30_000),
      tier('spec', 30_000),
      tier('integration', 60_000),
      tier('golden', 120_000),
      tier('web', 240_000, true),
      tier('e2e', 240_000, true),
      ...(process.env['CLUSTER_TESTS'] === undefined ? [] : [cluster, clusterSpec]),
      // Real models lie where `scripts/fetch-models.ts` has brought them: `npm run test:models` runs these alone.
      ...(process.env['MODELS_FOLDER'] === undefined ? [] : [tier('models', 120_000)]),
      // Loads take minutes and a machine of their own: `npm run scorecard` runs them.
      ...(process.env['SCORECARD'] === 'full' ? [tier('load', 900_000, true)] : []),
    ],
  },
});
