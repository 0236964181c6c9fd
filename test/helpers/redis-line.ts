import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * A way to a Redis on a unix socket that can be missing or fall silent, as a network does. Nobody listens at first. On
 * each connection nothing comes in the first `greetingMs`.
 */
export async function openRedisLine(redisUrl: string, greetingMs = 0) {
  await using stack = new AsyncDisposableStack();
  const path = join(stack.use(await temporaryFolder()).path, 'line.sock');
  const ends = new Map<Socket, { isSilent: boolean }>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(redisUrl.slice('unix://'.length));
    const end = { isSilent };
    ends.set(near, end);
    if (greetingMs > 0) {
      far.pause();
      setTimeout(() => far.resume(), greetingMs);
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => !end.isSilent && to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
    near.on('close', () => ends.delete(near));
  });
  stack.defer(() => {
    server.close();
    for (const near of ends.keys()) near.destroy();
  });
  const owned = stack.move();
  return {
    url: `unix://${path}`,
    listen: async () => void (await once(server.listen(path), 'listening')),
    /** Present and new connections stay open, and nothing comes through them any more. */
    silence: () => {
      isSilent = true;
      for (const end of ends.values()) end.isSilent = true;
    },
    /** New connections work. Those that fell silent stay so, and are told nothing. */
    heal: () => {
      isSilent = false;
    },
    /** Connections that are open. */
    count: () => ends.size,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
