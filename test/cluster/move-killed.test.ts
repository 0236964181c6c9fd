import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { moveInstallation } from '../../src/compose/move.ts';
import { openStores } from '../../src/compose/stores.ts';
import { CONFIG } from '../../src/config/config.ts';
import type { MoveProgress } from '../../src/storage/move/move-stores.ts';
import { runCli } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import {
  askDatabase,
  dumpStore,
  engineTarget,
  newDatabase,
  randomInstallation,
  SYSTEM,
} from '../helpers/moved-installations.ts';
import { seededRandom } from '../helpers/random.ts';
import { RUN_SEED } from '../helpers/run-seed.ts';
import { isLongForm, reportFigure } from '../helpers/scorecard.ts';
import { silentLog } from '../helpers/silent-log.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const BIN = join(import.meta.dirname, '../../bin/fossick.js');
const ENGINES = [6, 7];
const KILLS = isLongForm ? 40 : 2;

test('a move that is killed opens nothing that is not whole, and goes on when it is run again', {
  timeout: 900_000,
}, async () => {
  await using folder = await temporaryFolder();
  await randomInstallation(folder.path, { engineIds: ENGINES, rows: 100, seed: RUN_SEED });
  const whole = dumpsOf(folder.path);
  const random = seededRandom(RUN_SEED);
  const seen = { refused: 0, whole: 0 };

  for (let kill = 0; kill < KILLS; kill++) {
    await using back = await temporaryFolder();
    const url = await newDatabase();
    const there = { DATA_DIR: folder.path };
    await killInMove(url, there, { isMarked: () => hasMark(url), afterMs: random.whole(0, 1_000) });
    seen[await stateOf({ ...there, DATABASE_URL: url }, await hasMark(url))]++;
    expect(await runMove(url, there)).toBe('');

    const here = { DATA_DIR: back.path, DATABASE_URL: url };
    const isMarked = () => existsSync(join(back.path, 'move.json'));
    await killInMove('files', here, { isMarked, afterMs: random.whole(0, 500) });
    seen[await stateOf({ DATA_DIR: back.path }, isMarked())]++;
    expect(await runMove('files', here)).toBe('');

    expect(dumpsOf(back.path)).toEqual(whole);
    expect(dumpsOf(folder.path)).toEqual(whole);
    expect([isMarked(), await hasMark(url)]).toEqual([false, false]);
  }

  reportFigure('move.killed', `${2 * KILLS} kills: ${seen.refused} refused to start, ${seen.whole} whole`);
  expect(seen.refused).toBeGreaterThan(0);
});

test('a move that is interrupted says how to go on, and tells all rows when it does', async () => {
  await using folder = await temporaryFolder();
  await randomInstallation(folder.path, { engineIds: [6], rows: 20, seed: RUN_SEED });
  const to = await newDatabase();
  const config = CONFIG.parse({ DATA_DIR: folder.path });
  const interruption = new AbortController();
  const { signal } = interruption;
  const interrupt = ({ store }: MoveProgress) => (store === 'engine 6' ? interruption.abort() : undefined);

  const interrupted = moveInstallation({ config, to, onProgress: interrupt, signal });
  await expect(interrupted).rejects.toThrow('The move was interrupted: run it again, and it goes on');
  const told: MoveProgress[] = [];
  const onProgress = (progress: MoveProgress) => void told.push(progress);
  const { stores } = await moveInstallation({ config, to, onProgress, signal: new AbortController().signal });

  expect(stores.map(({ store, wasThere }) => [store, wasThere])).toEqual([
    ['system', true],
    ['engine 6', false],
  ]);
  const last = told.at(-1);
  expect((last?.doneRows ?? 0) / (last?.totalRows ?? 1)).toBeCloseTo(1, 1);
});

const REFUSAL = 'An installation is being moved to this ';

type Environment = Readonly<Record<string, string>>;

function dumpsOf(dataDir: string) {
  return [SYSTEM, ...ENGINES.map(engineTarget)].map((target) => dumpStore(dataDir, target));
}

/** What went wrong: nothing when it is ''. */
async function runMove(to: string, environment: Environment): Promise<string> {
  const { code, err } = await runCli(['move', '--to', to], { environment });
  // Run once more than needed, what is there already is an installation.
  return code === 4 && /holds (?:an installation|stores) already/.test(err) ? '' : err;
}

/** Ends the command some milliseconds after it has marked its target. */
async function killInMove(
  to: string,
  environment: Environment,
  { isMarked, afterMs }: { readonly isMarked: () => boolean | Promise<boolean>; readonly afterMs: number },
): Promise<void> {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, [BIN, 'move', '--to', to], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await eventually(async () => child.exitCode !== null || (await isMarked()), 60_000);
  await Promise.race([ended, delay(afterMs)]);
  child.kill('SIGKILL');
  await ended;
}

/** What a start of the product makes of it: refused for as long as there is a mark. */
async function stateOf({ DATA_DIR = '', DATABASE_URL }: Environment, isMarked: boolean): Promise<'refused' | 'whole'> {
  const place = { DATA_DIR, ...(DATABASE_URL !== undefined && { DATABASE_URL, DATABASE_CONNECTIONS: 2 }) };
  const problem = await openStores(place, silentLog).then(
    async (stores) => await stores[Symbol.asyncDispose](),
    (error: unknown) => error,
  );
  const said = problem instanceof Error ? problem.message : '';
  expect(said.slice(0, REFUSAL.length)).toBe(isMarked ? REFUSAL : '');
  return isMarked ? 'refused' : 'whole';
}

async function hasMark(url: string): Promise<boolean> {
  const found = await askDatabase(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'fossick' AND tablename = 'move'");
  return found.length > 0;
}
