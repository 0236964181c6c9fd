import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredDocument } from '../../src/core/document.ts';
import { type Connection, connect } from '../../src/search-index/opensearch/connection.ts';
import { openOpenSearchIndex } from '../../src/search-index/opensearch/opensearch-index.ts';
import { openOpenSearchWriter } from '../../src/search-index/opensearch/write/writer.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { eventually } from '../helpers/eventually.ts';
import { indexSourceOf } from '../helpers/index-source.ts';
import { type OpenSearchServer, startOpenSearch } from '../helpers/opensearch-server.ts';
import { runProcesses } from '../helpers/processes.ts';
import { planOf } from '../helpers/query-plans.ts';
import { SITE_CERTIFICATE } from '../helpers/secure-site.ts';
import { silentLog } from '../helpers/silent-log.ts';
import { storedDocument } from '../helpers/stored-documents.ts';
import { startTcpProxy } from '../helpers/tcp-proxy.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ENGINE = 6;
const WITHIN_MS = 120_000;
const SITE_KEY = readFileSync(new URL('../fixtures/tls/site-key.pem', import.meta.url), 'utf8');

let server: OpenSearchServer;
let connection: Connection;
beforeAll(async () => {
  server = await startOpenSearch();
  connection = await connect({ nodes: [server.url], deadlineMs: 60_000 });
});
afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const documents = (count: number): readonly StoredDocument[] =>
  Array.from({ length: count }, (_, i) =>
    storedDocument({ rid: i + 1, id: `d${i + 1}`, fields: { Title: 'Harbour' } }),
  );

const search = async (index: SearchIndex) =>
  (await index.search(ENGINE, planOf({ limit: 0 }), new AbortController().signal)).total;

/** An engine of its own, written and searched by a connection, its store kept by the test. */
function engineOn(servers: Connection, layout = { shards: 1, replicas: 0 }) {
  const indexPrefix = `test-${randomBytes(6).toString('hex')}`;
  const source = indexSourceOf(new Map(documents(20).map((row) => [row.rid, row])));
  return {
    alias: `${indexPrefix}-engine-${ENGINE}`,
    openWriter: () =>
      openOpenSearchWriter({ connection: servers, indexPrefix, engineId: ENGINE, source, log: silentLog, ...layout }),
    openIndex: () => openOpenSearchIndex({ connection: servers, indexPrefix, monotonicMs: () => performance.now() }),
  };
}

test('a node of two that is killed takes nothing along: searches and writes go on', async () => {
  const other = await server.join();
  await using _other = other;
  await using both = await connect({ nodes: [other.url, server.url], deadlineMs: 10_000 });
  const { alias, openWriter, openIndex } = engineOn(both, { shards: 2, replicas: 1 });
  await using writer = await openWriter();
  writer.apply(documents(10));
  await writer.refresh();
  await eventually(async () => (await healthOf(alias)) === 'green', WITHIN_MS);
  await using index = openIndex();
  expect(await search(index)).toBe(10);

  other.kill();

  await eventually(async () => (await search(index)) === 10, WITHIN_MS);
  writer.apply(documents(20));
  await eventually(() => writer.refresh(), WITHIN_MS);
  expect(await search(index)).toBe(20);
  expect(await healthOf(alias)).toBe('yellow');
});

test('an index of which a part is away answers nothing in place of half', async () => {
  const other = await server.join();
  await using _other = other;
  const { alias, openWriter, openIndex } = engineOn(connection, { shards: 2, replicas: 0 });
  await using writer = await openWriter();
  writer.apply(documents(10));
  await writer.refresh();
  await using index = openIndex();
  expect(await search(index)).toBe(10);

  other.kill();

  await eventually(async () => (await healthOf(alias)) === 'red', WITHIN_MS);
  await expect(search(index)).rejects.toMatchObject({ code: 'index.unavailable' });
});

