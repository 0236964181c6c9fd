import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rm } from 'node:fs/promises';

/**
 * Makes a file that is whole or not there, synced when it resolves; the folder is not. An existing file is never
 * replaced, so a writer that has lost its role cannot harm what its successor has published.
 * @throws when the name is taken (`EEXIST`); nothing is left behind then
 */
export async function writeNewFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
