import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const RUN = pathToFileURL(join(import.meta.dirname, '../../../workers/run.ts')).href;

test('a role shows that it lives while it starts, however long that takes', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'role.mjs');
  await writeFile(file, `import { runRole } from '${RUN}';\nawait runRole('slow', () => new Promise(() => {}));\n`);
  const child = fork(file, {
    cwd: folder.path,
    env: { PATH: process.env['PATH'], DATA_DIR: folder.path },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  using _ended = { [Symbol.dispose]: () => void child.kill('SIGKILL') };

  expect(await once(child, 'message')).toMatchObject([{ type: 'heartbeat' }, undefined]);
});
