import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../core/errors.ts';

const SECRET_BYTES = 32;

/** Where the operator token of an installation lies unless `OPERATOR_TOKEN` is set. */
export function operatorTokenPath(dataDir: string): string {
  return join(dataDir, 'operator-token');
}

/** Where the key of crawler secrets lies unless `SECRETS_KEY` is set. */
export function secretsKeyPath(dataDir: string): string {
  return join(dataDir, 'secrets-key');
}

/** Where the name of a data folder lies, by which the machines of one database tell theirs apart. */
export function machineIdPath(dataDir: string): string {
  return join(dataDir, 'machine-id');
}

/** Where the link of the first operator lies until it is taken. */
export function firstLinkPath(dataDir: string): string {
  return join(dataDir, 'first-operator-link');
}

/** The secret of the file, undefined when there is none. @throws AppError `internal` when the file is empty */
export async function readSecretFile(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text?.trim() === '') throw new AppError('internal', 'A secret file in the data folder is empty: remove it');
  return text?.trim();
}

/** Writes a secret, mode 600, in place of the one before: whole, or not at all. */
export async function replaceSecretFile(path: string, secret: string): Promise<void> {
  const draft = draftOf(path);
  try {
    await writeFile(draft, `${secret}\n`, { mode: 0o600, flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * The secret of the file, made at the first call: 256 random bits, mode 600. Processes that start together get the
 * same one, and a crash leaves the whole file or none.
 */
export async function keepSecretFile(path: string): Promise<string> {
  const known = await readSecretFile(path);
  if (known !== undefined) return known;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const made = randomBytes(SECRET_BYTES).toString('base64url');
  const draft = draftOf(path);
  await writeFile(draft, `${made}\n`, { mode: 0o600, flush: true });
  // A hard link is made whole or, when another process was first, not at all.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readSecretFile(path)) ?? made;
}

function draftOf(path: string): string {
  return `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
}
