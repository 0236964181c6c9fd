import { mkdir, readdir, rm } from 'node:fs/promises';
import { pino } from 'pino';
import { systemClock } from '../src/core/clock.ts';
import type { StoredDocument } from '../src/core/document.ts';
import { INDEX_FORMAT_VERSION } from '../src/search-index/embedded/format-version.ts';
import { openEmbeddedWriter } from '../src/search-index/embedded/writer.ts';
import { FIXTURE_GENERATIONS, indexFixture } from '../test/helpers/index-fixture.ts';
import { indexSourceOf } from '../test/helpers/index-source.ts';

/**
 * Writes `test/fixtures/stored/index-v<format>`: an index of the present format over known documents, which later
 * versions must open or make anew. Run it once per format version, before the next one is begun.
 */
const directory = indexFixture(INDEX_FORMAT_VERSION);
await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });
const rows = new Map<number, StoredDocument>();
await using writer = await openEmbeddedWriter({
  directory,
  source: indexSourceOf(rows),
  language: 'en',
  clock: systemClock,
  log: pino({ level: 'silent' }),
});
for (const changes of FIXTURE_GENERATIONS) {
  for (const row of changes) rows.set(row.rid, row);
  writer.apply(changes);
  await writer.refresh();
}
console.log(`${directory}: ${(await readdir(directory)).join(' ')}`);
