import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEADLINE_MS = 60_000;

/** What a module writes to its output, run by a Node of its own. @throws Error with what it wrote when it fails */
export async function runScript(code: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, ...environment },
    timeout: DEADLINE_MS,
  });
  return stdout;
}
