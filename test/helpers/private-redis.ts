import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { endWithThisProcess } from '../../workers/private-redis.ts';
import { eventually } from './eventually.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A redis-server of the test's own on a unix socket, ended with it, also when its process is killed. Fails the test when there is none. */
export async function startPrivateRedis() {
  await using stack = new AsyncDisposableStack();
  const dir = stack.use(await temporaryFolder()).path;
  const path = join(dir, 'redis.sock');
  const server = spawn(
    'redis-server',
    ['--port', '0', '--unixsocket', path, '--dir', dir, '--save', '', '--appendonly', 'no', '--daemonize', 'no'],
    { stdio: 'ignore' },
  );
  const guard = server.pid === undefined ? undefined : endWithThisProcess(server.pid);
  // Unlike `exit` it also comes when the program could not be started.
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve(void guard?.kill('SIGKILL'))));
  stack.defer(async () => {
    server.kill('SIGTERM');
    server.kill('SIGCONT');
    await ended;
  });
  const failed = new Promise<never>((_resolve, reject) => server.once('error', reject));
  const control = new Redis({ path, lazyConnect: true, retryStrategy: () => 20 });
  control.on('error', () => {});
  stack.defer(() => control.disconnect());
  await Promise.race([failed, eventually(async () => (await control.ping()) === 'PONG')]);
  const owned = stack.move();
  return {
    url: `unix://${path}`,
    /** For the test's own looks and faults. */
    control,
    /** Takes connections and answers nothing, as on a machine without a moment to spare, until `thaw`. */
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
