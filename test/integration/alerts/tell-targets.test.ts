import { expect, test } from 'vitest';
import { type AlertDeps, createAlerts } from '../../../src/alerts/tell-targets.ts';
import type { AlertSettings, AlertTarget, ReportedFinding } from '../../../src/core/alert-target.ts';
import { createWebhook } from '../../../src/delivery/http/create-webhook.ts';
import { startWebhookReceiver } from '../../helpers/alert-receivers.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openSystem } from '../../helpers/open-system.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** 12:00 UTC. */
const START = Date.parse('2026-01-31T12:00:00Z');
const FACTS = {
  day: '2026-01-30',
  searches: 120,
  withoutResults: 7,
  missed: [{ engine: 'Main', query: 'parking', count: 4 }],
  crawls: [
    { crawler: 'Website', goodAt: START - HOUR },
    { crawler: 'New', goodAt: undefined },
  ],
};
const full = found('data');

function found(subject: string, severity: ReportedFinding['severity'] = 'error'): ReportedFinding {
  return {
    name: 'disk-full',
    severity,
    subject,
    sentence: `The disk of ${subject} is full`,
    command: 'du -x',
    since: 1_000,
  };
}

function target(id: number, settings: Partial<AlertSettings> = {}): AlertTarget {
  const rules = { active: true, leastSeverity: 'warning', changes: true, timeZone: 'UTC', errorsBreakQuiet: true };
  const receiver = { name: `target ${id}`, kind: 'webhook', url: 'http://127.0.0.1:9/' };
  return { id, settings: { ...rules, ...receiver, ...settings } as AlertSettings, managedBy: undefined, createdAt: 0 };
}

/** Alerts over a store of their own, with a clock that tests set; `look` is a look at the health. */
async function openAlerts(targets: readonly AlertTarget[], changes: Partial<AlertDeps> = {}) {
  const stack = new AsyncDisposableStack();
  const { store } = stack.use(await openSystem());
  const clock = { time: START, now: () => clock.time };
  const deps: AlertDeps = {
    targets: async () => targets,
    deliverTo: async ({ settings }) => {
      const url = settings.kind === 'webhook' ? String(settings.url) : '';
      return createWebhook({ url, secret: undefined, nowSeconds: () => 0, withinMs: 1_000 });
    },
    store,
    digestFacts: async () => FACTS,
    isSpeaker: async () => true,
    clock,
    log: silentLog,
    newId: () => 'message-1',
    installation: 'http://search.example',
    retryAfterMs: [5, 5],
    ...changes,
  };
  const start = () => {
    const alerts = stack.use(createAlerts(deps));
    /** Looks until something is so: a look while a message is under way leaves out its target. */
    const look = (open: readonly ReportedFinding[], isSo: () => unknown | Promise<unknown>) =>
      eventually(async () => {
        alerts.tell(open);
        return (await isSo()) ? true : undefined;
      });
    return { alerts, look };
  };
  const stateOf = async (id: number) => (await store.listAlertStates()).find(({ targetId }) => targetId === id);
  return { store, clock, start, stateOf, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('what begins is told once, and that all is well again', async () => {
  await using receiver = await startWebhookReceiver((response) => response.end());
  await using opened = await openAlerts([target(10, { url: receiver.url })]);
  const { look } = opened.start();

  await look([full, found('other', 'warning')], async () => (await opened.stateOf(10))?.told.length === 2);
  opened.clock.time += 3 * MINUTE;
  await look([full], () => receiver.received.length === 2);
  await look([], () => receiver.received.length === 3);
  await look([], async () => (await opened.stateOf(10))?.told.length === 0);

  const since = '1970-01-01T00:00:01.000Z';
  const head = { id: 'message-1', kind: 'changes', installation: 'http://search.example' };
  expect(receiver.messages()).toEqual([
    {
      ...head,
      at: '2026-01-31T12:00:00.000Z',
      text: [
        'Fossick at http://search.example',
        'ERROR: The disk of data is full. To mend it: du -x',
        'WARNING: The disk of other is full. To mend it: du -x',
      ].join('\n'),
      begun: [
        { ...full, since },
        { ...found('other', 'warning'), since },
      ],
      ended: [],
      open: 2,
    },
    expect.objectContaining({ text: expect.stringMatching(/\nOVER: The disk of other is full$/), open: 1 }),
    expect.objectContaining({
      text: expect.stringMatching(/\nOVER: The disk of data is full\nAll is well again$/),
      open: 0,
    }),
  ]);
});

test('a restart tells nothing again, and after two minutes what has ended meanwhile', async () => {
  await using receiver = await startWebhookReceiver((response) => response.end());
  await using opened = await openAlerts([target(10, { url: receiver.url })]);
  const first = opened.start();
  await first.look([full], async () => (await opened.stateOf(10))?.told.length === 1);
  await first.alerts[Symbol.asyncDispose]();

  const second = opened.start();
  await second.look([found('new')], () => receiver.received.length === 2);
  await second.look([found('new')], async () => (await opened.stateOf(10))?.told.length === 2);
  opened.clock.time += 2 * MINUTE;
  await second.look([found('new')], () => receiver.received.length === 3);

  const told = receiver.messages().map(({ begun, ended }) => [begun.length, ended.length]);
  expect(told).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
  ]);
});

