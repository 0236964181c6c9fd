import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { FindingName } from '../../src/health/health.ts';
import { INSTALLATION_METRICS } from '../../src/observability/installation-metrics.ts';
import { describeMetrics } from '../../src/observability/metrics.ts';
import { runCli } from '../helpers/cli.ts';
import { page } from '../helpers/crawl.ts';
import { eventually } from '../helpers/eventually.ts';
import { smallFileSystem } from '../helpers/full-disk.ts';
import { freePort, startProcesses } from '../helpers/processes.ts';
import { isLongForm, reportFigure } from '../helpers/scorecard.ts';
import { type Behaviour, sendPage, startSiteServer } from '../helpers/site-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const TOKEN = 'operator-token-of-told-failures';
const KEY = 'api-key-of-told-failures';
const SECONDS = 1_000;
/** The promise; beside other tests on a busy machine the same takes longer. */
const TOLD_WITHIN_MS = (isLongForm ? 60 : 120) * SECONDS;
const OVER_WITHIN_MS = (isLongForm ? 30 : 90) * SECONDS;

async function listen(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Keeps what the webhook is told. */
async function startReceiver() {
  const messages: { readonly [kind in 'begun' | 'ended']: readonly { readonly name: string }[] }[] = [];
  const listening = await listen(
    createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      messages.push(JSON.parse(Buffer.concat(pieces).toString()));
      response.end();
    }),
  );
  const told = (kind: 'begun' | 'ended') =>
    messages.flatMap((message) => message[kind]).map(({ name }): string => name);
  return { ...listening, told };
}

/** A model endpoint that fails until it is mended. */
async function startModel() {
  const state = { isDown: true };
  const answer = `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"OK"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
  const listening = await listen(
    createServer((request, response) => {
      request.resume();
      if (state.isDown) response.writeHead(500).end();
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer);
    }),
  );
  return { ...listening, state };
}

const LOGIN_FORM = '<form method="post" action="/login"><input name="user"><input name="pass" type="password">';

/** A site whose login is refused until it is mended. */
async function startMembersSite() {
  const state = { isRefusing: true };
  const login: Behaviour = (request, response) => {
    const isLetIn = request.method === 'POST' && !state.isRefusing;
    const accepted = { status: 303, headers: { location: '/', 'set-cookie': 'session=1' } };
    sendPage(response, isLetIn ? accepted : { body: LOGIN_FORM });
  };
  return Object.assign(await startSiteServer({ '/': page('Members'), '/login': login }), { state });
}

const SHOWN_DISK = new URL('../helpers/shown-full-disk.ts', import.meta.url).href;

/** Where the data lies: in the long form on a disk of its own, else the system only says that it is full. */
async function startDisk(stack: AsyncDisposableStack) {
  if (isLongForm) {
    const disk = stack.use(await smallFileSystem());
    return { path: disk.path, environment: {}, fill: () => disk.fill([]), makeRoom: () => disk.makeRoom([]) };
  }
  const { path } = stack.use(await temporaryFolder());
  const sign = join(path, 'full');
  return {
    path,
    environment: { NODE_OPTIONS: `--import ${SHOWN_DISK}`, TEST_FULL_DISK: sign },
    fill: () => writeFileSync(sign, ''),
    makeRoom: () => rmSync(sign, { force: true }),
  };
}

const PROVISION = {
  version: 1,
  customers: [
    {
      id: 1,
      name: 'One',
      keys: [{ name: 'cms', value: KEY }],
      engines: [{ id: 1, name: 'Main', language: 'en', aiEnabled: true, features: ['AiChat'] }],
      crawlers: [{ id: 14, engine: 1, name: 'Pushed', seeds: [], active: false }],
    },
  ],
};

/** A product whose Redis could not read its folder. */
async function startTroubled(stack: AsyncDisposableStack) {
  const folder = stack.use(await temporaryFolder());
  const disk = await startDisk(stack);
  const [receiver, model] = [stack.use(await startReceiver()), stack.use(await startModel())];
  const members = stack.use(await startMembersSite());
  const losing = stack.use(await startSiteServer({ '/': page('Home', ['/lost']), '/lost': page('Lost') }));
  const file = join(folder.path, 'provision.json');
  const dataDir = join(disk.path, 'data');
  await mkdir(join(dataDir, 'redis', 'appendonlydir'), { recursive: true });
  await writeFile(join(dataDir, 'redis', 'appendonlydir', 'appendonly.aof.manifest'), 'nonsense\n');
  await writeFile(file, JSON.stringify(PROVISION));
  const ports = { ADMIN_PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
  const product = stack.use(
    await startProcesses({
      dataDir,
      environment: {
        CONFIG_FILE: file,
        OPERATOR_TOKEN: TOKEN,
        ALERT_WEBHOOK_URL: `${receiver.url}/hook`,
        LLM_BASE_URL: `${model.url}/v1`,
        LLM_MODEL: 'writer',
        RATE_AI_PER_MINUTE: '0',
        AI_CACHE_MAX_BYTES: '0',
        ...ports,
        ...disk.environment,
      },
    }),
  );
  const environment = { DATA_DIR: dataDir, PORT: new URL(product.address).port, OPERATOR_TOKEN: TOKEN, ...ports };
  const cli = (...args: string[]) => runCli(args, { environment });
  const metrics = async () => (await fetch(`http://127.0.0.1:${ports.METRICS_PORT}/metrics`)).text();
  return { dataDir, disk, receiver, model, members, losing, product, cli, metrics };
}

