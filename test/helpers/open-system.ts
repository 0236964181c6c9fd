import { openSystemStore } from '../../src/storage/sql/system-store.ts';
import { startWriteThread } from '../../src/storage/sql/write-thread.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type OpenSystem = AsyncDisposable & { readonly store: SystemStore; readonly dataDir: string };

/** A system store on real SQLite, in the given folder or in one of its own. */
export async function openSystem(dataDir?: string): Promise<OpenSystem> {
  const stack = new AsyncDisposableStack();
  const folder = dataDir ?? stack.use(await temporaryFolder()).path;
  const writeThread = stack.use(startWriteThread(folder));
  const store = stack.use(await openSystemStore({ dataDir: folder, writeThread }));
  return { store, dataDir: folder, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
