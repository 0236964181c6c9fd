import { join } from 'node:path';
import type { StoreTarget } from './write-messages.ts';

/** Where a store lies: `system.db`, `engines/<engineId>/store.db`. */
export function storePath(dataDir: string, target: StoreTarget): string {
  return target.kind === 'system'
    ? join(dataDir, 'system.db')
    : join(dataDir, 'engines', String(target.engineId), 'store.db');
}