type Troubled = Awaited<ReturnType<typeof startTroubled>>;

async function call(address: string, method: string, path: string, body: unknown): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  return fetch(`${address}/api/v4/1/${path}`, { method, headers, body: JSON.stringify(body) });
}

type Fault = {
  readonly name: FindingName;
  readonly plant: () => Promise<unknown>;
  /** Takes the cause away, with the command of the finding where it has one. */
  readonly mend: () => Promise<unknown>;
};

const FACTS = ['pump', 'valve', 'boiler', 'filter', 'sensor', 'heater', 'mixer', 'cooler'];

function contentFaults({ product, model }: Troubled): readonly Fault[] {
  const push = async (titleOf: (fact: string) => string) => {
    const documents = FACTS.map((fact) => ({
      id: fact,
      fields: { Title: titleOf(fact), Content: `The ${fact} must be cleaned every week by a trained person.` },
    }));
    const { status } = await call(product.address, 'PUT', 'index/14/documents', documents);
    expect(status).toBe(200);
  };
  const ask = async (fact: string) => {
    const question = `How often must the ${fact} be cleaned?`;
    const response = await call(product.address, 'POST', '1/search/answer', { question });
    await response.arrayBuffer();
    return response.status === 200;
  };
  return [
    {
      name: 'titles-shared',
      plant: () => push(() => 'Documentation'),
      mend: () => push((fact) => `The ${fact}`),
    },
    {
      name: 'model-down',
      plant: async () => {
        await eventually(() => ask('pump'));
        await Promise.all(FACTS.map(ask));
      },
      mend: async () => {
        model.state.isDown = false;
      },
    },
  ];
}

