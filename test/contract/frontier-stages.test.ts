import { expect, test } from 'vitest';
import { FRONTIER_FLAGS } from '../../src/core/crawl-words.ts';
import { ACTIVATION, CRAWLER, openFrontier, urlOf, visited } from '../helpers/frontier.ts';

const OF = { crawlerId: CRAWLER, activation: ACTIVATION } as const;

test('a row that moves on to another stage is taken by lanes of that stage only, with what the stage before left', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/a']);
  const lane = await frontier.lane();
  const [row] = await frontier.take(lane);
  const to = { stage: 'render', detail: '{"evidence":"empty"}' } as const;
  await frontier.record(lane, [visited(row!, { next: { dueAt: 0, priority: 2, attempts: 0, to } })]);

  expect(await frontier.take(lane, 10, 2_000)).toEqual([]);
  const rendering = await frontier.store.takeLane({ ...OF, stage: 'render', lane: 1, holder: 'b' });
  const taken = await frontier.store.takeDue({
    ...OF,
    lane: rendering!,
    stage: 'render',
    now: 2_000,
    maxPriority: 3,
    hosts: [{ hostId: row!.hostId, limit: 10 }],
  });
  expect(taken).toMatchObject([{ url: urlOf('/a'), stage: 'render', detail: '{"evidence":"empty"}' }]);
});

test('a forced request brings a row of a later stage back to the first one, without what was left there', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/a', '/b']);
  const lane = await frontier.lane();
  const rows = await frontier.take(lane);
  const to = { stage: 'render', detail: '{"evidence":"empty"}' } as const;
  const moved = rows.map((row) => visited(row, { next: { dueAt: 0, priority: 2, attempts: 0, to } }));
  await frontier.record(lane, moved);

  await frontier.add(['/a'], { enqueue: 'always', priority: 0, flags: FRONTIER_FLAGS.force }, 2_000);
  await frontier.add(['/b'], { enqueue: 'always', priority: 0 }, 2_000);

  expect(await frontier.take(lane, 10, 2_000)).toMatchObject([{ url: urlOf('/a'), stage: 'page', detail: undefined }]);
  expect(await frontier.counters()).toMatchObject({ waiting: 1, waitingRows: 1, open: 2, rows: 2 });
});

test('a forced request leaves a row under visit in its stage', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/a']);
  const lane = await frontier.lane();
  const [row] = await frontier.take(lane);
  const to = { stage: 'render', detail: undefined } as const;
  await frontier.record(lane, [visited(row!, { next: { dueAt: 0, priority: 2, attempts: 0, to } })]);
  const rendering = await frontier.store.takeLane({ ...OF, stage: 'render', lane: 1, holder: 'b' });
  const of = {
    ...OF,
    stage: 'render',
    now: 2_000,
    maxPriority: 3,
    hosts: [{ hostId: row!.hostId, limit: 10 }],
  } as const;
  await frontier.store.takeDue({ ...of, lane: rendering! });

  await frontier.add(['/a'], { enqueue: 'always', priority: 0, flags: FRONTIER_FLAGS.force }, 2_000);
  await frontier.store.returnLeases(rendering!, [{ urlId: row!.urlId, dueAt: 2_000 }]);

  expect(await frontier.store.takeDue({ ...of, lane: rendering! })).toMatchObject([{ stage: 'render' }]);
});

test('a look for work tells of hosts and runs besides what their own reads tell', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/a']);
  const { id } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
  const unreachable = { body: undefined, status: 503, at: 100, goodAt: undefined };
  await frontier.store.saveRobots(id, unreachable, { untilAt: 9_000, reason: 'robots-unreachable' });
  const input = {
    crawlerId: CRAWLER,
    activation: ACTIVATION,
    stage: 'page',
    maxPriority: 3,
    after: 0,
    limit: 10,
    now: 9_000,
  } as const;

  const found = await frontier.store.lookForWork({ ...input, of: [id + 1, id] });

  const { robots, pace, ...facts } = (await frontier.store.findHost(id)) ?? {};
  expect(robots?.status).toBe(503);
  expect(found).toEqual({
    work: await frontier.store.hostsWithWork(input),
    hosts: [facts],
    runs: await frontier.store.livingRunsOf(CRAWLER),
  });
  expect(found.runs.map((run) => run.id)).toEqual([frontier.runId]);
});
