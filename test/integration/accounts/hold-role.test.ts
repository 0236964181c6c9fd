import { expect, test } from 'vitest';
import { type HeldRole, holdRole } from '../../../src/accounts/hold-role.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openSystem } from '../../helpers/open-system.ts';

const log = createLogger({ level: 'silent', name: 'test' });

test('one of two processes has a role, the other takes it when the first gives it back', async () => {
  await using system = await openSystem();
  const stop = { a: new AbortController(), b: new AbortController() };
  const holders = new Set<string>();
  const hold = (holder: 'a' | 'b') =>
    holdRole(
      { leases: system.store, clock: { now: () => Date.now() }, monotonicMs: () => performance.now(), log },
      { role: 'indexer', holder, signal: stop[holder].signal },
      async (_held, signal) => {
        holders.add(holder);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        holders.delete(holder);
      },
    );

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

  await holdRole(
    { leases: system.store, clock: { now: () => 0 }, monotonicMs: () => monotonicMs, log },
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
  let role: HeldRole | undefined;

  await holdRole(
    { leases: system.store, clock: { now: () => 0 }, monotonicMs: () => 0, log },
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
