import { join } from 'node:path';

/** Where the index of an engine lies, beside its store. */
export function indexFolder(dataDir: string, engineId: number): string {
  return join(dataDir, 'engines', String(engineId), 'index');
}
