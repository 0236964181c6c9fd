import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts the fake model and gives its base URL. */
export async function startModel(): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  const child = fork(join(import.meta.dirname, 'model-process.ts'));
  const [baseUrl] = (await once(child, 'message')) as [string];
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
