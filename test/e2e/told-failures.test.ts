import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AlertMessage } from '../../src/health/alerts.ts';
import { INSTALLATION_METRICS } from '../../src/observability/installation-metrics.ts';
import { describeMetrics } from '../../src/observability/metrics.ts';
import { runCli } from '../helpers/cli.ts';
import { page } from '../helpers/crawl.ts';
import { eventually } from '../helpers/eventually.ts';
import { freePort, startProcesses } from '../helpers/processes.ts';
import { isLongForm, reportFigure } from '../helpers/scorecard.ts';
import { startSiteServer } from '../helpers/site-server.ts';
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
  const messages: AlertMessage[] = [];
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

/** One product with a dead host, a seed outside of its scope, a login that has expired, and a model that is down. */
async function startTroubled(stack: AsyncDisposableStack) {
  const folder = stack.use(await temporaryFolder());
  const receiver = stack.use(await startReceiver());
  const model = stack.use(await startModel());
  const site = stack.use(await startSiteServer({ '/': page('Home'), '/login': { body: LOGIN_FORM } }));
  const dead = `http://127.0.0.1:${await freePort()}`;
  const login = { url: `${site.origin}/login`, fields: { user: 'me', pass: 'old' }, success: { cookie: 'session' } };
  const file = join(folder.path, 'provision.json');
  const dataDir = join(folder.path, 'data');
  const provision = {
    version: 1,
    customers: [
      {
        ...{ id: 1, name: 'One', keys: [{ name: 'cms', value: KEY }] },
        engines: [{ id: 1, name: 'Main', language: 'en', aiEnabled: true, features: ['AiChat'] }],
        crawlers: [{ id: 14, engine: 1, name: 'Pushed', seeds: [], active: false }],
      },
    ],
  };
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, JSON.stringify(provision));
  const ports = { ADMIN_PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
  const product = stack.use(
    await startProcesses({
      dataDir,
      environment: {
        ...{ CONFIG_FILE: file, OPERATOR_TOKEN: TOKEN, ALERT_WEBHOOK_URL: `${receiver.url}/hook` },
        ...{ LLM_BASE_URL: `${model.url}/v1`, LLM_MODEL: 'writer', RATE_AI_PER_MINUTE: '0', AI_CACHE_MAX_BYTES: '0' },
        ...ports,
      },
    }),
  );
  const environment = { DATA_DIR: dataDir, PORT: new URL(product.address).port, OPERATOR_TOKEN: TOKEN, ...ports };
  const cli = (...args: string[]) => runCli(args, { environment });
  const seeds = `seeds=["${site.origin}/"]`;
  for (const [id, ...settings] of [
    ['11', `seeds=["${dead}/"]`],
    ['12', seeds, 'include=["/docs/**"]'],
    ['13', seeds, `login=${JSON.stringify(login)}`],
  ] as const) {
    await cli('crawler', 'add', '1', `Crawler ${id}`, ...settings, '--id', id);
    expect(await cli('crawler', 'activate', id)).toMatchObject({ code: 0 });
  }
  const metrics = async () => (await fetch(`http://127.0.0.1:${ports.METRICS_PORT}/metrics`)).text();
  return { receiver, model, product, cli, metrics };
}

async function call(address: string, method: string, path: string, body: unknown): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  return fetch(`${address}/api/v4/1/${path}`, { method, headers, body: JSON.stringify(body) });
}

const FACTS = ['pump', 'valve', 'boiler', 'filter', 'sensor', 'heater', 'mixer', 'cooler'];

