/** A variable of the environment by name, for values that a provision file names (`fromEnv`); `''` counts as unset. */
export function environmentVariable(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

/** Where the system looks for programs. */
export function searchPath(): string {
  return environmentVariable('PATH') ?? '';
}
