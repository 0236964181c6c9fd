import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { type OpenSearchServer, startOpenSearch } from '../helpers/opensearch-server.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Base64 of `1:1:SearchKey`: the demo's public key. */
const SITE_KEY = 'SiteKey MToxOlNlYXJjaEtleQ==';
const SAMPLE_PAGES = 60;

const shared: { dataDir: string; server?: OpenSearchServer; product?: RunningProduct } = { dataDir: '' };
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  shared.dataDir = stack.use(await temporaryFolder()).path;
  shared.server = stack.use(await startOpenSearch());
  shared.product = stack.use(
    await startProcesses({
      dataDir: shared.dataDir,
      environment: { OPENSEARCH_URL: shared.server.url, OPENSEARCH_REPLICAS: '0', RATE_SEARCH_PER_SECOND: '0' },
    }),
  );
});
afterAll(() => stack.disposeAsync());

async function post(path: string, body: unknown) {
  const response = await fetch(`${shared.product?.address}/api/v4/1/1${path}`, {
    method: 'POST',
    headers: { authorization: SITE_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
}

const search = (query: string) => post('/search', { query });

test('a first start crawls the sample site and makes it searchable on the servers', async () => {
  await eventually(
    async () => ((await search('*')).body as { TotalDocument: number }).TotalDocument >= SAMPLE_PAGES,
    120_000,
  );

  const { status, body } = await search('opening hours');

  expect(status).toBe(200);
  expect(body).toMatchObject({
    TypedDocuments: [{ Id: expect.stringContaining('/visit/opening-hours') }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
  });
  expect(await readdir(join(shared.dataDir, 'engines', '1'))).not.toContain('index');
});

test('the status of the installation names what holds the index', async () => {
  const token = await readFile(join(shared.dataDir, 'operator-token'), 'utf8');

  const response = await fetch(`${shared.product?.address}/admin/v1/status`, {
    headers: { authorization: `Bearer ${token.trim()}` },
  });

  expect(await response.json()).toMatchObject({ index: expect.stringMatching(/^OpenSearch 3\./) });
});

test('while the servers do not answer, searches are refused as not available, and answered again afterwards', async () => {
  shared.server?.freeze();
  const refused = await search('parcel');
  shared.server?.thaw();

  expect(refused).toMatchObject({ status: 503, retryAfter: '1', body: { errorCode: 'index.unavailable' } });
  expect(await eventually(async () => (await search('parcel')).status === 200)).toBe(true);
});
