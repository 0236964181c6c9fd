import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { startProcesses } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const TOKEN = 'operator-token-of-tracking-tests';
const KILLS = 3;
const EVENTS_PER_LIFE = 60;
const VISITORS = 6;

test(`kill -9 of api ${KILLS} times while visitors search loses no query and no click that was acknowledged`, async () => {
  await using folder = await temporaryFolder();
  const rates = { RATE_SEARCH_PER_SECOND: '0', RATE_TRACKING_PER_SECOND: '0' };
  const environment = { OPERATOR_TOKEN: TOKEN, CRAWL_PROCESSES: '0', ...rates };
  await using product = await startProcesses({ dataDir: join(folder.path, 'data'), environment });
  const admin = async (path: string) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    return (await (await fetch(`${product.address}/admin/v1${path}`, { headers })).json()) as Answer;
  };
  const isLive = async () => (await fetch(`${product.address}/health/live`)).ok;
  const [engine] = (await admin('/engines')).items ?? [];
  if (engine === undefined) throw new Error('a first start makes an engine');
  const visit = visitorOf(product.address, engine);
  const acknowledged = { queries: new Set<string>(), clicks: 0 };

  const lives = new Set<number>();
  for (let life = 0; life <= KILLS; life++) {
    const before = acknowledged.queries.size;
    let isKilled = life === KILLS;
    const visitors = Array.from({ length: VISITORS }, async (_, visitor) => {
      for (let n = 0; !isKilled || acknowledged.queries.size < before + EVENTS_PER_LIFE; n++) {
        // What was under way when the api was killed is not acknowledged: the next visit is another one.
        await visit(`life ${life} visitor ${visitor} query ${n}`, acknowledged).catch(() =>
          eventually(isLive, 120_000),
        );
      }
    });
    const pid = await eventually(
      () => [product.pids().get('api') ?? 0].find((now) => now > 0 && !lives.has(now)),
      120_000,
    );
    lives.add(pid);
    if (life < KILLS) {
      await eventually(() => acknowledged.queries.size >= before + EVENTS_PER_LIFE / 2, 120_000);
      product.kill('api');
      isKilled = true;
    }
    await Promise.all(visitors);
  }
  expect(lives.size).toBe(KILLS + 1);

  const { items = [] } = await admin(`/engines/${engine.id}/statistics/queries?limit=1000`);
  const stored = new Map(items.map(({ query, searches }) => [query, searches]));
  expect(stored.size).toBeLessThan(1_000);
  expect([...acknowledged.queries].filter((query) => stored.get(query) !== 1)).toEqual([]);
  const { total } = await admin(`/engines/${engine.id}/statistics`);
  expect(total?.searches).toBe(stored.size);
  expect(total?.clicks).toBeGreaterThanOrEqual(acknowledged.clicks);
});

type Answer = {
  readonly items?: readonly { readonly id: number; readonly customer: number; query: string; searches: number }[];
  readonly total?: { readonly searches: number; readonly clicks: number };
};
type Acknowledged = { readonly queries: Set<string>; clicks: number };

/** Searches, logs the query, and clicks; counts what the product has acknowledged. */
function visitorOf(address: string, { id, customer }: { readonly id: number; readonly customer: number }) {
  const authorization = `SiteKey ${Buffer.from(`${customer}:${id}:SearchKey`).toString('base64')}`;
  const post = async (path: string, body: unknown) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`);
    return (await answer.json()) as { readonly QueryId: string };
  };
  const log = `/api/v3/${customer}/${id}/search/pushstat`;
  return async (query: string, acknowledged: Acknowledged) => {
    const { QueryId: qid } = await post(`/api/v4/${customer}/${id}/search`, { query });
    await post(`${log}/querylog`, { sw: query, qid });
    acknowledged.queries.add(query);
    await post(`${log}/clicklog`, { qid, clurl: 'https://example.com/', cli: '1' });
    acknowledged.clicks++;
  };
}
