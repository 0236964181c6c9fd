import { openInstallation, prepareInstallation, requireRedis } from '../src/compose/installation.ts';
import { createLogger } from '../src/observability/logger.ts';
import { identifySite } from './identify-site.ts';
import { configOrExit, startMessage } from './run.ts';
import type { PrepareReply, PrepareRequest } from './run-prepare.ts';

/**
 * What the supervisor asks at a start: stores, secrets, records, and then the starting point. A process of its own
 * that ends, so that the supervisor itself stays small.
 */
process.on('message', async (request: PrepareRequest) => {
  const reply = await answer(request).catch((error: unknown): PrepareReply => {
    const message = startMessage(error) ?? (error instanceof Error ? error.message : String(error));
    return { type: 'failed', message };
  });
  process.send?.(reply, () => request.step === 'open' && process.disconnect());
});

async function answer(request: PrepareRequest): Promise<PrepareReply> {
  const { config, file } = await configOrExit();
  const log = createLogger({ level: config.LOG_LEVEL, name: 'prepare' });
  if (request.step === 'open') {
    const { address, site } = request;
    const identify = (url: string) => identifySite(url, { config, address, log });
    return { type: 'done', beginning: await openInstallation({ config, address, site, identify, log }) };
  }
  await prepareInstallation({ config, file, log });
  if (config.REDIS_URL !== undefined) await requireRedis(config.REDIS_URL, log);
  return { type: 'done', beginning: undefined };
}
