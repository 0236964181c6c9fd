import type { SystemStore } from '../../src/storage/system-store.ts';
import { storeAdapter } from './store-adapter.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type OpenSystem = AsyncDisposable & { readonly store: SystemStore; readonly dataDir: string };

/** A real system store, of the given folder or of one of its own. */
export async function openSystem(dataDir?: string): Promise<OpenSystem> {
  const stack = new AsyncDisposableStack();
  const folder = dataDir ?? stack.use(await temporaryFolder()).path;
  if (dataDir === undefined) stack.defer(() => storeAdapter.remove(folder));
  const store = stack.use(await storeAdapter.openSystem(folder));
  return { store, dataDir: folder, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
