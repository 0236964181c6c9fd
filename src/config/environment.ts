import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';

/**
 * Gives the process the variables of the file `.env` in the folder that its environment has not: also an empty
 * variable of the environment wins. Without the file nothing changes.
 */
export function loadEnvironmentFile(folder: string): void {
  const path = join(folder, '.env');
  if (existsSync(path)) loadEnvFile(path);
}

/** A variable of the environment by name, for values that a provision file names (`fromEnv`); `''` counts as unset. */
export function environmentVariable(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

/** Where the system looks for programs. */
export function searchPath(): string {
  return environmentVariable('PATH') ?? '';
}
