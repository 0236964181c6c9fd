import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { stampsAfter } from '../helpers/fault-history.ts';
import { facetOf, planOf } from '../helpers/query-plans.ts';
import { seededRandom } from '../helpers/random.ts';
import { RUN_SEED } from '../helpers/run-seed.ts';
import { never } from '../helpers/search-index-harness.ts';
import { sharedWriteThread } from '../helpers/shared-write-thread.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const KILLS = Number(process.env['FAULT_KILLS'] ?? 2);
const ENGINE = 6;
const CHILD = fileURLToPath(new URL('../helpers/index-fault-child.ts', import.meta.url));
const log = pino({ level: 'silent' });

/** `write-committed`: stored, not yet acknowledged. The others are the index writer's. */
test.concurrent.each([
  { point: 'write-committed', passes: 8 },
  { point: 'segment-written', passes: 12 },
  { point: 'tombstones-written', passes: 12 },
  { point: 'generation-claimed', passes: 12 },
  { point: 'manifest-renamed', passes: 12 },
  { point: 'merge-finished', passes: 3 },
  { point: 'rebuild-step', passes: 3 },
])(
  `kill -9 at $point ${KILLS} times: the index holds what the store holds (TEST_SEED=${RUN_SEED})`,
  async ({ point, passes }) => {
    await using folder = await temporaryFolder();
    const random = seededRandom(RUN_SEED);
    const acknowledged = async () => Number(await readFile(join(folder.path, 'acknowledged'), 'utf8'));
    await writeFile(join(folder.path, 'acknowledged'), '0');
    for (let kill = 0; kill < KILLS; kill++) {
      const pass = String(random.whole(1, passes));
      const child = spawn(process.execPath, [CHILD, folder.path, point, pass], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [, signal] = await once(child, 'exit');
      expect(signal).toBe('SIGKILL');

      // A reader finds a whole generation without any repair.
      const { stamps } = await indexed(folder.path);
      expect(new Set(stamps.map((stamp) => stamp.split('@')[0])).size).toBe(stamps.length);
    }

    const stored = await settle(folder.path);
    const { stamps, total } = await indexed(folder.path);
    expect(stamps).toEqual(stored);
    expect(total).toBe(stored.length);
    const last = await acknowledged();
    // The write that was under way may be stored, one way or half (two calls); what was acknowledged is.
    const possible = [stampsAfter(last), stampsAfter(last + 1)];
    expect(stored.filter((stamp) => !possible.flat().includes(stamp))).toEqual([]);
    if (stored.every((stamp) => !stamp.endsWith(`@${last + 1}`))) expect(stored).toEqual(possible[0]);
    expect((await readdir(join(folder.path, 'index'))).filter((name) => name.endsWith('.bad'))).toEqual([]);
  },
);

/** Lets a writer go on to the end; resolves with what the store holds then. */
async function settle(dataDir: string): Promise<string[]> {
  await using writeThread = sharedWriteThread(dataDir);
  await using stores = openEngineStores({ dataDir, writeThread });
  const store = await stores.of(ENGINE);
  const directory = join(dataDir, 'index');
  await using writer = await openEmbeddedWriter({ directory, source: store, language: 'en', clock: systemClock, log });
  writer.apply(await store.changesAfter(writer.appliedSeq, { rows: 5_000, bytes: 1e9 }));
  await writer.refresh();
  const rows = await store.readDocuments(await store.liveRids(0, 10_000));
  return rows.map((row) => row?.fields.get('Stamp')?.[0] ?? '').sort();
}

/** What a new reader sees. */
async function indexed(dataDir: string) {
  await using index = openEmbeddedIndex({
    directoryOf: () => join(dataDir, 'index'),
    threads: 0,
    clock: systemClock,
    log,
  });
  const plan = planOf({ facets: [facetOf('Stamp', { size: 10_000 })], limit: 0 });
  const { total, facets } = await index.search(ENGINE, plan, never());
  const items = facets[0]?.items ?? [];
  return { total, stamps: items.map(({ key }) => key).sort() };
}