test('failures are told by status, metrics and webhook with what mends them, and are over when they are mended', async () => {
  await using stack = new AsyncDisposableStack();
  const { receiver, model, product, cli, metrics } = await startTroubled(stack);
  const documents = FACTS.map((fact) => ({
    id: fact,
    fields: { Title: 'Documentation', Content: `The ${fact} must be cleaned every week by a trained person.` },
  }));
  const pushed = await call(product.address, 'PUT', 'index/14/documents?refresh=wait', documents);
  expect(pushed.status).toBe(200);
  const asked = FACTS.map(async (fact) => {
    const question = `How often must the ${fact} be cleaned?`;
    await (await call(product.address, 'POST', '1/search/answer', { question })).arrayBuffer();
  });
  await Promise.all(asked);
  // Without Redis nothing is crawled: what crawlers meet comes first.
  await eventually(async () => {
    const { out } = await cli('status', '--json');
    return out.includes('"login-failed"') && out.includes('"host-down"');
  }, TOLD_WITHIN_MS);
  const pids = product.pids();
  const [upkeep = 0, redis = 0] = [pids.get('upkeep'), pids.get('redis')];
  // A process that stands still cannot be stopped.
  stack.defer(() => {
    for (const pid of [redis, upkeep]) if ([...product.pids().values()].includes(pid)) process.kill(pid, 'SIGCONT');
  });
  process.kill(upkeep, 'SIGSTOP');
  process.kill(redis, 'SIGSTOP');
  const planted = [
    'host-down',
    'login-failed',
    'model-down',
    'redis-down',
    'role-missing',
    'seed-out-of-scope',
    'titles-shared',
  ];

  const startedAt = performance.now();
  const seen = new Set<string>();
  await eventually(async () => {
    const { code, out } = await cli('status', '--json');
    const { findings } = JSON.parse(out) as { findings: { name: string; command: string }[] };
    for (const { name, command } of findings) {
      expect(command).not.toBe('');
      seen.add(name);
    }
    expect(code).toBe(findings.length > 0 ? 1 : 0);
    return planted.every((name) => seen.has(name) && receiver.told('begun').includes(name));
  }, TOLD_WITHIN_MS).catch((error: unknown) => {
    throw new Error(`told: ${[...seen]}, webhook: ${receiver.told('begun')}`, { cause: error });
  });
  const toldAfter = performance.now() - startedAt;
  const printed = await metrics();
  for (const name of planted.filter((each) => each !== 'role-missing')) {
    expect(printed).toMatch(new RegExp(`^fossick_health_findings\\{name="${name}",severity="\\w+"\\} [1-9]`, 'm'));
  }

  process.kill(redis, 'SIGCONT');
  if (product.pids().get('upkeep') === upkeep) process.kill(upkeep, 'SIGCONT');
  model.state.isDown = false;
  for (const id of ['11', '12', '13']) await cli('crawler', 'deactivate', id);
  for (const { id, fields } of documents) {
    await call(product.address, 'PUT', 'index/14/documents', [{ id, fields: { ...fields, Title: `The ${id}` } }]);
  }
  const mendedAt = performance.now();
  let left: readonly string[] = [];
  await eventually(async () => {
    const { findings } = JSON.parse((await cli('status', '--json')).out) as { findings: { name: string }[] };
    left = findings.map(({ name }) => name).filter((name) => planted.includes(name));
    return left.length === 0 && planted.every((name) => receiver.told('ended').includes(name));
  }, OVER_WITHIN_MS).catch((error: unknown) => {
    throw new Error(`left: ${left}, webhook: ${receiver.told('ended')}`, { cause: error });
  });
  const overAfter = performance.now() - mendedAt;
  reportFigure(
    'health.told-failures',
    `${planted.length} told within ${Math.round(toldAfter / SECONDS)} s, over within ${Math.round(overAfter / SECONDS)} s`,
  );

  await theMetricsAreThoseOfTheDocumentation(metrics);
  expect((await fetch(`${product.address}/metrics`)).status).toBe(404);
  expect((await fetch(`${product.address}/admin/v1/status`)).status).toBe(404);
}, 300_000);

/** A process that was restarted tells its figures within seconds. */
async function theMetricsAreThoseOfTheDocumentation(metrics: () => Promise<string>): Promise<void> {
  const described = [...INSTALLATION_METRICS, ...describeMetrics()].map(({ name }) => name).sort();
  await eventually(async () => {
    const names = [...(await metrics()).matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name ?? '').sort();
    expect(names).toEqual(described);
    return true;
  }, OVER_WITHIN_MS);
}
