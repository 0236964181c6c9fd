import { openSystemStore } from '../../src/storage/sqlite/open-system-store.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { sharedWriteThread } from './shared-write-thread.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type OpenSystem = AsyncDisposable & { readonly store: SystemStore; readonly dataDir: string };

/** A system store on real SQLite, in the given folder or in one of its own. */
export async function openSystem(dataDir?: string): Promise<OpenSystem> {
  const stack = new AsyncDisposableStack();
  const folder = dataDir ?? stack.use(await temporaryFolder()).path;
  const writeThread = stack.use(sharedWriteThread(folder));
  const store = stack.use(await openSystemStore({ dataDir: folder, writeThread }));
  return { store, dataDir: folder, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
