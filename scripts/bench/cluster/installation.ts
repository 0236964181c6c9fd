import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOpenSearch } from '../../../test/helpers/opensearch-server.ts';
import { type PostgresServer, startPostgresServer } from '../../../test/helpers/postgres-server.ts';
import { type RunningProduct, startProcesses } from '../../../test/helpers/processes.ts';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.ts';
import { pushDocuments } from '../../push-documents.ts';
import { childrenCpuMs, cpuMs } from '../process-costs.ts';

/** Customer, engine and crawler of a bench. */
export const CUSTOMER = 1;
export const ENGINE = 1;
export const CRAWLER = 1;
const KEY = 'bench-cluster-key';
const OPERATOR_TOKEN = 'bench-cluster-operator-token';
const DATABASE = 'bench';
const HEADERS = {
  authorization: `Basic ${Buffer.from(`${CUSTOMER}:${KEY}`).toString('base64')}`,
  'content-type': 'application/json',
};

export const TIERS = {
  sqlite: { title: 'SQLite, embedded index', hasPostgres: false, hasOpenSearch: false },
  postgres: { title: 'PostgreSQL, embedded index', hasPostgres: true, hasOpenSearch: false },
  cluster: { title: 'PostgreSQL, OpenSearch', hasPostgres: true, hasOpenSearch: true },
} as const;
export type Tier = keyof typeof TIERS;

export type Installation = AsyncDisposable & {
  readonly product: RunningProduct;
  /** Undefined on SQLite. Waits for the disk, as at an operator's. */
  readonly postgres: PostgresServer | undefined;
  readonly folder: string;
};

/**
 * The product as processes on fresh stores, with one engine and one crawler, which is inactive. Servers are on the same
 * machine and the caller's alone.
 */
export async function startInstallation(
  tier: Tier,
  crawler: object = { seeds: [] },
  changes: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder()).path;
  const { hasPostgres, hasOpenSearch } = TIERS[tier];
  const postgres = hasPostgres ? stack.use(await startPostgresServer({ isDurable: true })) : undefined;
  await postgres?.createDatabase(DATABASE);
  const servers = hasOpenSearch ? stack.use(await startOpenSearch()) : undefined;
  const file = join(folder, 'provision.json');
  await writeFile(file, JSON.stringify(provision(crawler)));
  const roundTrips = roundTripsFolder(folder);
  await mkdir(roundTrips);
  const environment = {
    CONFIG_FILE: file,
    OPERATOR_TOKEN,
    RATE_MANAGEMENT_PER_SECOND: '0',
    RATE_SEARCH_PER_SECOND: '0',
    NODE_OPTIONS: `--import ${new URL('./report-round-trips.ts', import.meta.url).href}`,
    BENCH_ROUND_TRIPS_FOLDER: roundTrips,
    ...(postgres && { DATABASE_URL: postgres.url(DATABASE) }),
    ...(servers && { OPENSEARCH_URL: servers.url, OPENSEARCH_REPLICAS: '0' }),
    ...changes,
  };
  const product = stack.use(await startProcesses({ dataDir: join(folder, 'data'), environment }));
  const owned = stack.move();
  return { product, postgres, folder, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** In which crawl processes write their round trips. */
export function roundTripsFolder(folder: string): string {
  return join(folder, 'round-trips');
}

/** Of all processes of the product, Redis and those that have ended among them. */
export function productCpuMs(product: RunningProduct): number {
  const running = [...product.pids().values()].reduce((sum, pid) => sum + cpuMs(pid), 0);
  return running + childrenCpuMs(product.supervisorPid);
}

/** Takes the crawler over from the provision file and lets it work. */
export async function activateCrawler({ address }: RunningProduct): Promise<void> {
  for (const action of ['release', 'activate']) {
    const response = await fetch(`${address}/admin/v1/crawlers/${CRAWLER}/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    if (!response.ok) throw new Error(`no ${action}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
}

/** Pushes documents in one request. */
export function pushBatch({ address }: RunningProduct, documents: readonly object[]): Promise<void> {
  const target = { address, customerId: CUSTOMER, crawlerId: CRAWLER, key: KEY };
  return pushDocuments(target, documents, { together: documents.length });
}

/** How many documents a query finds, and the id of the first. */
export async function search(
  { address }: RunningProduct,
  query: string,
): Promise<{ readonly total: number; readonly firstId: string | undefined }> {
  const response = await fetch(`${address}/api/v4/${CUSTOMER}/${ENGINE}/search`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ query, perPage: 1 }),
  });
  const body = (await response.json()) as {
    readonly TotalDocument?: number;
    readonly TypedDocuments?: readonly { readonly Id: string }[];
  };
  return { total: body.TotalDocument ?? 0, firstId: body.TypedDocuments?.[0]?.Id };
}

function provision(crawler: object) {
  return {
    version: 1,
    customers: [
      {
        id: CUSTOMER,
        name: 'Bench',
        keys: [{ name: 'bench', value: KEY }],
        engines: [{ id: ENGINE, name: 'Bench', language: 'en' }],
        crawlers: [{ id: CRAWLER, engine: ENGINE, name: 'Bench', active: false, ...crawler }],
      },
    ],
  };
}
