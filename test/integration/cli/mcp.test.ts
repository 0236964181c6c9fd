import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { eventually } from '../../helpers/eventually.ts';
import { D1, siteKeyOf } from '../../helpers/fixture.ts';
import { connectAgent, NEWEST_REVISION } from '../../helpers/mcp-client.ts';
import { type Product, startProduct } from '../../helpers/product.ts';
import { createScriptedModel } from '../../helpers/scripted-model.ts';

const BIN = join(import.meta.dirname, '../../../bin/fossick.js');
const QUESTION = 'How long does a panel last?';
const KEY = siteKeyOf(3, 6).replace('SiteKey ', '');

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const remote = (to = product, key = KEY) => ['mcp', '--url', to.origin, '--key', key];

/** The SDK's own client, which starts the command. */
function connect(args: readonly string[], env: Record<string, string> = {}, revision?: string) {
  const started = {
    command: process.execPath,
    args: [BIN, ...args],
    cwd: import.meta.dirname,
    env: { PATH: '', ...env },
  };
  return connectAgent(new StdioClientTransport(started), revision);
}

/** What the command writes when these lines are all that it reads. */
async function exchange(args: readonly string[], lines: readonly (object | string)[]) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: import.meta.dirname, env: { PATH: '' } });
  child.stdin.end(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const written = out.split('\n').filter((line) => line !== '');
  return { code, err, messages: written.map((line) => JSON.parse(line)) };
}

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });

describe.each([undefined, NEWEST_REVISION])('a client of protocol revision %s', (revision) => {
  test('searches, asks and reads over standard input and output', { timeout: 60_000 }, async () => {
    await using agent = await connect(remote(), {}, revision);

    const found = await agent.call('search', { query: 'solar panels', perPage: 1 });
    const said = await agent.call('answer', { question: QUESTION });
    const read = await agent.call('fetch_document', { id: D1 });

    expect(await agent.names()).toEqual(['search', 'answer', 'fetch_document']);
    expect(found.structured).toMatchObject({ total: 3, results: [{ id: D1 }] });
    expect(said.structured).toMatchObject({ answer: expect.stringContaining('A panel lasts 25 years. [1]') });
    expect(read.structured).toMatchObject({ markdown: expect.stringContaining('# Solar panels guide') });
  });
});

test('a number of an engine is enough on the machine of the product', { timeout: 60_000 }, async () => {
  await using admin = await startAdminApi();
  await admin.post('/customers', { id: 3, name: 'Three' });
  await admin.post('/engines', { id: 6, customer: 3, name: 'Main' });
  const environment = {
    PORT: String(product.port),
    ADMIN_PORT: new URL(admin.origin).port,
    OPERATOR_TOKEN,
    DATA_DIR: admin.dataDir,
  };
  await using agent = await connect(['mcp', '6'], environment);

  const { structured } = await agent.call('search', { query: '*' });

  expect(structured).toMatchObject({ total: 6 });
  expect(await runCli(['mcp', '7'], { environment })).toMatchObject({ code: 3, out: '' });
});

test('lines are answered, whatever they hold, and the end of the input is the end', { timeout: 60_000 }, async () => {
  const { code, err, messages } = await exchange(remote(), [
    '{"jsonrpc":',
    '',
    request(1, 'tools/list'),
    request(2, 'nonsense/list'),
    `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":${'['.repeat(70)}${']'.repeat(70)}}`,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    '[]',
  ]);
  const byId = new Map(messages.map((message) => [message.id, message]));

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(messages).toHaveLength(5);
  expect(byId.get(1)?.result.tools).toHaveLength(3);
  expect(byId.get(2)?.error.code).toBe(-32_601);
  expect(byId.get(3)?.error).toEqual({ code: -32_700, message: 'The body may be nested 64 levels deep at most' });
  expect(
    messages
      .filter(({ id }) => id === null)
      .map(({ error }) => error.code)
      .sort(),
  ).toEqual([-32_600, -32_700].sort());
});

test('a refusal of the server is the error of its request', { timeout: 60_000 }, async () => {
  const wrong = siteKeyOf(999, 6).replace('SiteKey ', '');

  const { code, err, messages } = await exchange(remote(product, wrong), [
    request(1, 'tools/list'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ]);

  expect(code).toBe(0);
  expect(messages).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: expect.stringMatching(/^The credentials are missing/) } },
  ]);
  expect(err).toMatch(/^warning: The credentials are missing/);
});

test('a server that does not answer is the error of its request', { timeout: 60_000 }, async () => {
  const gone = await startProduct();
  await gone[Symbol.asyncDispose]();

  const { messages } = await exchange(remote(gone), [request(1, 'tools/list')]);

  expect(messages).toMatchObject([{ id: 1, error: { message: expect.stringMatching(/^Nobody answers at/) } }]);
});

test('a request that is cancelled is given up by the server', { timeout: 60_000 }, async () => {
  const model = createScriptedModel(['wait']);
  const languageModels = { temperature: 0, marksData: false, forEngine: () => ({ answer: model, rewrite: model }) };
  await using slow = await startProduct({ languageModels });
  await using agent = await connect(remote(slow));
  const leaving = new AbortController();
  const answer = agent.call('answer', { question: QUESTION }, leaving.signal);
  await eventually(() => model.open() === 1);

  leaving.abort();

  await expect(answer).rejects.toThrow();
  expect(await eventually(() => model.open() === 0)).toBe(true);
});

test.each<[args: string[], message: RegExp]>([
  [['mcp'], /Name an engine, or an address and a key: --url and --key/],
  [['mcp', 'x'], /"x" is no id of a engine/],
  [['mcp', '--key', KEY], /--key needs --url/],
  [['mcp', '6', '--key', KEY, '--url', 'http://127.0.0.1:1'], /--key names the engine already/],
  [['mcp', '--key', KEY, '--url', 'here'], /--url must be an address such as/],
])('%j is wrong usage', async (args, message) => {
  expect(await runCli(args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) });
});
