import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../src/core/clock.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { startWriteThread } from '../../src/storage/sqlite/write-thread.ts';
import { batchAt, FAULT_CRAWLER } from './fault-history.ts';

/**
 * A process that stores, acknowledges, indexes, merges and rebuilds until it passes a fault point for the nth time:
 * then it ends itself as hard as a power cut of the process. Arguments: data folder, point, pass.
 */
const [dataDir = '', point = '', pass = '1'] = process.argv.slice(2);
const acknowledged = join(dataDir, 'acknowledged');
const first = 1 + Number(readFileSync(acknowledged, 'utf8'));
const LIMIT = { rows: 5_000, bytes: 1e9 };

let left = Number(pass);
function at(reached: string): void {
  if (reached !== point) return;
  left--;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

await using writeThread = startWriteThread(dataDir);
await using stores = openEngineStores({ dataDir, writeThread });
const store = await stores.of(6);
const writer = await openEmbeddedWriter({
  directory: join(dataDir, 'index'),
  source: store,
  language: 'en',
  clock: systemClock,
  log: pino({ level: 'silent' }),
  inlineMergeDocuments: 100,
  idleMergeMs: 20,
  saveRebuildChanges: 10,
  at,
});
let rebuilding = Promise.resolve();
for (let number = first; ; number++) {
  const { documents, deletedIds } = batchAt(number);
  await store.putDocuments(FAULT_CRAWLER, documents, number);
  await store.deleteDocuments(FAULT_CRAWLER, deletedIds, number);
  at('write-committed');
  writeFileSync(acknowledged, String(number));
  writer.apply(await store.changesAfter(writer.appliedSeq, LIMIT));
  await writer.refresh();
  await store.purgeDeleted(writer.appliedSeq, 1_000);
  if (number % 5 !== 0) continue;
  await rebuilding;
  rebuilding = writer.rebuild('test');
}
