import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { IndexSource } from '../../src/search-index/index-writer.ts';
import { type Connection, connect } from '../../src/search-index/opensearch/connection.ts';
import { openOpenSearchIndex } from '../../src/search-index/opensearch/opensearch-index.ts';
import { openOpenSearchWriter } from '../../src/search-index/opensearch/write/writer.ts';
import { describeSearchIndex } from '../contract/search-index-suite.ts';
import { type OpenSearchServer, startOpenSearch } from '../helpers/opensearch-server.ts';
import type { IndexUnderTest } from '../helpers/search-index-harness.ts';
import { differenceOf } from './opensearch-differences.ts';

const log = pino({ level: 'silent' });
const ENGINE = 6;

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

beforeEach((context) => {
  const difference = differenceOf(expect.getState().currentTestName ?? '');
  if (difference !== undefined) context.skip(difference.reason);
});

async function open(source: IndexSource): Promise<IndexUnderTest> {
  const indexPrefix = `test-${randomBytes(6).toString('hex')}`;
  const openAgain = async (): Promise<IndexUnderTest> => ({
    engineId: ENGINE,
    index: openOpenSearchIndex({ connection, indexPrefix, monotonicMs: () => performance.now() }),
    writer: await openOpenSearchWriter({
      connection,
      indexPrefix,
      engineId: ENGINE,
      source,
      log,
      shards: 1,
      replicas: 0,
    }),
    reopen: openAgain,
    async [Symbol.asyncDispose]() {
      await connection.call({ method: 'DELETE', path: `/${indexPrefix}-*`, deadlineMs: 60_000 });
    },
  });
  return openAgain();
}

describeSearchIndex('opensearch', open, { keepsFiles: true });
