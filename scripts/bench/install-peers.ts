import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = fileURLToPath(new URL('./peers/', import.meta.url));

/**
 * Installs the packages that are compared with, when one is missing. Their folder is their own: beside the benchmarks
 * they would take the place of the product's versions.
 */
export function installPeers(): void {
  const { dependencies } = JSON.parse(readFileSync(`${FOLDER}package.json`, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  if (Object.keys(dependencies).every((name) => existsSync(`${FOLDER}node_modules/${name}`))) return;
  console.error('bench: installing the packages to compare with (scripts/bench/peers/package.json)');
  // Not `ci`: a registry need not carry the binaries for other platforms, which are optional.
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-save'], {
    cwd: FOLDER,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The packages to compare with cannot be installed: see the output above');
}

/** A module of the benchmark's own packages; the caller states the part of its interface that it uses. */
export async function importPeer<T>(name: string): Promise<T> {
  const file = createRequire(`${FOLDER}package.json`).resolve(name);
  return (await import(pathToFileURL(file).href)) as T;
}
