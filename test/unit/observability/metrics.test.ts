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
