
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { runCli } from '../helpers/cli.ts';
import {
  askDatabase,
  dumpStore,
  engineTarget,
  newDatabase,
  randomInstallation,
  SYSTEM,
  tablesOf,
} from '../helpers/moved-installations.ts';
import { RUN_SEED } from '../helpers/run-seed.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('every row of every table comes to PostgreSQL and back as it was, whatever it holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 60 }), async (seed, rows) => {
      await using folder = await temporaryFolder();
      await using back = await temporaryFolder();
      await randomInstallation(folder.path, { engineIds: [6, 4_000_000_000_000], rows, seed });
      const url = await newDatabase();
      const before = dumpsOf(folder.path);

      const there = await runCli(['move', '--to', url], { environment: { DATA_DIR: folder.path } });
      const again = await runCli(['move', '--to', 'files'], {
        environment: { DATA_DIR: back.path, DATABASE_URL: url },
      });

      expect([there.err, again.err]).toEqual(['', '']);
      expect(dumpsOf(folder.path)).toEqual(before);
      expect(dumpsOf(back.path)).toEqual(before);
      const emptyTables = before.flatMap((store) => Object.entries(store).filter(([, found]) => found.length < rows));
      expect(emptyTables.map(([name]) => name).filter((name) => name !== 'sequences')).toEqual([]);
    }),
    { seed: RUN_SEED, numRuns: 3 },
  );
});

function dumpsOf(dataDir: string) {
  return [SYSTEM, engineTarget(6), engineTarget(4_000_000_000_000)].map((target) => dumpStore(dataDir, target));
}
