import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../src/core/clock.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import { historySource } from './index-history.ts';

const BATCH = 40;

/** A process that publishes the history in small generations until it is killed. Argument: its folder. */
const folder = process.argv[2] ?? '';
const source = historySource(folder);
const writer = await openEmbeddedWriter({
  directory: join(folder, 'index'),
  source,
  language: 'en',
  clock: systemClock,
  log: pino({ level: 'silent' }),
  inlineMergeDocuments: 300,
  idleMergeMs: 200,
});
for (;;) {
  writer.apply(await source.changesAfter(writer.appliedSeq, { rows: BATCH, bytes: 1e9 }));
  await writer.refresh();
}
