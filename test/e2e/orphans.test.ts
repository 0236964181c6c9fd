import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { isLongForm, reportFigure } from '../helpers/scorecard.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const SUPERVISOR = fileURLToPath(new URL('../helpers/dying-supervisor.ts', import.meta.url));
const ROLE = fileURLToPath(new URL('../../workers/upkeep.ts', import.meta.url));
/** Moments in the life of a child at which its supervisor dies: it has no module yet, loads them, starts, works. */
const DEATHS_MS = isLongForm ? Array.from({ length: 60 }, (_, index) => index * 50) : [0, 300, 1_500];
/** Nobody listens there: Redis is gone with the supervisor, and no role may wait for it. */
const REDIS_URL = 'redis://127.0.0.1:9';
/** 10 s on a machine that has time for them; a busy one takes as much longer to load them. */
const GONE_WITHIN_MS = isLongForm ? 10_000 : 30_000;

let ended = 0;
afterAll(() => reportFigure('liveness.orphans', `${DEATHS_MS.length} deaths of a supervisor, ${ended} children ended`));

test.each(DEATHS_MS)('a role ends by itself when its supervisor is killed %i ms after it was started', async (ms) => {
  await using folder = await temporaryFolder();
  const env = { PATH: process.env['PATH'], DATA_DIR: folder.path, LOG_LEVEL: 'silent', REDIS_URL };
  const supervisor = fork(SUPERVISOR, [ROLE], { env });
  const [pid] = (await once(supervisor, 'message')) as [number];
  try {
    // The moment is what is tested.
    await delay(ms);
    supervisor.kill('SIGKILL');

    await eventually(() => !isRunning(pid), GONE_WITHIN_MS);
    ended++;
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
  expect(supervisor.signalCode).toBe('SIGKILL');
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
