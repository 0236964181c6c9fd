import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { stampsAt } from '../helpers/index-history.ts';
import { facetOf, planOf } from '../helpers/query-plans.ts';
import { seededRandom } from '../helpers/random.ts';
import { RUN_SEED } from '../helpers/run-seed.ts';
import { never } from '../helpers/search-index-harness.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const KILLS = 12;
const CHILD = fileURLToPath(new URL('../helpers/index-writer-child.ts', import.meta.url));

test(`kill -9 of the index writer ${KILLS} times leaves every generation whole (TEST_SEED=${RUN_SEED})`, async () => {
  await using folder = await temporaryFolder();
  const random = seededRandom(RUN_SEED);
  const open = () =>
    openEmbeddedIndex({
      directoryOf: () => join(folder.path, 'index'),
      threads: 0,
      clock: systemClock,
      log: pino({ level: 'silent' }),
    });
  await using reader = open();
  let seq = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(process.execPath, [CHILD, folder.path], { stdio: 'ignore' });
    const target = seq + random.whole(1, 800);
    while (seq < target) {
      await reader.waitVisible(1, seq + 1, AbortSignal.timeout(20_000));
      seq = await expectWhole(reader, seq);
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    await using fresh = open();
    seq = await expectWhole(fresh, seq);
  }

  expect((await readdir(join(folder.path, 'index'))).filter((name) => name.endsWith('.bad'))).toEqual([]);
});

/** Every live document of the generation in exactly its last version; resolves with the generation's `seq`. */
async function expectWhole(index: SearchIndex, least: number): Promise<number> {
  const plan = planOf({ facets: [facetOf('Stamp', { size: 10_000 })], limit: 0 });
  const { seq, facets } = await index.search(1, plan, never());
  expect(seq).toBeGreaterThanOrEqual(least);
  expect(facets[0]?.items.map(({ key }) => key).sort()).toEqual(stampsAt(seq));
  return seq;
}
