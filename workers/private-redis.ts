import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { SupervisedChild } from '../src/compose/role.ts';
import type { Log } from '../src/observability/logger.ts';

/** Longest path of a unix socket that every system takes. */
const MAX_SOCKET_PATH_BYTES = 100;
/** A server that has not ended by then is killed. */
const STOP_MS = 3_000;
const LEFTOVER_ENDS_WITHIN_MS = 10_000;
const ASK_EVERY_MS = 50;
const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = { hadAnswered: 5_000, cameNotUp: 30_000 } as const;
/** A server that ran this long has proved itself. */
const HEALTHY_AFTER_MS = 10_000;
/** Ends in a row, each soon after the start, by which the folder is under suspicion although the server answered. */
const SUSPICIOUS_ENDS = 3;
/** The program says no more when it refuses to start. */
const KEPT_LINES = 8;
const ADVICE =
  'install redis-server (apt-get install redis-server), or set REDIS_URL to a running Redis, or use docker compose up';

export type RedisHealth = SupervisedChild & {
  /** How often its folder could not be read and was set aside. */
  readonly foldersSetAside: number;
};

export type PrivateRedis = AsyncDisposable & {
  /** What the roles use as `REDIS_URL`, also before anything answers there. */
  readonly url: string;
  /** Resolves when it answers, or has ended for a cause that is not its folder: there is no use in waiting then. */
  readonly settled: Promise<void>;
  health(): RedisHealth;
};

type Endpoint = { readonly url: string; readonly arguments: readonly string[]; readonly target: Target };
type Target = { readonly path: string } | { readonly host: string; readonly port: number; readonly password: string };

/**
 * A redis-server of this installation's own: append-only, never evicts, on a unix socket in the data folder, no TCP
 * port. Started again when it ends unasked, after a pause that grows from 0.2 s; nobody has to wait for it, as everything but
 * crawling works without. Its data can be made again from the stores: a folder with which it does not come up is set
 * aside as `redis.bad`, the one before it as `redis.bad.old`, and an empty one is used. One that a killed supervisor left
 * behind is ended first.
 */
export async function startPrivateRedis(options: {
  readonly dataDir: string;
  readonly log: Log;
  /** Told the pid whenever it changes. */
  readonly changed: (pid: number | undefined) => void;
  /** Aborted: the whole product ends, and so may this. */
  readonly stopped: AbortSignal;
}): Promise<PrivateRedis> {
  const { dataDir, log, changed, stopped } = options;
  const folder = join(dataDir, 'redis');
  const endpoint = await chooseEndpoint(folder);
  await endLeftover(endpoint.target);
  const settled = Promise.withResolvers<void>();
  let running: RunningServer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let backoffMs = FIRST_BACKOFF_MS;
  let endsInARow = 0;
  let health: RedisHealth = { name: 'redis', isReady: false, restarts: 0, lastCause: undefined, foldersSetAside: 0 };

  const launch = (): void => {
    if (stopping || stopped.aborted) return;
    running = launchServer(folder, endpoint, log);
    changed(running.process.pid);
    running.answered.then(() => {
      health = { ...health, isReady: true };
      settled.resolve();
    }, ignore);
    void running.ended.then(launchAgain);
  };
  const isFolderSuspicious = (end: ServerEnd): boolean => {
    if (end.hadAnswered && end.ranMs > HEALTHY_AFTER_MS) [backoffMs, endsInARow] = [FIRST_BACKOFF_MS, 0];
    if (!isOfItsOwn(end)) return false;
    endsInARow++;
    return endsInARow >= (end.hadAnswered ? SUSPICIOUS_ENDS : 1);
  };
  const launchAgain = (end: ServerEnd): void => {
    running = undefined;
    health = { ...health, isReady: false };
    changed(undefined);
    if (stopping || stopped.aborted) return;
    const { cause, output } = end;
    const wasSetAside = isFolderSuspicious(end) && setAside(folder);
    // The next end is not the fault of a folder that is empty.
    if (wasSetAside) endsInARow = Number.NEGATIVE_INFINITY;
    else settled.resolve();
    const isReported = cause === health.lastCause;
    const foldersSetAside = health.foldersSetAside + (wasSetAside ? 1 : 0);
    health = { ...health, restarts: health.restarts + 1, lastCause: cause, foldersSetAside };
    if (wasSetAside)
      log.warn({ cause, output, folder: `${folder}.bad` }, 'private redis cannot read its folder, set aside');
    else
      log[isReported ? 'debug' : 'warn'](
        { cause, output, againInMs: backoffMs },
        'private redis ended, starting it again',
      );
    timer = setTimeout(launch, backoffMs);
    backoffMs = Math.min(end.hadAnswered ? MAX_BACKOFF_MS.hadAnswered : MAX_BACKOFF_MS.cameNotUp, backoffMs * 2);
  };
  launch();
  return {
    url: endpoint.url,
    settled: settled.promise,
    health: () => health,
    [Symbol.asyncDispose]: async () => {
      stopping = true;
      clearTimeout(timer);
      running?.process.kill('SIGTERM');
      // One that is frozen hears no wish to stop, and has nothing that could not be made again.
      const kill = setTimeout(() => running?.process.kill('SIGKILL'), STOP_MS);
      await running?.ended;
      clearTimeout(kill);
    },
  };
}

type ServerEnd = {
  /** False when there is no such program, or no folder for it. */
  readonly wasStarted: boolean;
  readonly hadAnswered: boolean;
  readonly ranMs: number;
  readonly signal: string | null;
  readonly cause: string;
  /** The last lines that it wrote. */
  readonly output: readonly string[];
};

type RunningServer = {
  readonly process: ChildProcess;
  /** Rejects when it ends without. */
  readonly answered: Promise<void>;
  /** Never rejects. */
  readonly ended: Promise<ServerEnd>;
};

