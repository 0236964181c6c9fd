import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** Installs the engines that are compared into the benchmark's own folder, on first use. */
export function installPeers(): void {
  if (existsSync(`${FOLDER}node_modules`)) return;
  console.error('bench: installing the engines to compare with (scripts/bench/package.json)');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error('The engines to compare with cannot be installed: see the output above');
}

/** A module of the benchmark's own packages; the caller states the part of its interface that it uses. */
export async function importPeer<T>(name: string): Promise<T> {
  const file = createRequire(`${FOLDER}package.json`).resolve(name);
  return (await import(pathToFileURL(file).href)) as T;
}
