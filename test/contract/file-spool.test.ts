import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanFileSpool, createFileSpool, spoolBody } from '../../src/fetch/http/create-file-spool.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

async function* body(text: string) {
  yield Buffer.from(text);
}

test('a body is there under its name until it is dropped', async () => {
  await using folder = await temporaryFolder();
  const spool = createFileSpool({ folder: folder.path, boundBytes: 1_000 });
  const [one, two] = [await spoolBody(folder.path, body('same')), await spoolBody(folder.path, body('same'))];

  await spool.drop(one.name);

  expect(await spool.read(one.name)).toBeUndefined();
  expect(Buffer.from((await spool.read(two.name)) ?? []).toString()).toBe('same');
});

test('what is not there is undefined to read and nothing to drop', async () => {
  const spool = createFileSpool({ folder: '/nonexistent/spool', boundBytes: 1_000 });

  await spool.drop('none');

  expect(await spool.read('none')).toBeUndefined();
  expect(await spool.isFull()).toBe(false);
});

test('it is full from its bound on, whoever filled it', async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await spoolBody(path, body('12345'));
  await spoolBody(path, body('67890'));

  const full = [10, 11].map((boundBytes) => createFileSpool({ folder: path, boundBytes }).isFull());

  expect(await Promise.all(full)).toEqual([true, false]);
});

test('what was not written to for its time is cleaned', async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const kept = await spoolBody(path, body('new'));
  const old = await spoolBody(path, body('old'));
  const before = new Date((await stat(old.path)).mtimeMs - 2_000);
  await utimes(old.path, before, before);

  await cleanFileSpool({ clock: { now: () => Date.now() } }, { folder: path, keptMs: 1_500 });

  expect(await readdir(path)).toEqual([kept.name]);
  await cleanFileSpool({ clock: { now: () => 0 } }, { folder: join(path, 'none'), keptMs: 0 });
});
