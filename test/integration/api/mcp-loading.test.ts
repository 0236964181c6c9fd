import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Imports a file in a process of its own, which tells whether the SDK came with it. */
async function loadsSdk(file: string): Promise<boolean> {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ load(url, context, next) { loaded.add(url); return next(url, context); } });
    await import('${ROOT}/${file}');
    console.log([...loaded].some((url) => url.includes('/@modelcontextprotocol/')));
    process.exit(0);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
  });
  return stdout === 'true\n';
}

test('an api and a command line load the SDK of the protocol with the first message only', async () => {
  expect(await loadsSdk('src/compose/api.ts')).toBe(false);
  expect(await loadsSdk('src/cli/main.ts')).toBe(false);
  expect(await loadsSdk('src/api/mcp/serve-message.ts')).toBe(true);
});