function crawlFaults({ cli, members, losing }: Troubled, deadPort: number): readonly Fault[] {
  const dead = `http://127.0.0.1:${deadPort}`;
  const seeds = (origin: string) => `seeds=["${origin}/"]`;
  const loginWith = (pass: string) => {
    const form = { url: `${members.origin}/login`, fields: { user: 'me', pass }, success: { cookie: 'session' } };
    return `login=${JSON.stringify(form)}`;
  };
  const add = async (id: string, ...settings: readonly string[]) => {
    await cli('crawler', 'add', '1', `Crawler ${id}`, ...settings, '--id', id);
    expect(await cli('crawler', 'activate', id)).toMatchObject({ code: 0 });
  };
  const fault = (name: FindingName, id: string, settings: readonly string[], mend: readonly string[]): Fault => ({
    name,
    plant: () => add(id, ...settings),
    mend: async () => expect(await cli('crawler', ...mend)).toMatchObject({ code: 0 }),
  });
  const held = fault(
    'removals-held',
    '16',
    [seeds(losing.origin), 'removal.guardMinimum=0', 'removal.guardPercent=0', 'removal.confirmAfterMs=0'],
    ['approve-removals', '16', '--all'],
  );
  const refused = fault('login-failed', '13', [seeds(members.origin), loginWith('old')], ['resume', '13']);
  return [
    fault('host-down', '11', [seeds(dead)], ['deactivate', '11']),
    fault('seed-out-of-scope', '12', [seeds(members.origin), 'include=["/docs/**"]'], ['set', '12', 'include=[]']),
    fault('host-unknown', '15', [seeds('http://wrong.invalid')], ['set', '15', seeds(losing.origin)]),
    {
      ...refused,
      mend: async () => {
        members.state.isRefusing = false;
        expect(await cli('crawler', 'set', '13', loginWith('new'))).toMatchObject({ code: 0 });
        await refused.mend();
      },
    },
    {
      ...held,
      plant: async () => {
        await held.plant();
        await eventually(() => losing.count('/lost') > 0, TOLD_WITHIN_MS);
        losing.set('/lost', { status: 410 });
        await eventually(async () => {
          await cli('crawler', 'run', '16', '--watch');
          return (await cli('crawler', 'removals', '16')).out.includes('/lost');
        }, TOLD_WITHIN_MS);
      },
    },
  ];
}

const DAY_MS = 86_400_000;

function machineFaults(stack: AsyncDisposableStack, { product, dataDir, disk, cli }: Troubled): readonly Fault[] {
  const frozen = new Map<string, number>();
  const freeze = async (role: string) => {
    const pid = frozen.get(role) ?? product.pids().get(role) ?? 0;
    frozen.set(role, pid);
    process.kill(pid, 'SIGSTOP');
  };
  // It may have been killed and started again.
  const thaw = async (role: string) => {
    const pid = frozen.get(role);
    frozen.delete(role);
    if (pid !== undefined && product.pids().get(role) === pid) process.kill(pid, 'SIGCONT');
  };
  // A process that stands still cannot be stopped.
  stack.defer(async () => void (await Promise.all(['redis', 'upkeep'].map(thaw))));
  return [
    {
      name: 'backup-late',
      // The scheduler would write one at once.
      plant: async () => {
        await freeze('upkeep');
        // Other roles write to it.
        using system = new DatabaseSync(join(dataDir, 'system.db'), { timeout: 10_000 });
        system.prepare(`UPDATE meta SET value = ? WHERE name = 'backups_since'`).run(String(Date.now() - 2 * DAY_MS));
      },
      mend: async () => {
        await thaw('upkeep');
        expect(await cli('backup', 'start')).toMatchObject({ code: 0 });
      },
    },
    { name: 'role-missing', plant: () => freeze('upkeep'), mend: () => thaw('upkeep') },
    { name: 'redis-down', plant: () => freeze('redis'), mend: () => thaw('redis') },
    { name: 'disk-full', plant: async () => disk.fill(), mend: async () => disk.makeRoom() },
  ];
}

type Watch = {
  /** Milliseconds until status, metrics and webhook have told all of them. */
  readonly untilTold: (names: readonly FindingName[]) => Promise<number>;
  /** Milliseconds until status and webhook tell none of them. */
  readonly untilOver: (names: readonly FindingName[]) => Promise<number>;
};

