import { startFakeModelServer } from '../../../test/helpers/fake-model-server.ts';

/** A fake model in a process of its own, so that its CPU is not that of what is measured; ends with its parent. */
const server = await startFakeModelServer();
process.send?.(server.baseUrl);
process.on('disconnect', () => process.exit(0));
