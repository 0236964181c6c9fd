import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { connect } from '../../src/search-index/opensearch/connection.ts';

const search = { method: 'POST', path: '/engine-6/_search', body: { size: 0 } } as const;

/** A server that answers every request as it is told, on loopback. */
async function startServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each([
  { status: 429, code: 'rate.exceeded' },
  { status: 503, code: 'index.unavailable' },
  { status: 502, code: 'index.unavailable' },
  { status: 400, code: 'internal' },
])('an answer of status $status is the error $code', async ({ status, code }) => {
  await using server = await startServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{"type":"any"}}');
  });
  await using connection = await connect({ nodes: [server.url] });

  await expect(connection.call(search)).rejects.toMatchObject({ code });
});

test('full queues and servers that are away tell when to try again', async () => {
  await using server = await startServer((_request, response) => {
    response.writeHead(429, { 'content-type': 'application/json' }).end('{}');
  });
  await using connection = await connect({ nodes: [server.url] });

  await expect(connection.call(search)).rejects.toMatchObject({ options: { retryAfterSeconds: 1 } });
});

test('a server that takes the request and says nothing counts as away after the deadline', async () => {
  await using server = await startServer(() => {});
  await using connection = await connect({ nodes: [server.url], deadlineMs: 50 });

  await expect(connection.call(search)).rejects.toMatchObject({ code: 'index.unavailable' });
});

test('a server that is not there counts as away', async () => {
  const server = await startServer(() => {});
  await using connection = await connect({ nodes: [server.url] });
  await server[Symbol.asyncDispose]();

  await expect(connection.call(search)).rejects.toMatchObject({ code: 'index.unavailable' });
});

test('an aborted call ends with the reason of its signal, and the server hears of it', async () => {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  await using server = await startServer((request) => {
    request.once('close', () => left.resolve());
    asked.resolve();
  });
  await using connection = await connect({ nodes: [server.url] });
  const stop = new AbortController();
  const reason = new Error('enough');

  const call = connection.call({ ...search, signal: stop.signal });
  await asked.promise;
  stop.abort(reason);

  await expect(call).rejects.toBe(reason);
  await left.promise;
});

test('what is not there is found as undefined, and is an error of a plain call', async () => {
  await using server = await startServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  await using connection = await connect({ nodes: [server.url] });

  expect(await connection.find(search)).toBeUndefined();
  await expect(connection.call(search)).rejects.toMatchObject({ options: { details: { status: 404 } } });
});