function watch({ cli, metrics, receiver }: Troubled): Watch {
  const look = async () => {
    const { code, out } = await cli('status', '--json');
    const { findings } = JSON.parse(out) as { findings: { name: FindingName; command: string }[] };
    expect(code).toBe(findings.length > 0 ? 1 : 0);
    for (const { command } of findings) expect(command).not.toBe('');
    return findings.map(({ name }) => name);
  };
  const counted = async () => {
    const lines = (await metrics()).matchAll(/^fossick_health_findings\{name="([\w-]+)",severity="\w+"\} [1-9]/gm);
    return [...lines].map(([, name]) => name as FindingName);
  };
  return {
    untilTold: async (names) => {
      const startedAt = performance.now();
      // Not all of them last until the last one is told.
      const seen = { status: new Set<string>(), metrics: new Set<string>(), webhook: new Set<string>() };
      const missing = () => names.filter((name) => !Object.values(seen).every((place) => place.has(name)));
      await eventually(async () => {
        for (const name of await look()) seen.status.add(name);
        for (const name of await counted()) seen.metrics.add(name);
        for (const name of receiver.told('begun')) seen.webhook.add(name);
        return missing().length === 0;
      }, TOLD_WITHIN_MS).catch((error: unknown) => {
        throw new Error(`not told: ${missing()}, status: ${[...seen.status]}`, { cause: error });
      });
      return performance.now() - startedAt;
    },
    untilOver: async (names) => {
      const startedAt = performance.now();
      let left: readonly string[] = [];
      await eventually(async () => {
        const found = await look();
        const isOver = (name: string) => receiver.told('ended').filter((each) => each === name).length > 0;
        left = names.filter((name) => found.includes(name) || !isOver(name));
        return left.length === 0;
      }, OVER_WITHIN_MS).catch((error: unknown) => {
        throw new Error(`not over: ${left}`, { cause: error });
      });
      return performance.now() - startedAt;
    },
  };
}

test('failures are told by status, metrics and webhook with what mends them, and are over when they are mended', async () => {
  await using stack = new AsyncDisposableStack();
  const troubled = await startTroubled(stack);
  const { untilTold, untilOver } = watch(troubled);
  const content = contentFaults(troubled);
  const crawled = crawlFaults(troubled, await freePort());
  const machine = machineFaults(stack, troubled);
  const all = [...content, ...crawled, ...machine];
  const folder = join(troubled.dataDir, 'redis.bad');
  const told: number[] = [];
  const over: number[] = [];
  const plant = async (faults: readonly Fault[]) => {
    await Promise.all(faults.map(({ plant: begin }) => begin()));
    told.push(await untilTold(faults.map(({ name }) => name)));
  };
  const mend = async (faults: readonly Fault[]) => {
    for (const { mend: end } of faults) await end();
    over.push(await untilOver(faults.map(({ name }) => name)));
  };

  await untilTold(['redis-folder']);
  if (isLongForm) {
    for (const fault of all) {
      await plant([fault]);
      await mend([fault]);
    }
  } else {
    // Without Redis nothing is crawled: what crawlers meet comes first. On a full disk no role is told as missing.
    const disk = machine.filter(({ name }) => name === 'disk-full');
    await plant([...content, ...crawled]);
    await plant(machine.filter((fault) => !disk.includes(fault)));
    await plant(disk);
    await mend(all.toReversed());
  }
  await rm(folder, { recursive: true });
  await untilOver(['redis-folder']);

  reportFigure(
    'health.told-failures',
    `${all.length} told within ${secondsOf(told)} s, over within ${secondsOf(over)} s`,
  );
  await theMetricsAreThoseOfTheDocumentation(troubled.metrics);
  expect((await fetch(`${troubled.product.address}/metrics`)).status).toBe(404);
  expect((await fetch(`${troubled.product.address}/admin/v1/status`)).status).toBe(404);
}, 900_000);

function secondsOf(times: readonly number[]): number {
  return Math.round(Math.max(...times) / SECONDS);
}

/** A process that was restarted tells its figures within seconds. */
async function theMetricsAreThoseOfTheDocumentation(metrics: () => Promise<string>): Promise<void> {
  const described = [...INSTALLATION_METRICS, ...describeMetrics()].map(({ name }) => name).sort();
  await eventually(async () => {
    const names = [...(await metrics()).matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name ?? '').sort();
    expect(names).toEqual(described);
    return true;
  }, OVER_WITHIN_MS);
}
