import { expect, test } from 'vitest';
import { composeApi } from '../../../src/compose/api.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('all who ask for metrics at once get one reading', async () => {
  await using folder = await temporaryFolder();
  const config = CONFIG.parse({
    DATA_DIR: folder.path,
    PORT: '0',
    HOST: '127.0.0.1',
    SEARCH_THREADS: '1',
    OPERATOR_TOKEN: 'operator-token-of-tests',
  });
  await using api = await composeApi({ config, log: silentLog, name: 'api.metrics-test', metrics: createMetrics() });
  const read = async () => {
    const headers = { authorization: 'Bearer operator-token-of-tests' };
    const response = await fetch(new URL('/metrics', api.note), { headers });
    return { status: response.status, text: await response.text() };
  };

  const readings = await Promise.all([read(), read(), read()]);

  expect(readings[0]).toMatchObject({ status: 200, text: expect.stringContaining('process="api"') });
  expect(new Set(readings.map(({ text }) => text)).size).toBe(1);
});
