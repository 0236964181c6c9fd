import { expect, test } from 'vitest';
import type { AlertSettings, ReportedFinding } from '../../src/core/alert-target.ts';
import { openSystem } from '../helpers/open-system.ts';

const SETTINGS: AlertSettings = {
  name: 'chat',
  kind: 'webhook',
  url: 'sealed:v1:address',
  active: true,
  leastSeverity: 'warning',
  changes: true,
  timeZone: 'UTC',
  errorsBreakQuiet: true,
};
const TOLD: readonly ReportedFinding[] = [
  { name: 'disk-full', severity: 'error', subject: 'data', sentence: 'Full', command: 'du', since: 1 },
];
const put = (settings: AlertSettings, id?: number) =>
  ({ kind: 'put-alert-target', settings, ...(id !== undefined && { id }) }) as const;

test('a target without messages has no state', async () => {
  await using system = await openSystem();
  await system.store.changeRecords('operator', [put(SETTINGS)], 1);

  expect(await system.store.listAlertStates()).toEqual([]);
});

test('a failing target keeps the time since which it fails, until a message is taken', async () => {
  await using system = await openSystem();
  const { store } = system;
  await store.noteAlertTaken({ targetId: 10, at: 3, told: TOLD, digestOn: '2026-01-31' });
  await store.noteAlertFailed({ targetId: 10, at: 5, problem: 'first' });
  await store.noteAlertFailed({ targetId: 10, at: 9, problem: 'second' });
  const failing = await store.listAlertStates();
  await store.noteAlertTaken({ targetId: 10, at: 11 });

  const kept = { targetId: 10, told: TOLD, digestOn: '2026-01-31' };
  expect(failing).toEqual([{ ...kept, takenAt: 3, failingSince: 5, problem: 'second' }]);
  expect(await store.listAlertStates()).toEqual([
    { ...kept, takenAt: 11, failingSince: undefined, problem: undefined },
  ]);
});

test('the state leaves with its target, whose id is given to no other one', async () => {
  await using system = await openSystem();
  const { store } = system;
  const [id = 0] = await store.changeRecords('operator', [put(SETTINGS)], 1);
  await store.noteAlertFailed({ targetId: id, at: 5, problem: 'gone' });

  await store.changeRecords('operator', [{ kind: 'remove-alert-target', id }], 6);
  const [next = 0] = await store.changeRecords('operator', [put(SETTINGS)], 7);

  expect(await store.listAlertStates()).toEqual([]);
  expect([id, next]).toEqual([10, 11]);
});

test('targets are listed by id, and their changes are in the audit log without secrets', async () => {
  await using system = await openSystem();
  const { store } = system;
  await store.changeRecords('operator', [put(SETTINGS, 30), put({ ...SETTINGS, name: 'other' }, 20)], 1);
  await store.changeRecords(
    'person:3 a@example.com',
    [put({ ...SETTINGS, changes: false, url: 'sealed:v1:new' }, 30)],
    2,
  );
  await store.changeRecords('operator', [put({ ...SETTINGS, changes: false, url: 'sealed:v1:new' }, 30)], 3);

  expect((await store.listAlertTargets()).map(({ id, settings }) => [id, settings.name])).toEqual([
    [20, 'other'],
    [30, 'chat'],
  ]);
  const [newest, ...others] = (await store.listAudit({ limit: 10 })).entries;
  expect(newest).toMatchObject({
    actor: 'person:3 a@example.com',
    action: 'put-alert-target',
    target: 'alert-target:30',
    before: { changes: true },
    after: { changes: false },
  });
  expect(others).toHaveLength(2);
  expect(JSON.stringify([newest, others])).not.toContain('sealed');
});

test('a taken name and a change of what was changed meanwhile are conflicts, a missing target is not found', async () => {
  await using system = await openSystem();
  const { store } = system;
  const [id = 0] = await store.changeRecords('operator', [put(SETTINGS)], 1);
  const [seen] = await store.listAlertTargets();
  await store.changeRecords('operator', [put({ ...SETTINGS, changes: false }, id)], 2);

  const write = (change: Parameters<typeof store.changeRecords>[1][number]) =>
    store.changeRecords('operator', [change], 3).catch(({ code }) => code);
  expect(await write(put(SETTINGS))).toBe('record.conflict');
  expect(await write({ ...put(SETTINGS, id), ...(seen && { seen }) })).toBe('record.conflict');
  expect(await write({ kind: 'remove-alert-target', id: 99 })).toBe('record.not-found');
});
