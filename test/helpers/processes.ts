import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

/** Of this process's environment the product sees nothing else. */
const INHERITED = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
/** A start takes 3 s alone; on a machine with ten times its work it takes as much longer. */
const START_WITHIN_MS = 120_000;
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

export type EndedProcess = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type RunningProduct = AsyncDisposable & {
  /** `http://127.0.0.1:port`. */
  readonly address: string;
  readonly stdout: () => string;
  /** Pid by role: `supervisor`, `redis`, `api`, `upkeep`, `crawl-1`. */
  readonly pids: () => ReadonlyMap<string, number>;
  readonly supervisorPid: number;
  /** Ends a process at once, as a crash would. */
  readonly kill: (role: string) => void;
  /** Asks the supervisor to stop; resolves when it has ended. */
  readonly stop: () => Promise<EndedProcess>;
};

type StartOptions = {
  readonly dataDir: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
  /** A command that runs the one that follows it. */
  readonly wrapper?: readonly string[];
};

/** The whole product as OS processes on a free port that restarts keep; resolves when the banner is shown. */
export async function startProcesses(options: StartOptions): Promise<RunningProduct> {
  const environment = { PORT: String(await freePort()), ...options.environment };
  const started = spawnProduct({ ...options, environment });
  const stop = () => {
    if (started.child.exitCode === null) started.child.kill('SIGTERM');
    return started.ended;
  };
  const address = await eventually(() => {
    if (started.child.exitCode !== null) return 'ended';
    return /^Fossick runs at (?<address>\S+)$/m.exec(started.output.stdout)?.groups?.['address'];
  }, START_WITHIN_MS).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  if (address === 'ended') {
    const { stdout, stderr } = await started.ended;
    throw new Error(`ended while starting: ${stdout}${stderr}`);
  }
  const pids = () => readPids(options.dataDir);
  return {
    address,
    stdout: () => started.output.stdout,
    pids,
    supervisorPid: started.child.pid ?? 0,
    kill: (role) => {
      const pid = pids().get(role);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** Starts the product where it is expected to end by itself. */
export function runProcesses(options: StartOptions): Promise<EndedProcess> {
  return spawnProduct(options).ended;
}

/** Starts `workers/<role>.ts` alone where it is expected to end by itself. */
export function runRoleProcess(role: string, options: StartOptions): Promise<EndedProcess> {
  return spawnProduct({ ...options, file: `workers/${role}.ts` }).ended;
}

/** Below the ports that systems give to connections: until a role listens on it, such a one could take the port. */
const LISTENED_PORTS = { least: 10_240, most: 32_767 };

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LISTENED_PORTS.least, LISTENED_PORTS.most + 1);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

function spawnProduct(options: StartOptions & { readonly file?: string }) {
  const { dataDir, environment = {}, words = [], wrapper = [], file = 'workers/all.ts' } = options;
  const [program = '', ...rest] = [...wrapper, process.execPath, file, ...words];
  const child: ChildProcess = spawn(program, rest, {
    cwd: ROOT,
    env: { ...INHERITED, PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (bytes) => {
    output.stdout += bytes;
  });
  child.stderr?.on('data', (bytes) => {
    output.stderr += bytes;
  });
  const ended = new Promise<EndedProcess>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  return { child, output, ended };
}

function readPids(dataDir: string): ReadonlyMap<string, number> {
  const rows = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as { role: string; pid: number }[];
  return new Map(rows.map(({ role, pid }) => [role, pid]));
}
