import { AppError } from '../core/errors.ts';
import type { EngineStore, EngineStores } from './engine-store.ts';

/**
 * Whether a store cannot be used at all: it is damaged, or a newer program's. That is told once, when it is found, and
 * stays until an operator mends it: work over all engines goes on with the next one.
 */
export function isStoreFault(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'storage.damaged' || error.code === 'storage.version-mismatch');
}

/** The store of an engine; undefined when it cannot be used. */
export async function usableStore(
  engineStores: Pick<EngineStores, 'of'>,
  engineId: number,
): Promise<EngineStore | undefined> {
  try {
    return await engineStores.of(engineId);
  } catch (error) {
    if (isStoreFault(error)) return undefined;
    throw error;
  }
}
