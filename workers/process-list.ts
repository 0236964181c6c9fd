import { closeSync, ftruncateSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningProcess } from './supervise.ts';

/**
 * The processes of a running installation, kept in `DATA_DIR/processes.json` for `fossick ps`; gone when disposed. What
 * runs is known here; the file follows as well as the disk allows, and nothing throws.
 */
export function processList(dataDir: string): Disposable & {
  /** Replaces what one part of the supervisor runs. */
  set(part: string, running: readonly RunningProcess[]): void;
} {
  const path = join(dataDir, 'processes.json');
  const parts = new Map<string, readonly RunningProcess[]>();
  return {
    set: (part, running) => {
      parts.set(part, running);
      const rows = [{ name: 'supervisor', pid: process.pid }, ...[...parts.values()].flat()];
      const text = `${JSON.stringify(rows.map(({ name, pid }) => ({ role: name, pid })))}\n`;
      attempt(() => replace(path, text)) || attempt(() => overwrite(path, text));
    },
    [Symbol.dispose]: () => void attempt(() => rmSync(path, { force: true })),
  };
}

function attempt(write: () => void): boolean {
  try {
    write();
    return true;
  } catch {
    return false;
  }
}

function replace(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** On a full disk a file that is there already still takes a text that fits its last block. */
function overwrite(path: string, text: string): void {
  const file = openSync(path, 'r+');
  try {
    ftruncateSync(file, writeSync(file, text, 0));
  } finally {
    closeSync(file);
  }
}
