import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { processList } from '../../../workers/process-list.ts';
import { watchSilence } from '../../../workers/silence.ts';
import { createSupervisor } from '../../../workers/supervise.ts';
import { captureLog } from '../../helpers/captured-log.ts';
import { eventually } from '../../helpers/eventually.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** Programs of children, by name, in a folder of their own. */
async function supervised(programs: Readonly<Record<string, string>>) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const { log, lines } = captureLog();
  const ending = new AbortController();
  const supervisor = createSupervisor({ log, changed: () => undefined, stopped: ending.signal });
  stack.defer(() => supervisor.stop(Object.keys(programs), 5_000));
  const started = new Map<string, Promise<string | undefined>>();
  for (const [name, program] of Object.entries(programs)) {
    const path = join(folder.path, `${name}.mjs`);
    await writeFile(path, program);
    const env = { MARK: join(folder.path, `${name}.mark`) };
    started.set(name, supervisor.start({ name, file: pathToFileURL(path), env }));
  }
  const owned = stack.move();
  return {
    ready: (name: string) => started.get(name),
    healthOf: (name: string) => supervisor.health().find((child) => child.name === name),
    lines,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const WELL = `process.send({ type: 'ready', note: 'here' }); setInterval(() => process.send({ type: 'heartbeat' }), 100);`;
/** Comes up at the third attempt. */
const SLOW_TO_COME_UP = `
  import { appendFileSync, readFileSync } from 'node:fs';
  appendFileSync(process.env.MARK, 'x');
  if (readFileSync(process.env.MARK, 'utf8').length > 2) { ${WELL} }
  else { process.send({ type: 'failed', message: 'the weather is bad' }, () => process.exit(1)); }
`;

test('a child that ends before it is ready is started again, its neighbour goes on, and the cause is told', async () => {
  await using running = await supervised({ well: WELL, slow: SLOW_TO_COME_UP });

  expect(await running.ready('slow')).toBe('here');

  expect(running.healthOf('slow')).toEqual({
    name: 'slow',
    isReady: true,
    restarts: 2,
    lastCause: 'the weather is bad',
  });
  expect(running.healthOf('well')).toEqual({ name: 'well', isReady: true, restarts: 0, lastCause: undefined });
  expect(running.lines).toContainEqual({
    level: 'warn',
    fields: { child: 'slow', code: 1, signal: null, cause: 'the weather is bad', againInMs: 200 },
    message: 'child process ended, starting it again',
  });
});

test('a child is not ready before it says so', async () => {
  const program = `setInterval(() => process.send({ type: 'heartbeat' }), 100);`;
  await using running = await supervised({ slow: program });

  expect(running.healthOf('slow')).toEqual({ name: 'slow', isReady: false, restarts: 0, lastCause: undefined });
});

test('a child that is killed while it starts is started again', async () => {
  const program = `
    import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync(process.env.MARK, 'x');
    if (readFileSync(process.env.MARK, 'utf8').length === 1) process.kill(process.pid, 'SIGKILL');
    ${WELL}
  `;
  await using running = await supervised({ killed: program });

  expect(await running.ready('killed')).toBe('here');

  expect(running.healthOf('killed')).toMatchObject({ restarts: 1, lastCause: 'it was ended by SIGKILL' });
});

test('a wrong configuration ends the first start with its line', async () => {
  const program = `process.send({ type: 'fatal', message: 'PORT is taken' }, () => process.exit(1));`;
  await using running = await supervised({ wrong: program });

  await expect(running.ready('wrong')).rejects.toThrow('PORT is taken');
});

const looks = (count: number, watch: ReturnType<typeof watchSilence>) =>
  Array.from({ length: count }, () => watch.look()).find((cause) => cause !== undefined);

test('a process that is stopped hangs, one that computes does not', async () => {
  const busy = spawn(process.execPath, ['-e', 'for (;;);']);
  using _ended = { [Symbol.dispose]: () => void busy.kill('SIGKILL') };
  const watch = watchSilence(busy.pid ?? 0);

  expect(looks(100, watch)).toBeUndefined();
  busy.kill('SIGSTOP');

  const cause = await eventually(() => watch.look());
  expect(cause).toMatch(/^it was asleep or stopped at 31 looks/);
});

test('a child hangs when its main thread has used much processor time in silence, however slowly', () => {
  let cpuMs = 0;
  const watch = watchSilence(1, () => {
    cpuMs += 100;
    return { isAsleep: false, cpuMs };
  });
  watch.heard();

  expect(looks(300, watch)).toBeUndefined();
  watch.heard();

  expect(looks(302, watch)).toBe('its event loop did not turn in 30 s of processor time');
});

test('a child that nobody can look at is given five minutes', () => {
  const watch = watchSilence(1, () => undefined);

  expect(looks(300, watch)).toBeUndefined();
  expect(watch.look()).toMatch(/^nothing was heard of it/);
});

test('the list of processes follows as well as the disk allows, and never throws', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'processes.json');
  using list = processList(folder.path);
  list.set('children', [{ name: 'api', pid: 123_456 }]);
  // In the way of every new file of this name.
  await mkdir(`${path}.tmp`);

  list.set('children', [{ name: 'api', pid: 7 }]);

  const supervisor = { role: 'supervisor', pid: process.pid };
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual([supervisor, { role: 'api', pid: 7 }]);
  await rm(folder.path, { recursive: true });
  expect(() => list.set('children', [])).not.toThrow();
});
