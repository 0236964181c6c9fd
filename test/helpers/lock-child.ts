import { holdProcessLock } from '../../src/storage/sqlite/process-locks.ts';

/** Holds the lock of an instance until it is killed, and tells its parent when it has it. */
const [dataDir = '', instance = ''] = process.argv.slice(2);
using _lock = await holdProcessLock(dataDir, instance);
process.send?.('held');
await new Promise((resolve) => process.on('disconnect', resolve));
