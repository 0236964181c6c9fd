import { storeAdapter } from './store-adapter.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Real stores of engines, of a temporary folder. */
export async function temporaryEngineStores() {
  await using stack = new AsyncDisposableStack();
  const dataDir = stack.use(await temporaryFolder()).path;
  stack.defer(() => storeAdapter.remove(dataDir));
  const stores = stack.use(await storeAdapter.openEngines(dataDir));
  const owned = stack.move();
  return { dataDir, stores, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
