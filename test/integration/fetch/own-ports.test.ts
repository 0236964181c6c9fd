import { expect, test } from 'vitest';
import { openFetching } from '../../../src/compose/fetching.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test.each([
  ['redis://127.0.0.1:7001', 7_001],
  ['redis://redis.example', 6_379],
  [undefined, 6_379],
])('every port that the installation listens on is its own, that of Redis too: %s', async (url, redisPort) => {
  await using folder = await temporaryFolder();
  await using stack = new AsyncDisposableStack();
  const ports = { PORT: '8400', ADMIN_PORT: '8401', METRICS_PORT: '8402', HEALTH_PORT: '8403' };
  const config = CONFIG.parse({ ...ports, DATA_DIR: folder.path, ...(url !== undefined && { REDIS_URL: url }) });

  const { ownPorts } = openFetching(stack, config);

  expect([...ownPorts].sort()).toEqual([8_400, 8_401, 8_402, 8_403, redisPort].sort());
});
