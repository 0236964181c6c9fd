import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { operatorTokenPath, secretsKeyPath } from '../config/secret-file.ts';
import { AppError } from '../core/errors.ts';
import { createLogger } from '../observability/logger.ts';
import { type MovedStoreReport, type MoveOptions, moveStores } from '../storage/move/move-stores.ts';
import type { MoveSource, MoveTarget } from '../storage/move/store-tables.ts';
import { openFilesSource } from '../storage/sqlite/move/files-source.ts';
import { openFilesTarget } from '../storage/sqlite/move/files-target.ts';

/** `files`, or the URL of a database. */
export type MoveOrder = { readonly config: Config; readonly to: string } & MoveOptions;

export type MoveResult = {
  readonly stores: readonly MovedStoreReport[];
  /** What the operator does next, sentence by sentence. */
  readonly next: readonly string[];
};

const FILES = 'files';

/**
 * Copies the installation of a configuration, on which nothing runs, from the files of `DATA_DIR` to a database, or from
 * `DATABASE_URL` to the files of `DATA_DIR`. What it was moved from stays as it is.
 *
 * @throws AppError `request.invalid` when the two are the same, and as `moveStores` and the openers of both sides
 */
export async function moveInstallation({ config, to, ...options }: MoveOrder): Promise<MoveResult> {
  const dataDir = resolve(config.DATA_DIR);
  await using stack = new AsyncDisposableStack();
  const [source, target] = to === FILES ? await toFiles(stack, config, dataDir) : await toDatabase(stack, config, to);
  const stores = await moveStores(source, target, options);
  return { stores, next: to === FILES ? afterFiles(config, dataDir) : afterDatabase(dataDir) };
}

async function toFiles(
  stack: AsyncDisposableStack,
  { DATABASE_URL: url }: Config,
  dataDir: string,
): Promise<readonly [MoveSource, MoveTarget]> {
  if (url === undefined) {
    throw new AppError(
      'request.invalid',
      'The stores are files already: set DATABASE_URL to the database that holds them',
    );
  }
  // Loaded for this tier alone.
  const { openDatabaseSource } = await import('../storage/postgres/move/database-source.ts');
  const target = stack.use(await openFilesTarget(dataDir));
  return [stack.use(await openDatabaseSource({ url, log: silentLog() })), target];
}

async function toDatabase(
  stack: AsyncDisposableStack,
  { DATA_DIR, DATABASE_URL: present }: Config,
  url: string,
): Promise<readonly [MoveSource, MoveTarget]> {
  if (present !== undefined) {
    const message =
      'The stores are in PostgreSQL already (DATABASE_URL): unset it when those of DATA_DIR are meant; from one database to another pg_dump and pg_restore move them';
    throw new AppError('request.invalid', message);
  }
  const { openDatabaseTarget } = await import('../storage/postgres/move/database-target.ts');
  const source = stack.use(openFilesSource(resolve(DATA_DIR)));
  return [source, stack.use(await openDatabaseTarget({ url, log: silentLog() }))];
}

/** What goes wrong is told by the command. */
function silentLog() {
  return createLogger({ level: 'silent', name: 'move' });
}

function afterDatabase(dataDir: string): readonly string[] {
  return [
    `Set DATABASE_URL to that database, and start the product with the same DATA_DIR (${dataDir}): its secrets, packages and indexes stay there, and belong to the stores as before`,
    'system.db and engines/*/store.db of it are as they were, and are not used any more: remove them when you do not want to go back',
  ];
}

function afterFiles({ OPERATOR_TOKEN, SECRETS_KEY }: Config, dataDir: string): readonly string[] {
  const missing = [
    ...(OPERATOR_TOKEN === undefined && !existsSync(operatorTokenPath(dataDir)) ? ['operator-token'] : []),
    ...(SECRETS_KEY === undefined && !existsSync(secretsKeyPath(dataDir)) ? ['secrets-key'] : []),
  ];
  const copy = `Copy ${missing.join(' and ')} from the DATA_DIR that the product ran with: without secrets-key passwords of crawlers must be set again`;
  return [
    ...(missing.length > 0 ? [copy] : []),
    `Unset DATABASE_URL, and start the product with DATA_DIR=${dataDir}`,
    'The database is as it was, and is not used any more: drop it when you do not want to go back',
  ];
}