/** Starts the program; whoever calls owns the process from then on. */
function launchServer(folder: string, endpoint: Endpoint, log: Log): RunningServer {
  makeFolder(folder);
  const startedAt = performance.now();
  const started = spawn('redis-server', redisArguments(folder, endpoint), { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [started.stdout, started.stderr]) {
    createInterface(stream).on('line', (line) => {
      log.debug({ line }, 'private redis says');
      output.push(line);
      if (output.length > KEPT_LINES) output.shift();
    });
  }
  const guard = started.pid === undefined ? undefined : endWithThisProcess(started.pid);
  let hadAnswered = false;
  let isAlive = true;
  const ended = new Promise<ServerEnd>((resolve) => {
    let problem: Error | undefined;
    started.once('error', (error) => {
      problem = error;
    });
    // Unlike `exit` it comes also when the program could not be started, and when all output was read.
    started.once('close', (code, signal) => {
      isAlive = false;
      guard?.kill('SIGKILL');
      const cause = problem === undefined ? causeOf(output, { code, signal }) : spawnCause(problem);
      const ranMs = performance.now() - startedAt;
      resolve({ wasStarted: problem === undefined, hadAnswered, ranMs, signal, cause, output });
    });
  });
  const answered = untilAnswers(endpoint.target, () => isAlive).then(() => {
    hadAnswered = true;
  });
  return { process: started, answered, ended };
}

/**
 * A shell that reads what only this process could write, and ends the server at the end of that: the kernel closes the
 * pipe of a process that was killed. In a session of its own, so that no signal of a terminal ends it first. Whoever sees
 * the server end kills it, before the number can be that of another process.
 */
export function endWithThisProcess(pid: number): ChildProcess {
  const command = ['-c', 'read -r line; kill "$0"', String(pid)];
  const guard = spawn('sh', command, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // Without a shell it is left to the next start.
  guard.once('error', ignore);
  guard.unref();
  return guard;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // The server says itself what is wrong with it.
  }
}

function ignore(): void {
  // What failed is told by another way.
}

function spawnCause(problem: Error): string {
  const { code } = problem as NodeJS.ErrnoException;
  return code === 'ENOENT' ? `there is no redis-server, crawling waits: ${ADVICE}` : problem.message;
}

/** What a server says before it refuses, without its pid and time; else how it ended. */
function causeOf(output: readonly string[], { code, signal }: { code: number | null; signal: string | null }): string {
  const said = output.findLast((line) => /#|\*\*\*|[Ee]rror|[Ff]atal|[Cc]an't/.test(line));
  const how = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
  return said === undefined || signal === 'SIGKILL' ? how : said.replace(/^\d+:\w (\d+ \w+ \d+ [\d:.]+ )?[#*.-] /, '');
}

/** Neither killed from outside, nor for lack of memory or of room. */
function isOfItsOwn({ wasStarted, output, signal }: ServerEnd): boolean {
  if (!wasStarted || output.some((line) => line.includes('No space left'))) return false;
  return signal === null || ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL'].includes(signal);
}

/** False when there is nothing to set aside, or nothing can be written here. */
function setAside(folder: string): boolean {
  try {
    rmSync(`${folder}.bad.old`, { recursive: true, force: true });
    renameIfThere(`${folder}.bad`, `${folder}.bad.old`);
    renameSync(folder, `${folder}.bad`);
    return true;
  } catch {
    return false;
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function chooseEndpoint(folder: string): Promise<Endpoint> {
  const path = join(folder, 'redis.sock');
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) {
    return {
      url: `unix://${path}`,
      arguments: ['--port', '0', '--unixsocket', path, '--unixsocketperm', '700'],
      target: { path },
    };
  }
  const port = await freePort();
  const password = randomBytes(32).toString('hex');
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    arguments: ['--bind', '127.0.0.1', '--port', String(port), '--requirepass', password],
    target: { host: '127.0.0.1', port, password },
  };
}

function redisArguments(folder: string, { arguments: endpoint }: Endpoint): string[] {
  const settings = {
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    save: '',
    daemonize: 'no',
  };
  return [...endpoint, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function untilAnswers(target: Target, isAlive: () => boolean): Promise<void> {
  while (isAlive()) {
    if ((await ask(target, 'PING'))?.startsWith('+PONG')) return;
    await delay(ASK_EVERY_MS);
  }
  throw new Error('the server has ended');
}

/** A server that answers before ours was started belongs to a supervisor that was killed. */
async function endLeftover(target: Target): Promise<void> {
  if ((await ask(target, 'PING')) === undefined) return;
  await ask(target, 'SHUTDOWN');
  const deadline = Date.now() + LEFTOVER_ENDS_WITHIN_MS;
  while (Date.now() < deadline && (await ask(target, 'PING')) !== undefined) await delay(ASK_EVERY_MS);
}

/** Sends one inline command; undefined when nobody answers. */
function ask(target: Target, command: string): Promise<string | undefined> {
  const login = 'password' in target ? `AUTH ${target.password}\r\n` : '';
  return new Promise((resolve) => {
    const socket = connect('path' in target ? { path: target.path } : { host: target.host, port: target.port });
    let answer = '';
    const end = () => {
      socket.destroy();
      resolve(answer === '' ? undefined : answer.replace(/^\+OK\r\n(?=.)/s, ''));
    };
    socket.setTimeout(1_000, end);
    socket.once('error', end);
    socket.once('close', end);
    socket.once('connect', () => socket.write(`${login}${command}\r\n`));
    socket.on('data', (bytes) => {
      answer += bytes.toString();
      const lines = answer.split('\r\n').length - 1;
      if (lines >= (login === '' ? 1 : 2)) end();
    });
  });
}