test('each target is told what it is for', async () => {
  await using errors = await startWebhookReceiver((response) => response.end());
  await using all = await startWebhookReceiver((response) => response.end());
  await using none = await startWebhookReceiver((response) => response.end());
  await using opened = await openAlerts([
    target(10, { url: errors.url, leastSeverity: 'error' }),
    target(11, { url: all.url }),
    target(12, { url: none.url, active: false }),
  ]);
  const { look } = opened.start();

  await look([full, found('other', 'warning')], () => errors.received.length + all.received.length === 2);

  const subjects = (messages: { begun: ReportedFinding[] }[]) =>
    messages.flatMap(({ begun }) => begun.map((f) => f.subject));
  expect(subjects(errors.messages())).toEqual(['data']);
  expect(subjects(all.messages())).toEqual(['data', 'other']);
  expect(none.received).toEqual([]);
});

test('a receiver that fails twice gets the same message again', async () => {
  await using receiver = await startWebhookReceiver((response, count) =>
    response.writeHead(count < 3 ? 503 : 204).end(),
  );
  await using opened = await openAlerts([target(10, { url: receiver.url })]);

  await opened.start().look([full], async () => (await opened.stateOf(10))?.takenAt === START);

  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(await opened.stateOf(10)).toMatchObject({ failingSince: undefined, problem: undefined });
});

test('a target that takes nothing rests for a quarter of an hour, and is told then what holds', async () => {
  let isDown = true;
  await using receiver = await startWebhookReceiver((response) => response.writeHead(isDown ? 500 : 200).end());
  await using opened = await openAlerts([target(10, { url: receiver.url })]);
  const { look } = opened.start();

  await look([full], async () => (await opened.stateOf(10))?.failingSince !== undefined);
  expect(await opened.stateOf(10)).toMatchObject({
    failingSince: START,
    problem: '500 Internal Server Error',
    told: [],
  });
  isDown = false;
  opened.clock.time += 14 * MINUTE;
  let looks = 0;
  await look([found('late')], () => ++looks === 20);
  expect(receiver.received).toHaveLength(3);
  opened.clock.time += MINUTE;
  await look([found('late')], async () => (await opened.stateOf(10))?.takenAt !== undefined);

  expect(receiver.messages().at(-1)).toMatchObject({ begun: [{ subject: 'late' }], ended: [] });
  expect(await opened.stateOf(10)).toMatchObject({ failingSince: undefined });
});

test('who flaps is told of in twenty messages in an hour', async () => {
  await using receiver = await startWebhookReceiver((response) => response.end());
  await using opened = await openAlerts([target(10, { url: receiver.url })]);
  const { look } = opened.start();
  await look([full], async () => (await opened.stateOf(10))?.told.length === 1);
  opened.clock.time += 3 * MINUTE;

  for (let count = 1; count < 20; count++) {
    await look([found(`flap ${count}`)], async () => receiver.received.length > count);
  }
  let looks = 0;
  await look([found('one'), found('two')], () => ++looks === 20);
  expect(receiver.received).toHaveLength(20);
  opened.clock.time += HOUR;
  await look([found('one'), found('two')], () => receiver.received.length === 21);

  expect(receiver.messages().at(-1)).toMatchObject({ begun: [{ subject: 'one' }, { subject: 'two' }] });
});

test('the digest comes once a day at its hour, on good days, too', async () => {
  await using receiver = await startWebhookReceiver((response) => response.end());
  await using opened = await openAlerts([target(10, { url: receiver.url, digestAt: '13:00', changes: false })]);
  const { look } = opened.start();

  let looks = 0;
  await look([full], () => ++looks === 10);
  expect(receiver.received).toEqual([]);
  opened.clock.time += HOUR;
  await look([full], async () => (await opened.stateOf(10))?.digestOn === '2026-01-31');
  opened.clock.time += 5 * HOUR;
  await look([full], () => ++looks === 30);
  expect(receiver.received).toHaveLength(1);
  opened.clock.time += 19 * HOUR;
  await look([], async () => (await opened.stateOf(10))?.digestOn === '2026-02-01');

  const [bad, good] = receiver.messages();
  expect(bad).toMatchObject({
    kind: 'digest',
    open: 1,
    findings: [{ subject: 'data' }],
    searches: { day: '2026-01-30', total: 120, withoutResults: 7, missed: FACTS.missed },
    crawls: [
      { crawler: 'Website', goodAt: '2026-01-31T11:00:00.000Z' },
      { crawler: 'New', goodAt: null },
    ],
  });
  expect(bad.text).toBe(
    [
      'Fossick at http://search.example',
      'ERROR: The disk of data is full. To mend it: du -x',
      '',
      'Searches on 2026-01-30 (UTC): 120, without results: 7',
      '  4 × parking (Main)',
      '',
      'Last good crawls:',
      '  Website: 2026-01-31T11:00:00.000Z',
      '  New: none yet',
    ].join('\n'),
  );
  expect(good.text).toContain('All is well');
});

test('stopping does not wait for a receiver that never answers', async () => {
  await using receiver = await startWebhookReceiver(() => undefined);
  await using opened = await openAlerts([target(10, { url: receiver.url })], { retryAfterMs: [60_000] });
  const { alerts, look } = opened.start();
  await look([full], () => receiver.received.length === 1);

  const startedAt = performance.now();
  await alerts[Symbol.asyncDispose]();

  expect(performance.now() - startedAt).toBeLessThan(900);
  expect(await opened.stateOf(10)).toBeUndefined();
});

test('of several processes one speaks, and whoever takes over goes on', async () => {
  await using receiver = await startWebhookReceiver((response) => response.end());
  let speaker = 'first';
  await using opened = await openAlerts([target(10, { url: receiver.url })], {
    isSpeaker: async () => speaker === 'second',
  });
  const { look } = opened.start();

  let looks = 0;
  await look([full], () => ++looks === 10);
  expect(receiver.received).toEqual([]);
  speaker = 'second';
  await look([full], () => receiver.received.length === 1);
});
