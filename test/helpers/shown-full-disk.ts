/**
 * Loaded with `--import` into every process of a product: while the file that `TEST_FULL_DISK` names is there, the
 * system says that no byte is free on any disk. Nothing is refused for it: that takes a file system of its own.
 */
import { existsSync } from 'node:fs';
import fileSystem from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const statfs = fileSystem.statfs;
const sign = process.env['TEST_FULL_DISK'] ?? '';
// As if there was room, but for the one figure.
fileSystem.statfs = (async (path: string) => {
  const found = await statfs(path);
  return existsSync(sign) ? Object.assign(found, { bavail: 0 }) : found;
}) as typeof statfs;
syncBuiltinESMExports();
