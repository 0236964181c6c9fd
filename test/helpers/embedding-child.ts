import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { startWriteThread } from '../../src/storage/sqlite/write-thread.ts';
import { EMBEDDED_ENGINE, embedStore } from './embedding.ts';

/** A process that embeds the store of a data folder until it is killed. Arguments: the folder, the address of models. */
const [, , dataDir = '', baseUrl = ''] = process.argv;
await using writeThread = startWriteThread(dataDir);
await using stores = openEngineStores({ dataDir, writeThread });
const endpoint = {
  baseUrl,
  apiKey: undefined,
  headers: {},
  allowedHosts: new Set([new URL(baseUrl).host]),
  certificateAuthority: undefined,
};
await embedStore(await stores.of(EMBEDDED_ENGINE.id), { endpoint, model: 'ok' });
