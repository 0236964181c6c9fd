import { startPrivateRedis } from '../../workers/private-redis.ts';
import { silentLog } from './silent-log.ts';

/** Runs a private Redis on a folder as the supervisor does, tells its pid, and waits for its own death. */
const [dataDir = ''] = process.argv.slice(2);
const { signal: stopped } = new AbortController();
const redis = await startPrivateRedis({ dataDir, log: silentLog, changed: (pid) => process.send?.(pid), stopped });
await redis.settled;
process.send?.('ready');
