import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { endWithThisProcess } from '../../workers/private-redis.ts';
import { eventually } from './eventually.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const MEMORY = '/dev/shm';
const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** After a kill it looks through its folder first. */
const START_WITHIN_MS = 120_000;
const PASSWORD = 'not secret';
/** Nobody's data: nothing has to survive a power cut. */
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const SETTINGS = ['listen_addresses=127.0.0.1', 'max_connections=300', 'shared_buffers=64MB'];

export type PostgresServer = AsyncDisposable & {
  /** Of a database of this server; `database` is made by `createDatabase`. */
  url(database: string, password?: string): string;
  createDatabase(database: string, template?: string): Promise<void>;
  dropDatabase(database: string): Promise<void>;
  /** Statements of the test's own; the rows of the last. */
  query(database: string, text: string): Promise<readonly Record<string, unknown>[]>;
  /** Of the process whose children serve connections. */
  pid(): number;
  /** SIGKILL to the server, which has no time for anything. */
  kill(): Promise<void>;
  start(): Promise<void>;
};

/**
 * A PostgreSQL of the test's own on loopback, in a temporary folder, ended with the test's process. `isDurable`: it
 * waits for the disk, as at an operator's. `settings`: `name=value` of the server. `place`: an empty folder in which its
 * own lies. `standbyOf`: the address of a server whose changes it follows. Fails when there is none:
 * `apt-get install -y postgresql-15`.
 */
export async function startPostgresServer(
  options: {
    readonly isDurable?: boolean;
    readonly settings?: readonly string[];
    readonly place?: string;
    readonly standbyOf?: string;
  } = {},
): Promise<PostgresServer> {
  const { isDurable = false, settings: more = [] } = options;
  await using stack = new AsyncDisposableStack();
  // A store is some hundred files, which memory makes ten times as fast.
  const folder =
    options.place ?? stack.use(await temporaryFolder(isDurable || !existsSync(MEMORY) ? undefined : MEMORY)).path;
  const programs = await programFolder();
  const user = await unprivilegedUser();
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await writeFile(join(folder, 'password'), PASSWORD);
  if (user !== undefined) {
    for (const path of [folder, data, join(folder, 'password')]) await chown(path, user.uid, user.gid);
  }
  const [program, words] =
    options.standbyOf === undefined
      ? ['initdb', ['-U', 'fossick', '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`, '-E', 'UTF8', '-N']]
      : ['pg_basebackup', ['-d', options.standbyOf, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']];
  const environment = { ...process.env, LC_ALL: 'C.UTF-8' };
  await run(join(programs, program), ['-D', data, ...words], { ...user, env: environment });
  const port = await freePort();
  const settings = [
    ...SETTINGS,
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    ...more,
    ...(isDurable ? [] : FAST),
  ];
  const url = (database: string, password = PASSWORD) =>
    `postgres://fossick:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  const query = async (database: string, text: string) => {
    const client = new Client({ connectionString: url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return [await client.query(text)].flat().at(-1)?.rows ?? [];
    } finally {
      await client.end();
    }
  };
  let server: { readonly process: ChildProcess; readonly ended: Promise<void> } | undefined;
  const launch = () => {
    const started = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
      ...user,
      stdio: 'ignore',
    });
    const guard = started.pid === undefined ? undefined : endWithThisProcess(started.pid);
    const ended = once(started, 'close').then(() => void guard?.kill('SIGKILL'));
    return { process: started, ended };
  };
  // As long as children of a killed server have its memory, another one ends at once.
  const start = async () => {
    await eventually(() => {
      if (server === undefined || server.process.exitCode !== null) server = launch();
      return query('postgres', 'SELECT 1');
    }, START_WITHIN_MS);
  };
  const end = async (signal: NodeJS.Signals) => {
    server?.process.kill(signal);
    await server?.ended;
    server = undefined;
  };
  // SIGQUIT: at once, without a last checkpoint.
  stack.defer(() => end('SIGQUIT'));
  await start();
  const owned = stack.move();
  return {
    url,
    query,
    pid: () => server?.process.pid ?? 0,
    createDatabase: async (database, template = 'template1') => {
      await query('postgres', `CREATE DATABASE ${database} TEMPLATE ${template}`);
    },
    dropDatabase: async (database) => {
      await query('postgres', `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    },
    kill: () => end('SIGKILL'),
    start,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Where Debian installs a server of version 15 or later, the newest of them. */
async function programFolder(): Promise<string> {
  const versions = (await readdir(DEBIAN_FOLDER).catch(() => [])).map(Number).sort((a, b) => b - a);
  const [newest] = versions;
  if (newest === undefined || newest < 15) throw new Error('There is no PostgreSQL: apt-get install -y postgresql-15');
  return join(DEBIAN_FOLDER, String(newest), 'bin');
}

/** The server refuses to run as root: the user of its package does. Undefined: this process is no root. */
async function unprivilegedUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
