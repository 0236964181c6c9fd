import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { endWithThisProcess } from '../../workers/private-redis.ts';
import { eventually } from './eventually.ts';
import { freePort } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type RedisServer = AsyncDisposable & {
  /** `redis://127.0.0.1:port`, the same after a start. */
  readonly url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
};

/** A Redis on loopback that keeps what it was told, as an operator has one for several machines. */
export async function startRedisServer(): Promise<RedisServer> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryFolder());
  const port = await freePort();
  let server: { readonly process: ChildProcess; readonly guard: ChildProcess | undefined } | undefined;
  const start = async () => {
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', path, '--save', '', '--appendonly', 'yes'];
    const process = spawn('redis-server', words, { stdio: 'ignore' });
    server = { process, guard: process.pid === undefined ? undefined : endWithThisProcess(process.pid) };
    const control = new Redis({ port, lazyConnect: true, retryStrategy: () => 50 });
    control.on('error', () => undefined);
    await eventually(async () => (await control.ping()) === 'PONG');
    control.disconnect();
  };
  const kill = async () => {
    if (server === undefined) return;
    const { process, guard } = server;
    server = undefined;
    const ended = once(process, 'close');
    process.kill('SIGKILL');
    await ended;
    guard?.kill('SIGKILL');
  };
  stack.defer(kill);
  await start();
  const owned = stack.move();
  return { url: `redis://127.0.0.1:${port}`, kill, start, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
