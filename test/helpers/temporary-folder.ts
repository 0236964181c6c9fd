import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own, removed when it is disposed. */
export async function temporaryFolder(parent = tmpdir()): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(parent, 'fossick-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
