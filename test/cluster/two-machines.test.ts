import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { type PostgresServer, startPostgresServer } from '../helpers/postgres-server.ts';
import { type RunningProduct, runProcesses, startProcesses } from '../helpers/processes.ts';
import { type RedisServer, startRedisServer } from '../helpers/redis-server.ts';
import { type SiteServer, startSiteServer } from '../helpers/site-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** `MACHINES_TEST=full` for the long form. */
const IS_FULL = process.env['MACHINES_TEST'] === 'full';
const PAGES = IS_FULL ? 5_000 : 300;
const TIMEOUT_MS = IS_FULL ? 3_600_000 : 480_000;
const KEY = 'two-machines-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
const SECRETS_KEY = 'the key of both machines, which is long enough';
const OPERATOR_TOKEN = 'the-operator-of-both-machines';
const CRAWLED = 1;
const PUSHED = 2;
/** What a kill of a process may have had under way, and fetches again. */
const REFETCHED = 20;

/** A machine whose clock is five minutes behind. */
const SLOW_CLOCK = {
  NODE_OPTIONS: `--import ${new URL('../helpers/shifted-clock.ts', import.meta.url).href}`,
  TEST_CLOCK_AHEAD_MS: '-300000',
};

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgresServer({ isDurable: true });
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** Pages that link to two others each, a tree with page 0 as its root, as long as they are below `pages`. */
function startTree(pages: number): Promise<SiteServer> {
  return startSiteServer({
    '*': (request, response) => {
      const page = Number(/^\/page-(\d+)$/.exec(request.url ?? '')?.[1]);
      if (!(page < pages)) {
        response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
        return;
      }
      const links = [2 * page + 1, 2 * page + 2]
        .filter((next) => next < pages)
        .map((next) => `<a href="/page-${next}">To ${next}</a>`);
      const text = `Number ${page} of the pages of a tree, whose words are its own: ${(page * 7_919).toString(36)}.`;
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><title>Page ${page}</title><main><h1>Page ${page}</h1><p>${text}</p>${links.join(' ')}</main>`,
        );
    },
  });
}

const provision = (seeds: readonly string[]) => ({
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Two machines',
      keys: [{ name: 'test', value: KEY }],
      engines: [
        { id: CRAWLED, name: 'Crawled', language: 'en' },
        { id: PUSHED, name: 'Pushed', language: 'en' },
      ],
      crawlers: [
        { id: CRAWLED, engine: CRAWLED, name: 'Site', active: seeds.length > 0, seeds },
        { id: PUSHED, engine: PUSHED, name: 'Push', active: false, seeds: [] },
      ],
    },
  ],
});

type Machine = { readonly dataDir: string; readonly product: RunningProduct };
let databases = 0;

/** What machines of one installation have in common, and how one is started. */
async function openInstallation(seeds: readonly string[] = []) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  databases++;
  const database = `installation_${databases}`;
  await postgres.createDatabase(database);
  const redis = stack.use(await startRedisServer());
  const file = join(folder.path, 'provision.json');
  await writeFile(file, JSON.stringify(provision(seeds)));
  const shared = {
    CONFIG_FILE: file,
    DATABASE_URL: postgres.url(database),
    REDIS_URL: redis.url,
    SECRETS_KEY,
    OPERATOR_TOKEN,
    RATE_MANAGEMENT_PER_SECOND: '0',
    RATE_SEARCH_PER_SECOND: '0',
    CRAWL_HOST_DELAY_MS: '0',
  };
  const folderOf = (name: string) => join(folder.path, name);
  const environmentOf = (host: string, changes: Readonly<Record<string, string>> = {}) => ({
    ...shared,
    HOST: host,
    ...changes,
  });
  const owned = stack.move();
  return {
    redis,
    folderOf,
    environmentOf,
    start: async (name: string, host: string, changes?: Readonly<Record<string, string>>): Promise<Machine> => {
      const dataDir = folderOf(name);
      const product = owned.use(await startProcesses({ dataDir, environment: environmentOf(host, changes) }));
      return { dataDir, product };
    },
    count: async (text: string) => Number(Object.values((await postgres.query(database, text))[0] ?? {})[0]),
    holderOf: async (lease: string) =>
      String(
        (await postgres.query(database, `SELECT holder FROM fossick_system.leases WHERE name = '${lease}'`))[0]?.[
          'holder'
        ],
      ),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
type Installation = Awaited<ReturnType<typeof openInstallation>>;

async function put({ product }: Machine, ids: readonly string[]): Promise<number> {
  const response = await fetch(`${product.address}/api/v4/1/index/${PUSHED}/documents?echo=false`, {
    method: 'PUT',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify(ids.map((id) => ({ id, fields: { Title: `Document ${id}`, Content: `Text of ${id}` } }))),
  });
  await response.arrayBuffer();
  return response.status;
}

async function found({ product }: Machine, engineId: number, query = '*'): Promise<number> {
  const response = await fetch(`${product.address}/api/v4/1/${engineId}/search`, {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify({ query, perPage: 1 }),
  });
  return ((await response.json()) as { TotalDocument?: number }).TotalDocument ?? 0;
}

/** Ends all processes of a machine at once, as the end of its power supply would. */
function killMachine({ product }: Machine): void {
  const pids = [...product.pids().values()];
  for (const pid of [product.supervisorPid, ...pids]) process.kill(pid, 'SIGKILL');
}

async function isOf({ dataDir }: Machine, holder: string): Promise<boolean> {
  const id = await readFile(join(dataDir, 'machine-id'), 'utf8');
  return id.startsWith(holder.slice(holder.indexOf('@') + 1));
}

/** What the stores say of the crawled pages: documents, visits that added one, pages added more than once. */
async function pagesRecorded({ count }: Installation) {
  const schema = `fossick_engine_${CRAWLED}`;
  const added = `SELECT url_id, count(*) AS times FROM ${schema}.visits WHERE outcome = 0 GROUP BY url_id`;
  return {
    documents: await count(`SELECT count(*) FROM ${schema}.documents WHERE deleted = 0`),
    added: await count(`SELECT count(*) FROM (${added}) visited`),
    twice: await count(`SELECT count(*) FROM (${added}) visited WHERE times > 1`),
  };
}

test('what is pushed to one machine is found on the other, and both are seen', { timeout: TIMEOUT_MS }, async () => {
  await using installation = await openInstallation();
  const [a, b] = await Promise.all([installation.start('a', '127.0.0.1'), installation.start('b', '127.0.0.2')]);

  expect(await put(a, ['lumo'])).toBe(200);
  await eventually(async () => (await found(b, PUSHED, 'lumo')) === 1, 30_000);
  expect(await put(b, ['zephyr'])).toBe(200);
  await eventually(async () => (await found(a, PUSHED, 'zephyr')) === 1, 30_000);
  expect(await found(a, PUSHED)).toBe(2);

  const shown = await runCli(['status', '--url', b.product.address, '--token', OPERATOR_TOKEN]);
  expect(shown.out).toMatch(/tier\s+shared store/);
  expect(shown.out).toMatch(
    /machines\s+\S+ \(api\.\d+, crawl-1\.\d+(?:, crawl-[\d.]+)*, upkeep\.\d+\); \S+ \(api\.\d+, crawl-1\.\d+/,
  );

  const lonely = await runProcesses({
    dataDir: installation.folderOf('lonely'),
    environment: installation.environmentOf('127.0.0.3', { REDIS_URL: '' }),
  });
  expect(lonely.stderr).toMatch(/REDIS_URL is not set, and \S+ runs on the same DATABASE_URL: set REDIS_URL to one/);
  const stranger = await runProcesses({
    dataDir: installation.folderOf('stranger'),
    environment: installation.environmentOf('127.0.0.3', { SECRETS_KEY: 'another key than that of both machines' }),
  });
  expect(stranger.stderr).toContain('SECRETS_KEY is not the key of the installation in DATABASE_URL: set it as on');
  expect([lonely.code, stranger.code]).toEqual([1, 1]);
});

test('a machine that ends in the middle of a crawl loses nothing, and the other goes on, its clock five minutes behind', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using site = await startTree(PAGES);
  await using installation = await openInstallation([`${site.origin}/page-0`]);
  const a = await installation.start('a', '127.0.0.1');
  const b = await installation.start('b', '127.0.0.2', SLOW_CLOCK);
  await eventually(() => site.requests.length >= PAGES / 3, TIMEOUT_MS);
  const scheduler = await installation.holderOf('scheduler');
  const [ended, left] = (await isOf(a, scheduler)) ? [a, b] : [b, a];
  killMachine(ended);
  await eventually(async () => (await found(left, CRAWLED)) === PAGES, TIMEOUT_MS);

  // The crawl may be over before the role has gone over.
  await eventually(async () => isOf(left, await installation.holderOf('scheduler')), 60_000);
  expect(await pagesRecorded(installation)).toEqual({ documents: PAGES, added: PAGES, twice: 0 });
  const fetches = site.requests.length;
  process.stdout.write(`machine ended in a crawl: ${fetches} fetches for ${PAGES} pages\n`);
  expect(fetches).toBeLessThanOrEqual(PAGES * 1.05 + 3 * REFETCHED);
});

/** What is killed while a crawl goes on, again and again. */
const VICTIMS = ['api', 'upkeep', 'crawl-1', 'postgres', 'redis'] as const;
const ROUNDS = IS_FULL ? 4 : 1;
/** Kills of servers also break off what others have under way. */
const REFETCHED_BY_KILL = 2 * REFETCHED;

test(`kill -9 of every role of two machines and of both servers, ${ROUNDS} times each, loses nothing and records each page once`, {
  timeout: TIMEOUT_MS,
}, async () => {
  await using site = await startTree(PAGES);
  await using installation = await openInstallation([`${site.origin}/page-0`]);
  const machines = [await installation.start('a', '127.0.0.1'), await installation.start('b', '127.0.0.2')];
  const victims = Array.from({ length: ROUNDS }, () => machines)
    .flat()
    .flatMap((machine) => VICTIMS.map((victim) => ({ machine, victim })));
  const kills = new Map<string, number>();
  let acknowledged = 0;

  for (const [turn, { machine, victim }] of victims.entries()) {
    await eventually(() => site.requests.length >= (PAGES * (turn + 1)) / (victims.length + 1), TIMEOUT_MS);
    await kill(installation, machine, victim);
    kills.set(victim, (kills.get(victim) ?? 0) + 1);
    // Whoever pushes tries again until it is acknowledged, at the machine that is left to it.
    const ids = [0, 1, 2, 3, 4].map((n) => `pushed-${turn}-${n}`);
    const other = machines[turn % machines.length] ?? machine;
    await eventually(async () => (await put(other, ids)) === 200, 240_000);
    acknowledged += ids.length;
  }
  for (const machine of machines) {
    await eventually(async () => (await found(machine, CRAWLED)) === PAGES, TIMEOUT_MS);
    await eventually(async () => (await found(machine, PUSHED)) === acknowledged, 240_000);
  }

  const recorded = await pagesRecorded(installation);
  const fetches = site.requests.length;
  process.stdout.write(
    `two machines: ${fetches} fetches for ${PAGES} pages, ${acknowledged} pushed, kills ${JSON.stringify(Object.fromEntries(kills))}, ${JSON.stringify(recorded)}\n`,
  );
  expect(recorded).toEqual({ documents: PAGES, added: PAGES, twice: 0 });
  expect(fetches).toBeLessThanOrEqual(PAGES * 1.05 + victims.length * REFETCHED_BY_KILL);
});

/** A role is started again by the supervisor of its machine, a server by whoever watches it. */
async function kill(
  { redis }: { readonly redis: RedisServer },
  { product }: Machine,
  victim: (typeof VICTIMS)[number],
): Promise<void> {
  if (victim === 'postgres') {
    await postgres.kill();
    await postgres.start();
  } else if (victim === 'redis') {
    await redis.kill();
    await redis.start();
  } else {
    await eventually(() => product.pids().has(victim), 120_000);
    product.kill(victim);
  }
}
