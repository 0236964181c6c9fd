import { expect, test } from 'vitest';
import { type RoleLease, type RunWithLeaseDeps, runWithLease } from '../../../src/accounts/run-with-lease.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type OpenSystem, openSystem } from '../../helpers/open-system.ts';

const HOUR = 3_600_000;
const log = createLogger({ level: 'silent', name: 'test' });

/** What a process brings; all others are alive. */
function depsOf(system: OpenSystem, changes: Partial<RunWithLeaseDeps> = {}): RunWithLeaseDeps {
  const monotonicMs = () => performance.now();
  const alive = { isProcessAlive: async () => true, isTrusted: () => true };
  return { leases: system.store, clock: systemClock, monotonicMs, ...alive, log, ...changes };
}

/** Takes the role and never renews it, as a process that was killed. */
const takeAndDie = (system: OpenSystem, holder: string, at: number) =>
  system.store.takeLease({ name: 'indexer', holder, at });

const untilAborted = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

test('one of two processes has a role, the other takes it when the first gives it back', async () => {
  await using system = await openSystem();
  const stop = { a: new AbortController(), b: new AbortController() };
  const holders = new Set<string>();
  const hold = (holder: 'a' | 'b') =>
    runWithLease(depsOf(system), { role: 'indexer', holder, signal: stop[holder].signal }, async (_held, signal) => {
      holders.add(holder);
      await untilAborted(signal);
      holders.delete(holder);
    });

  const a = hold('a');
  await eventually(() => holders.has('a'));
  const b = hold('b');
  expect([...holders]).toEqual(['a']);
  stop.a.abort();
  await a;
  await eventually(() => holders.has('b'));
  expect([...holders]).toEqual(['b']);
  stop.b.abort();
  await b;
});

test('a holder that was frozen does not believe its lease', async () => {
  await using system = await openSystem();
  const stop = new AbortController();
  let monotonicMs = 0;
  const seen: boolean[] = [];

  await runWithLease(
    depsOf(system, { monotonicMs: () => monotonicMs }),
    { role: 'indexer', holder: 'a', signal: stop.signal },
    async (held) => {
      seen.push(held.isHeld());
      monotonicMs = 9_000;
      seen.push(held.isHeld());
      stop.abort();
    },
  );

  expect(seen).toEqual([true, false]);
});

test('what is under way when a holder is stopped may still be published, until its work has ended', async () => {
  await using system = await openSystem();
  const stop = new AbortController();
  const seen: boolean[] = [];
  let role: RoleLease | undefined;

  await runWithLease(
    depsOf(system, { monotonicMs: () => 0 }),
    { role: 'indexer', holder: 'a', signal: stop.signal },
    async (held) => {
      role = held;
      stop.abort();
      seen.push(held.isHeld());
    },
  );
  seen.push(role?.isHeld() ?? true);

  expect(seen).toEqual([true, false]);
});

test.each([-24 * HOUR, -HOUR, HOUR, 24 * HOUR])(
  'a role of a dead process is taken at once, its clock %i ms away',
  async (aheadMs) => {
    await using system = await openSystem();
    await takeAndDie(system, 'dead', Date.now() + aheadMs);
    const stop = new AbortController();
    let taken = false;

    const held = runWithLease(
      depsOf(system, { isProcessAlive: async (holder) => holder !== 'dead' }),
      { role: 'indexer', holder: 'next', signal: stop.signal },
      async (_held, signal) => {
        taken = true;
        await untilAborted(signal);
      },
    );

    await eventually(() => taken, 500);
    stop.abort();
    await held;
  },
);

test('a role of a process that lives and renews it is left alone, its clock an hour behind', async () => {
  await using system = await openSystem();
  const stop = { holder: new AbortController(), other: new AbortController() };
  let looks = 0;
  let wasTaken = false;
  const held = runWithLease(
    depsOf(system, { clock: { now: () => Date.now() - HOUR } }),
    { role: 'indexer', holder: 'holder', signal: stop.holder.signal },
    (_held, signal) => untilAborted(signal).then(() => undefined),
  );
  await eventually(() => system.store.findLease('indexer'));

  const other = runWithLease(
    depsOf(system, {
      isProcessAlive: async () => {
        looks++;
        return true;
      },
    }),
    { role: 'indexer', holder: 'other', signal: stop.other.signal },
    async () => {
      wasTaken = true;
    },
  );
  await eventually(() => looks >= 2);
  stop.other.abort();
  await other;
  stop.holder.abort();
  await held;

  expect(wasTaken).toBe(false);
});
