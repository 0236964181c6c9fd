import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStores } from '../../src/compose/stores.ts';
import { AppError } from '../../src/core/errors.ts';
import { runCli } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { askDatabase, dumpStore, engineTarget, newDatabase, randomInstallation, SYSTEM } from '../helpers/moved-installations.ts';
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
  const seen = { untouched: 0, refused: 0, whole: 0 };

  for (let kill = 0; kill < KILLS; kill++) {
    await using back = await temporaryFolder();
    const url = await newDatabase();
    const there = { DATA_DIR: folder.path };
    await killInMove(url, there, { begun: () => hasMark(url), afterMs: random.whole(0, 3_000) });
    seen[await stateOf({ ...there, DATABASE_URL: url }, () => hasStores(url))]++;
    expect(await runMove(url, there)).toBe('');

    const here = { DATA_DIR: back.path, DATABASE_URL: url };
    const mark = async () => existsSync(join(back.path, 'move.json'));
    await killInMove('files', here, { begun: mark, afterMs: random.whole(0, 2_000) });
    seen[await stateOf({ DATA_DIR: back.path }, async () => existsSync(join(back.path, 'system.db')))]++;
    expect(await runMove('files', here)).toBe('');

    expect(dumpsOf(back.path)).toEqual(whole);
    expect(dumpsOf(folder.path)).toEqual(whole);
    expect(existsSync(join(back.path, 'move.json'))).toBe(false);
    expect(await hasMark(url)).toBe(false);
  }

  const { untouched, refused } = seen;
  reportFigure('move.killed', `${2 * KILLS} kills: ${untouched} before a store, ${refused} refused to start, ${seen.whole} whole`);
  expect(refused).toBeGreaterThan(0);
});

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
  { begun, afterMs }: { readonly begun: () => Promise<boolean>; readonly afterMs: number },
): Promise<void> {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, [BIN, 'move', '--to', to], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await eventually(async () => child.exitCode !== null || (await begun()), 60_000);
  await Promise.race([ended, delay(afterMs)]);
  child.kill('SIGKILL');
  await ended;
}

/** What a start of the product finds. */
async function stateOf(
  { DATA_DIR = '', DATABASE_URL }: Environment,
  hasStore: () => Promise<boolean>,
): Promise<'untouched' | 'refused' | 'whole'> {
  const place = { DATA_DIR, ...(DATABASE_URL !== undefined && { DATABASE_URL, DATABASE_CONNECTIONS: 2 }) };
  const had = await hasStore();
  const problem = await openStores(place, silentLog).then(
    async (stores) => {
      await stores[Symbol.asyncDispose]();
      return undefined;
    },
    (error: unknown) => error,
  );
  if (problem === undefined) return 'whole';
  expect(problem).toBeInstanceOf(AppError);
  expect(String(problem)).toContain('An installation is being moved to this d');
  return had ? 'refused' : 'untouched';
}

async function hasMark(url: string): Promise<boolean> {
  const found = await askDatabase(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'fossick' AND tablename = 'move'");
  return found.length > 0;
}

async function hasStores(url: string): Promise<boolean> {
  return (await askDatabase(url, "SELECT 1 FROM pg_tables WHERE schemaname ~ '^fossick_'")).length > 0;
}
