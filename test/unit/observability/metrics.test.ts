import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/observability/metrics.ts';

test('the memory of indexes is asked for whenever the metrics are read', async () => {
  const metrics = createMetrics();
  let bytes = 42;
  metrics.watchIndexMemory(() => bytes);

  expect(await metrics.print()).toMatch(/^fossick_index_resident_bytes 42$/m);
  bytes = 7;
  expect(await metrics.print()).toMatch(/^fossick_index_resident_bytes 7$/m);
});

test('what the crawlers do is read once for a scrape, and sums what has the same labels', async () => {
  const metrics = createMetrics();
  let readings = 0;
  metrics.watchCrawl(async () => {
    readings++;
    return {
      slicesBusy: new Map([['page', 3]]),
      hostsHeld: new Map([['rate-limited', 2]]),
      oldestDueSeconds: new Map([['page', 1.5]]),
      runs: [
        { kind: 'full', state: 'finished', count: 4 },
        { kind: 'full', state: 'finished', count: 1 },
      ],
    };
  });

  const printed = await metrics.print();

  expect(printed).toMatch(/^fossick_crawl_slices_busy\{stage="page"\} 3$/m);
  expect(printed).toMatch(/^fossick_crawl_hosts_held\{reason="rate-limited"\} 2$/m);
  expect(printed).toMatch(/^fossick_crawl_oldest_due_seconds\{stage="page"\} 1\.5$/m);
  expect(printed).toMatch(/^fossick_crawl_runs\{kind="full",state="finished"\} 5$/m);
  expect(readings).toBe(1);
});

test('kills of parsers are those of the pool, by reason', async () => {
  const metrics = createMetrics();
  const kills = new Map([['timed-out', 2]]);
  metrics.watchParserKills(kills);
  await metrics.print();
  kills.set('crashed', 1);

  const printed = await metrics.print();

  expect(printed).toMatch(/^fossick_parser_kills_total\{reason="timed-out"\} 2$/m);
  expect(printed).toMatch(/^fossick_parser_kills_total\{reason="crashed"\} 1$/m);
});
