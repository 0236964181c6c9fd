import { AppError } from '../core/errors.ts';
import type { Config } from './config.ts';

/** What to do with stores that are no files. */
const STORES_IN_DATABASE =
  'The stores are in PostgreSQL (DATABASE_URL), not in DATA_DIR: use pg_dump, pg_restore and pg_amcheck';

/** The data folder, of stores that are files in it. @throws AppError `feature.disabled` when they are in a database */
export function storeFolderOf({ DATA_DIR, DATABASE_URL: url }: Config): string {
  if (url !== undefined) throw new AppError('feature.disabled', STORES_IN_DATABASE);
  return DATA_DIR;
}
