import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const CHILD = join(import.meta.dirname, '../../helpers/renderer-child.ts');

test('the pool of browsers opens no port, takes no signal, stores nothing and hides nothing', async () => {
  await using folder = await temporaryFolder();
  const child = fork(CHILD, [], { cwd: folder.path });
  using _end = { [Symbol.dispose]: () => child.kill('SIGKILL') };
  const [told] = await once(child, 'message');

  expect(told.before.crawlee).toBe(false);
  expect(told.after).toEqual({ ...told.before, crawlee: true });
  expect(told.emitsAsBefore).toBe(true);
  expect(told.loadsGotScraping).toBe(false);
  expect(told.userAgent).toBe('FossickBot/0');
  expect(told.shown).toContain('FossickBot/0 true');
  expect(told.files).toEqual([]);

  // What the process has begun ends before it does.
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(readdirSync(folder.path)).toEqual([]);
});
