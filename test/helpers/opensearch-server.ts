import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SOURCES = join(import.meta.dirname, '../cluster/opensearch-node');
/** Outside the repository: packages that are fetched once. */
const JARS = join(tmpdir(), 'fossick-opensearch-jars');
const LEAST_JAVA = 21;
const HEAP_MB = 512;

export type OpenSearchServer = AsyncDisposable & {
  readonly url: string;
  /** Takes connections and answers nothing until `thaw`. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Ends it at once, as a crash would. */
  readonly kill: () => void;
  /** Another node of its cluster, on which parts and copies may lie. */
  readonly join: () => Promise<OpenSearchServer>;
};

/**
 * A real OpenSearch node on loopback with a folder of its own, ended with the test, also when its process is killed.
 * Fails the test when Java or Maven is missing. With `OPENSEARCH_TEST_URL` set, a node that runs already is taken.
 */
export async function startOpenSearch(): Promise<OpenSearchServer> {
  const url = process.env['OPENSEARCH_TEST_URL'];
  if (url !== undefined) return runningServer(url);
  fetchJars();
  const transportPort = await freePort();
  return startNode({ transportPort, managerPort: transportPort });
}

type NodePorts = { readonly transportPort: number; readonly managerPort: number };

async function startNode({ transportPort, managerPort }: NodePorts): Promise<OpenSearchServer> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const port = await freePort();
  const server = spawn(
    programOf('java'),
    [
      `-Xmx${HEAP_MB}m`,
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '--enable-native-access=ALL-UNNAMED',
      '-cp',
      `${JARS}/*`,
      join(SOURCES, 'OpenSearchNode.java'),
      folder.path,
      String(port),
      String(transportPort),
      String(managerPort),
    ],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  stack.defer(async () => {
    server.kill('SIGCONT');
    server.kill('SIGKILL');
    await ended;
  });
  const ready = new Promise<void>((resolve) =>
    createInterface(server.stdout).on('line', (line) => line === 'ready' && resolve()),
  );
  const failed = ended.then(() => Promise.reject(new Error('The OpenSearch node ended before it was ready')));
  await Promise.race([ready, failed]);
  failed.catch(() => {});
  const owned = stack.move();
  return {
    url: `http://127.0.0.1:${port}`,
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    kill: () => server.kill('SIGKILL'),
    join: async () => startNode({ transportPort: await freePort(), managerPort }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function runningServer(url: string): OpenSearchServer {
  const refuse = () => {
    throw new Error('A node that the test did not start is not stopped by it');
  };
  const join = () => Promise.reject(new Error('Only a node that the test started is joined'));
  return { url, freeze: refuse, thaw: refuse, kill: refuse, join, [Symbol.asyncDispose]: async () => undefined };
}

/** Fetches the packages by Maven on first use; whole or not at all. */
function fetchJars(): void {
  const version = spawnSync(programOf('java'), ['--version'], { encoding: 'utf8' });
  const major = Number(/^\S+ (\d+)/.exec(version.stdout ?? '')?.[1] ?? 0);
  if (major < LEAST_JAVA) throw new Error(`OpenSearch needs Java ${LEAST_JAVA} or later in JAVA_HOME or the path`);
  if (existsSync(JARS)) return;
  const partial = `${JARS}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const options = ['-q', '-B', '-f', join(SOURCES, 'pom.xml'), 'dependency:copy-dependencies'];
  const { status } = spawnSync('mvn', [...options, `-DoutputDirectory=${partial}`], { stdio: 'ignore' });
  if (status !== 0)
    throw new Error('Maven is missing or cannot fetch OpenSearch (test/cluster/opensearch-node/pom.xml)');
  renameSync(partial, JARS);
}

function programOf(name: string): string {
  const home = process.env['JAVA_HOME'];
  return home === undefined ? name : join(home, 'bin', name);
}
