import { hostname } from 'node:os';
import { type ProcessRegistry, soleMachine } from '../process-registry.ts';
import { holdProcessLock, isProcessAlive, livingProcesses } from './process-locks.ts';

/** Processes of one data folder, known by the locks of its files: free, and known the moment that one ends. */
export function lockedProcesses(dataDir: string): ProcessRegistry {
  const machine = soleMachine(hostname());
  const unshared = { machine, hasOwnRedis: true, misses: [] };
  return {
    machine,
    enter: async ({ name }) => {
      const lock = await holdProcessLock(dataDir, name);
      return { holder: name, isTrusted: () => true, [Symbol.asyncDispose]: async () => lock[Symbol.dispose]() };
    },
    isAlive: async (holder) => isProcessAlive(dataDir, holder),
    living: async () => livingProcesses(dataDir).map((name) => ({ holder: name, name, ...unshared })),
  };
}
