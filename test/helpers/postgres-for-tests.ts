import type { TestProject } from 'vitest/node';
import { openPostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import { startPostgresServer } from './postgres-server.ts';
import { silentLog } from './silent-log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a server for the tests of this run; the path is to be replaced by that of a database. */
    postgresUrl: string;
  }
}

/** A database in which the system store is there already, to make others of. */
export const TEMPLATE = 'fossick_template';

/** Global set-up of the project `cluster`: one server for all its files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer();
  await server.createDatabase(TEMPLATE);
  const options = { url: server.url(TEMPLATE), connections: 2, dataDir: '', log: silentLog };
  await (await openPostgresStores(options))[Symbol.asyncDispose]();
  project.provide('postgresUrl', server.url('postgres'));
  return async () => await server[Symbol.asyncDispose]();
}
