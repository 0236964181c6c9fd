import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../src/observability/logger.ts';

/** Longest path of a unix socket that every system takes. */
const MAX_SOCKET_PATH_BYTES = 100;
const READY_WITHIN_MS = 10_000;
const ASK_EVERY_MS = 50;
const RESTART_AFTER_MS = 200;

export type PrivateRedis = AsyncDisposable & {
  /** What the roles use as `REDIS_URL`. */
  readonly url: string;
};

type Endpoint = { readonly url: string; readonly arguments: readonly string[]; readonly target: Target };
type Target = { readonly path: string } | { readonly host: string; readonly port: number; readonly password: string };

/**
 * A redis-server of this installation's own: append-only, never evicts, on a unix socket in the data folder, no TCP
 * port. Started again when it ends unasked. One that a killed supervisor left behind is ended first.
 * @throws Error with what to do when there is no redis-server or it does not come up.
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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const endpoint = await chooseEndpoint(folder);
  await endLeftover(endpoint.target);
  let running: ChildProcess | undefined;
  let stopping = false;

  const launch = (): void => {
    const started = spawn('redis-server', redisArguments(folder, endpoint), { stdio: 'ignore' });
    running = started;
    changed(started.pid);
    started.once('error', () => {
      running = undefined;
    });
    started.once('exit', (code, signal) => {
      running = undefined;
      changed(undefined);
      if (stopping || stopped.aborted) return;
      log.warn({ code, signal }, 'private redis ended, starting it again');
      setTimeout(() => {
        if (!stopping && !stopped.aborted) launch();
      }, RESTART_AFTER_MS);
    });
  };
  launch();
  await untilReady(endpoint.target, () => running !== undefined);
  return {
    url: endpoint.url,
    [Symbol.asyncDispose]: async () => {
      stopping = true;
      const ending = running;
      if (ending === undefined) return;
      const ended = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill('SIGTERM');
      await ended;
    },
  };
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

async function untilReady(target: Target, isAlive: () => boolean): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline && isAlive()) {
    if ((await ask(target, 'PING'))?.startsWith('+PONG')) return;
    await delay(ASK_EVERY_MS);
  }
  throw new Error(
    'redis-server does not start: install it (apt-get install redis-server), or set REDIS_URL to a running Redis, or use docker compose up',
  );
}

/** A server that answers before ours was started belongs to a supervisor that was killed. */
async function endLeftover(target: Target): Promise<void> {
  if ((await ask(target, 'PING')) === undefined) return;
  await ask(target, 'SHUTDOWN');
  const deadline = Date.now() + READY_WITHIN_MS;
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
