import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually.ts';

/** A redis-server of the test's own on a unix socket, ended with it. Fails the test when there is none. */
export async function startPrivateRedis() {
  const folder = await mkdtemp(join(tmpdir(), 'fossick-redis-'));
  const path = join(folder, 'redis.sock');
  const server = spawn(
    'redis-server',
    ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', '', '--appendonly', 'no', '--daemonize', 'no'],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const failed = new Promise<never>((_resolve, reject) => server.once('error', reject));
  const control = new Redis({ path, lazyConnect: true, retryStrategy: () => 20 });
  control.on('error', () => {});
  await Promise.race([failed, eventually(async () => (await control.ping()) === 'PONG')]);
  return {
    url: `unix://${path}`,
    /** For the test's own looks and faults. */
    control,
    async [Symbol.asyncDispose]() {
      control.disconnect();
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
