import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const TEMPLATE = join(import.meta.dirname, '../../web/search/index.html');

/** The search page as it is before its build, an admin page, an asset of each, and a sample site. */
export async function webFolders() {
  const folder = await temporaryFolder();
  const write = async (path: string, text: string) => {
    await mkdir(join(folder.path, path, '..'), { recursive: true });
    await writeFile(join(folder.path, path), text);
  };
  await write('dist/search/index.html', await readFile(TEMPLATE, 'utf8'));
  await write('dist/assets/page.js', 'start();');
  await write('dist/admin/index.html', '<!doctype html><title>Admin</title>');
  await write('dist/admin/assets/page.js', 'start();');
  await write('dist/client.js', 'export const search = 1;');
  await write('sample/index.html', '<h1>Sample</h1>');
  await write('secret.txt', 'secret');
  return Object.assign(folder, { webFolder: join(folder.path, 'dist'), sampleFolder: join(folder.path, 'sample') });
}
