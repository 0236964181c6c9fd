import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { OPERATOR_TOKEN } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { missing, SITE, startCrawledApi } from '../../helpers/crawled-api.ts';
import { eventually } from '../../helpers/eventually.ts';

type Api = Awaited<ReturnType<typeof startCrawledApi>>;

/** The events so far, and the end of the stream. */
function readEvents(api: Api, path: string) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  const events: { name: string; data: any }[] = [];
  const leaving = new AbortController();
  const ended = (async () => {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    // Not by fetch: it opens a new connection for each one that was left, which keeps the server from closing.
    const options = { headers, signal: leaving.signal, agent: false };
    const sent = get(`${api.origin}/admin/v1${path}`, options);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}`);
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    for await (const piece of answer.setEncoding('utf8') as AsyncIterable<string>) {
      for (const [, name = '', data = ''] of piece.matchAll(/event: (.*)\ndata: (.*)\n\n/g)) {
        events.push({ name, data: JSON.parse(data) });
      }
    }
  })();
  return { events, ended, leave: () => leaving.abort() };
}

async function startRun() {
  const api = await startCrawledApi();
  await api.add([`${SITE}/`, `${SITE}/a`, `${SITE}/old`]);
  const cli = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);
  const finish = async () => {
    await api.store.cutRun(api.runId, 'runMinutes', Date.now());
    await api.store.finishRun(api.runId, '{}', Date.now());
  };
  return { ...api, cli, finish, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

test('events tell the counts of a run as they change, and end with it', async () => {
  await using run = await startRun();
  const reading = readEvents(run, `/crawlers/17/runs/${run.runId}/events`);
  await eventually(async () => reading.events[0]);
  await run.visit((url) => (url.endsWith('/old') ? missing() : {}));
  await eventually(async () => reading.events.find(({ data }) => data.visited === 3));
  await run.finish();

  await reading.ended;

  expect(reading.events[0]).toMatchObject({
    name: 'progress',
    data: {
      runId: run.runId,
      state: 'running',
      open: 3,
      visited: 0,
      hosts: [{ origin: SITE, waiting: 3, heldUntil: null, reason: null }],
      lastVisits: [],
    },
  });
  expect(reading.events.at(-1)).toMatchObject({
    name: 'end',
    data: { state: 'finished', open: 0, visited: 3, unchanged: 2, skipped: 1, hosts: [] },
  });
  const { lastVisits } = reading.events.at(-1)?.data ?? {};
  expect(lastVisits).toHaveLength(3);
  expect(lastVisits).toContainEqual({
    url: `${SITE}/old`,
    outcome: 'skipped',
    reason: 'not-found',
    status: 404,
    millis: 3,
  });
});

test('a held host is shown with its reason', async () => {
  await using run = await startRun();
  const host = await run.store.ensureHost(17, SITE);
  const unreachable = { body: undefined, status: 500, at: Date.now(), goodAt: undefined };
  const hold = { untilAt: Date.now() + 60_000, reason: 'robots-unreachable' } as const;
  await run.store.saveRobots(host.id, unreachable, hold);
  const reading = readEvents(run, `/crawlers/17/runs/${run.runId}/events`);

  const first = await eventually(async () => reading.events[0]);

  expect(first.data.hosts).toEqual([
    {
      origin: SITE,
      waiting: 3,
      heldUntil: expect.any(String),
      reason: 'robots-unreachable',
      spacingMs: null,
      slots: null,
    },
  ]);
  reading.leave();
  await expect(reading.ended).rejects.toThrow();
});

test('the server closes while events are read', async () => {
  const run = await startRun();
  const reading = readEvents(run, `/crawlers/17/runs/${run.runId}/events`);
  await eventually(async () => reading.events[0]);

  await run[Symbol.asyncDispose]();

  await reading.ended;
});

test('no more than 100 streams are open, and who leaves makes room', async () => {
  await using run = await startRun();
  const path = `/crawlers/17/runs/${run.runId}/events`;
  const open = Array.from({ length: 100 }, () => readEvents(run, path));
  await eventually(async () => (open.every(({ events }) => events.length > 0) ? true : undefined));

  expect(await run.get(path)).toMatchObject({ status: 429 });

  for (const { leave, ended } of open) {
    leave();
    await ended.catch(() => undefined);
  }
  const next = await eventually(async () => {
    const reading = readEvents(run, path);
    const hasBegun = eventually(() => reading.events.length > 0).then(() => reading);
    return Promise.race([hasBegun, reading.ended.then(() => undefined)]);
  });
  next.leave();
  await next.ended.catch(() => undefined);
});

test('the log of a run is read in pages, newest first', async () => {
  await using run = await startRun();
  await run.visit(() => ({}));
  const path = `/crawlers/17/runs/${run.runId}/visits?limit=2`;

  const first = (await run.get(path)).body;
  const second = (await run.get(`${path}&after=${first.next}`)).body;

  expect([...first.items, ...second.items].map(({ url }) => url).sort()).toEqual(
    ['/', '/a', '/old'].map((at) => `${SITE}${at}`),
  );
  expect(second.next).toBeNull();
  expect(await run.get(`/crawlers/17/runs/99/visits`)).toMatchObject({ status: 404 });
  const { out } = await run.cli('run', 'visits', '17', String(run.runId), '--limit', '2');
  expect(out).toMatch(/\nMore: --after \d+-\d+\n$/);
});

test('a watched run is told in lines, its outcome by the exit code', async () => {
  await using run = await startRun();
  const watching = run.cli('run', 'watch', '17');
  await run.visit(() => ({}));
  await run.finish();

  const { code, out } = await watching;

  expect(code).toBe(0);
  expect(out).toMatch(/^\d\d:\d\d:\d\d \w+: \d visited, /);
  expect(out).toMatch(
    /\nfull run \d+ of crawler 17: finished after .*: 3 visited: 0 added, 0 changed, 3 unchanged, .*\n$/,
  );
});

test('a run that failed fails the command that watches it', async () => {
  await using run = await startRun();
  await run.store.failRun(run.runId, JSON.stringify({ reason: 'settings' }), Date.now());

  const { code, err } = await run.cli('run', 'watch', '17', String(run.runId));

  expect({ code, err }).toEqual({ code: 1, err: `fossick: Run ${run.runId} failed: settings\n` });
  expect(await run.cli('run', 'watch', '17', '99')).toMatchObject({ code: 3 });
});

test('a terminal is drawn again, and Ctrl-C leaves the run going', async () => {
  await using run = await startRun();
  const interrupting = new AbortController();
  let [out, err] = ['', ''];
  const watching = main({
    args: ['run', 'watch', '17', '--url', run.origin, '--token', OPERATOR_TOKEN],
    environment: {},
    folder: import.meta.dirname,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal: { columns: () => 60 },
    interruption: () => interrupting.signal,
  });
  await eventually(async () => (out.includes('0 visited, 3 waiting') ? true : undefined));
  await run.visit(() => ({}));
  await eventually(async () => (out.includes('3 visited, 0 waiting') ? true : undefined));
  interrupting.abort();

  expect(await watching).toBe(1);
  expect(out).toContain('A\u001b[J');
  expect(
    stripVTControlCharacters(out)
      .split('\n')
      .every((line) => line.length < 60),
  ).toBe(true);
  expect(err).toContain(`run ${run.runId} goes on: fossick run watch 17 ${run.runId} shows it again`);
  expect((await run.store.findRun(run.runId))?.state).toBe('running');
});
