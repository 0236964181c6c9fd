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
