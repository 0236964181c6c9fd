import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { sharedWriteThread } from './shared-write-thread.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Real SQLite stores in a temporary folder. */
export async function temporaryEngineStores() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const writeThread = stack.use(sharedWriteThread(folder.path));
  const stores = stack.use(openEngineStores({ dataDir: folder.path, writeThread }));
  const owned = stack.move();
  return { dataDir: folder.path, stores, writeThread, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
