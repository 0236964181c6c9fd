import type { Log } from '../../observability/logger.ts';
import { type LivingProcess, soleMachine } from '../process-registry.ts';
import { readMeta } from '../sql/meta.ts';
import { type AccountStore, accountStore } from '../system/accounts.ts';
import { openConnections } from './connections.ts';
import { processRows } from './process-rows.ts';
import { holdsStores, requireServer, SYSTEM_STORE } from './schemas.ts';
import { readStore } from './transactions.ts';

/** What the stores of an installation say, read without opening them. */
export type ExaminedStores = {
  readonly crawlers: Awaited<ReturnType<AccountStore['listCrawlers']>>;
  /** Processes of all machines that live. */
  readonly living: readonly LivingProcess[];
  /** The value of `meta` under the name that was asked for. */
  readonly remembered: string | undefined;
};

/**
 * Looks at a database and changes nothing; undefined stands for one that holds no stores yet.
 * @throws AppError as `openPostgresStores`
 */
export async function examineDatabase({
  url,
  log,
  name,
}: {
  readonly url: string;
  readonly log: Log;
  readonly name: string;
}): Promise<ExaminedStores | undefined> {
  await using connections = await openConnections({ url, max: 1, log });
  await requireServer(connections);
  if (!(await connections.use(holdsStores))) return undefined;
  const read = <Result>(operation: Parameters<typeof readStore<Result>>[2]) =>
    connections.use((session) => readStore(session, { schema: SYSTEM_STORE }, operation));
  const registry = { connections, machine: soleMachine(''), locks: undefined, projection: '', log };
  const { living } = processRows({ ...registry, monotonicMs: () => performance.now() });
  return {
    crawlers: await read(accountStore.reads.listCrawlers()),
    living: await living(),
    remembered: await read(readMeta(name)),
  };
}