test('an index that was deleted is said to be away until its writer has made it again', async () => {
  const { alias, openWriter, openIndex } = engineOn(connection);
  await using index = openIndex();
  {
    await using writer = await openWriter();
    writer.apply(documents(10));
    await writer.refresh();
    expect(await search(index)).toBe(10);

    await connection.call({ method: 'DELETE', path: `/${alias}-g1` });

    await expect(search(index)).rejects.toMatchObject({ code: 'index.unavailable' });
    writer.apply(documents(20));
    await expect(writer.refresh()).rejects.toMatchObject({ code: 'index.unavailable' });
    expect(await connection.find({ method: 'GET', path: `/${alias}-g1` })).toBeUndefined();
  }
  await using writer = await openWriter();
  writer.apply(documents(20));
  await writer.refresh();

  expect(await search(index)).toBe(20);
});

test.each(['cut', 'silence'] as const)('a hop that fails by %s loses nothing, and is used again', async (fault) => {
  await using hop = await startTcpProxy(Number(new URL(server.url).port));
  await using through = await connect({ nodes: [`http://127.0.0.1:${hop.port}`], deadlineMs: 2_000 });
  const direct = engineOn(connection);
  await using writer = await direct.openWriter();
  writer.apply(documents(10));
  await writer.refresh();
  const indexPrefix = direct.alias.replace(/-engine-\d+$/, '');
  await using index = openOpenSearchIndex({
    connection: through,
    indexPrefix,
    monotonicMs: () => performance.now(),
  });
  await eventually(async () => (await search(index)) === 10, WITHIN_MS);

  hop.silence();
  if (fault === 'cut') hop.cut();

  await expect(search(index)).rejects.toMatchObject({ code: 'index.unavailable' });
  hop.heal();
  await eventually(async () => (await search(index)) === 10, WITHIN_MS);
});

test('what is written over a hop that breaks is there when it works again, each once', async () => {
  await using hop = await startTcpProxy(Number(new URL(server.url).port));
  await using through = await connect({ nodes: [`http://127.0.0.1:${hop.port}`], deadlineMs: 60_000 });
  const { openWriter, openIndex } = engineOn(through);
  await using writer = await openWriter();
  writer.apply(documents(10));
  const broken = hop.plan({ text: '/_bulk', kind: 'unanswered' });

  await expect(writer.refresh()).rejects.toMatchObject({ code: 'index.unavailable' });
  await broken;
  await writer.refresh();

  await using index = openIndex();
  expect(await search(index)).toBe(10);
});

test('servers behind TLS are asked with the authority of the configuration, and refused without it', async () => {
  const front = createSecureServer({ key: SITE_KEY, cert: SITE_CERTIFICATE }, forward(server));
  await using url = await listen(front, 'https');
  await using trusting = await connect({ nodes: [url.address], ca: SITE_CERTIFICATE, deadlineMs: 10_000 });
  await using other = await connect({ nodes: [url.address], deadlineMs: 10_000 });

  expect(await trusting.call({ method: 'GET', path: '/' })).toMatchObject({ tagline: expect.any(String) });
  await expect(other.call({ method: 'GET', path: '/' })).rejects.toMatchObject({
    code: 'index.unavailable',
    message: expect.stringContaining('set OPENSEARCH_CA_FILE'),
  });
});

test.each([
  [401, 'do not know the credentials of OPENSEARCH_URL'],
  [403, 'lacks a right'],
])('a start whose servers refuse the account with %i ends with what is wrong', async (status, message) => {
  await using url = await listen(
    createServer((_request, response) => response.writeHead(status).end('{}')),
    'http',
  );
  await using folder = await temporaryFolder();

  const { code, stderr } = await runProcesses({ dataDir: folder.path, environment: { OPENSEARCH_URL: url.address } });

  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

async function healthOf(alias: string): Promise<unknown> {
  const answer = await connection.call({ method: 'GET', path: `/_cluster/health/${alias}-g1`, deadlineMs: 60_000 });
  return (answer as { readonly status: unknown }).status;
}

/** Sends requests on to a node, as a balancer with TLS does. */
function forward({ url }: OpenSearchServer): RequestListener {
  return async (request, response) => {
    const answer = await fetch(url + request.url);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  };
}

async function listen(listener: Server, protocol: 'http' | 'https') {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    address: `${protocol}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => listener.close(() => resolve())),
  };
}
