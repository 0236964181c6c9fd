import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningProcess } from './supervise.ts';

/** The processes of a running installation, kept in `DATA_DIR/processes.json` for `fossick ps`; gone when disposed. */
export function processList(dataDir: string): Disposable & {
  /** Replaces what one part of the supervisor runs. */
  set(part: string, running: readonly RunningProcess[]): void;
} {
  const path = join(dataDir, 'processes.json');
  const parts = new Map<string, readonly RunningProcess[]>();
  const write = () => {
    const rows = [{ name: 'supervisor', pid: process.pid }, ...[...parts.values()].flat()];
    const text = JSON.stringify(rows.map(({ name, pid }) => ({ role: name, pid })));
    writeFileSync(`${path}.tmp`, `${text}\n`, { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
  };
  return {
    set: (part, running) => {
      parts.set(part, running);
      write();
    },
    [Symbol.dispose]: () => rmSync(path, { force: true }),
  };
}
