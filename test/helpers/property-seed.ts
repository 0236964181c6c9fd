import fc from 'fast-check';
import { RUN_SEED } from './run-seed.ts';

/** Runs before each test file: property tests begin at the seed of the run, and print it when they fail. */
fc.configureGlobal({ seed: RUN_SEED });
