import type { ProcessRegistry } from '../process-registry.ts';
import { holdProcessLock, isProcessAlive, livingProcesses } from './process-locks.ts';

/** Processes of one data folder, known by the locks of its files: free, and known the moment that one ends. */
export function lockedProcesses(dataDir: string): ProcessRegistry {
  const unshared = { machine: undefined, hasOwnRedis: true, misses: [] };
  return {
    machine: undefined,
    enter: async ({ name }) => {
      const lock = await holdProcessLock(dataDir, name);
      return { holder: name, isTrusted: () => true, [Symbol.asyncDispose]: async () => lock[Symbol.dispose]() };
    },
    isAlive: async (holder) => isProcessAlive(dataDir, holder),
    living: async () => livingProcesses(dataDir).map((name) => ({ holder: name, name, ...unshared })),
  };
}
